/* Generated from model/kernel/boot.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 ab3a3941f2059e3c */

#ifndef KERNEL_BOOT_H
#define KERNEL_BOOT_H

#include "types.h"

#define ROOT_TABLES 3                   /* pages 0, 1, 2; the boot package follows */

void boot_root_slot(struct kernel *s, uint32_t slot, object_kind_t kind, uint32_t object);
void boot_create_root(struct kernel *s, const struct boot_information *information);
void boot_map_root_page(struct kernel *s, uint32_t number, access_t access);
void boot_place_package_page(struct kernel *s, const struct boot_information *information, uint32_t number);
void boot_build_root_memory(struct kernel *s, const struct boot_information *information);
void boot_attest_half(struct kernel *s, const struct boot_information *information, uint32_t half);
void boot(struct kernel *s, const struct boot_information *information);

#endif
