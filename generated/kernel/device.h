/* Generated from spec/kernel/device.py, model/kernel/device.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 c639fe0d81e2776f */

#ifndef KERNEL_DEVICE_H
#define KERNEL_DEVICE_H

#include "types.h"

#define HEADER_BYTES 16                 /* of a request: type, priority, sector */

device_id_t device_named_device(const struct kernel *s, const struct call *call);
bool device_holds_lease(const struct kernel *s, partition_id_t p, device_id_t d);
uint64_t device_header_address(device_id_t d);
uint64_t device_status_address(device_id_t d);
bool device_blank(const struct kernel *s, device_id_t d);
void device_reset(struct kernel *s, device_id_t d);
void device_start(device_id_t d);
void device_publish(device_id_t d);
void device_notify(struct kernel *s, device_id_t d);
void device_observe(struct kernel *s, device_id_t d);
void device_find(struct kernel *s, uint64_t now, device_id_t d);
void device_withdraw(struct kernel *s, device_id_t d);
void device_end_lease(struct kernel *s, device_id_t d);
void device_unpin(struct kernel *s, page_id_t page);
status_t device_lease(struct kernel *s, const struct call *call, uint64_t duration, uint64_t budget);
status_t device_return(struct kernel *s, const struct call *call);
bool device_within_page(uint16_t offset, uint16_t length);
void device_fill(struct descriptor *descriptor, uint64_t address, uint32_t length, descriptor_flags_t flags,
                 uint16_t next);
status_t device_submit(struct kernel *s, const struct call *call, page_id_t page, uint16_t offset, uint16_t length,
                       bool incoming, uint64_t sector);
status_t device_complete(struct kernel *s, struct call *call);

#endif
