/* How much large memory goes from one tenant to the other, and where do both see it? */
#ifndef TENANT_H
#define TENANT_H

enum { UNITS_OF = TABLE_3_OF + 1 };                         /* the table of units, beside the other tables */
enum { ORDER_LENT = 3, UNITS_LENT = 1 << ORDER_LENT };

#endif
