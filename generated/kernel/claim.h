/* Generated from spec/kernel/claim.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 bfd51b99bd4344e1 */

#ifndef KERNEL_CLAIM_H
#define KERNEL_CLAIM_H

#include "types.h"

#define READY 2                         /* can run; above that, is urgent */

uint32_t claim_urgency(const struct kernel *s, partition_id_t p);
uint32_t claim_priority(const struct kernel *s, partition_id_t p);
claim_t claim_of(const struct kernel *s, partition_id_t p);
uint32_t claim_standing(const struct kernel *s, partition_id_t p, bool fair);

#endif
