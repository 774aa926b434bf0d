/* Generated from model/kernel/package.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 b30ae3110c075390 */

#ifndef KERNEL_PACKAGE_H
#define KERNEL_PACKAGE_H

#include "types.h"

package_fault_t package_fault(const struct package_header *header);
package_fault_t package_accept(const struct package_header *header, struct boot_information *information);

#endif
