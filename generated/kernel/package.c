/* Generated from model/kernel/package.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 557b7670b8392ead */

#include "package.h"

#define PACKAGE_MAGIC 5137288088624713539ull
#define PACKAGE_VERSION 1

/* Which boot packages does the kernel accept? Those with a header of its version and with sizes that are possible. */

/* Return what is wrong with a boot package, judged by its header.

   Ensures: (result == PackageFault.MISSING) == (header.magic != PACKAGE_MAGIC).

   Ensures: (result == PackageFault.VERSION) == (header.magic == PACKAGE_MAGIC and header.version !=
   PACKAGE_VERSION).

   Ensures: implies(result == PackageFault.SIZE, header.pages == 0 or header.pages > PACKAGE_LIMIT).

   Ensures: (result == PackageFault.NONE) == (header.magic == PACKAGE_MAGIC and header.version == PACKAGE_VERSION and
   (header.pages <= PACKAGE_LIMIT) and (0 < header.text <= header.pages) and (header.data <= header.pages -
   header.text)). */
package_fault_t package_fault(const struct package_header *header)
{
    if (header->magic != PACKAGE_MAGIC) {
        return PACKAGE_FAULT_MISSING;
    }
    if (header->version != PACKAGE_VERSION) {
        return PACKAGE_FAULT_VERSION;
    }
    if (header->pages == 0 || header->pages > PACKAGE_LIMIT) {
        return PACKAGE_FAULT_SIZE;
    }
    if (header->text == 0 || header->text > header->pages || header->data > header->pages - header->text) {
        return PACKAGE_FAULT_PARTS;
    }
    return PACKAGE_FAULT_NONE;
}

/* Tell boot how large the package is, unless something is wrong with it.

   Ensures: implies(result == PackageFault.NONE, u64(information.package) == header.pages and u64(information.text)
   == header.text and (u64(information.data) == header.data)). */
package_fault_t package_accept(const struct package_header *header, struct boot_information *information)
{
    package_fault_t found = package_fault(header);
    if (found != PACKAGE_FAULT_NONE) {
        return found;
    }
    information->package = header->pages;
    information->text = header->text;
    information->data = header->data;
    return PACKAGE_FAULT_NONE;
}
