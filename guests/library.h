/* What does root do so that agents may ask for vectors? */
#ifndef LIBRARY_H
#define LIBRARY_H

#include "housing.h"

/* Make the librarian, and wait until its store is open. Connect an agent with it. In the end, take its edges away. */
void open_library(void);
void admit(uint64_t number, const struct lodging *home);
void close_library(void);

#endif
