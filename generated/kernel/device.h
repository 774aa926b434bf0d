/* Generated from spec/kernel/device.py, model/kernel/device.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 7ff7778462c58add */

#ifndef KERNEL_DEVICE_H
#define KERNEL_DEVICE_H

#include "types.h"

#define HEADER_BYTES 16                 /* of a request: type, priority, sector */

device_id_t device_named_device(const struct kernel *s, const struct call *call);
bool device_holds_lease(const struct kernel *s, partition_id_t p, device_id_t d);
uint64_t device_header_address(device_id_t d);
uint64_t device_status_address(device_id_t d);
bool device_suits(device_kind_t kind, bool incoming, uint64_t sector);
uint16_t device_first_descriptor(device_kind_t kind);
uint32_t device_written_length(const struct kernel *s, device_id_t d);
bool device_blank(const struct kernel *s, device_id_t d);
bool device_shows_page(const struct kernel *s, device_id_t d);
void device_reset(struct kernel *s, device_id_t d);
void device_start(device_id_t d, device_kind_t kind);
void device_publish(device_id_t d);
void device_notify(struct kernel *s, device_id_t d, device_kind_t kind);
void device_observe(struct kernel *s, device_id_t d);
void device_find(struct kernel *s, uint64_t now, device_id_t d, device_kind_t kind);
void device_withdraw(struct kernel *s, device_id_t d);
void device_end_lease(struct kernel *s, device_id_t d);
void device_unpin(struct kernel *s, page_id_t page);
status_t device_lease(struct kernel *s, const struct call *call, uint64_t duration, uint64_t budget);
status_t device_return(struct kernel *s, const struct call *call);
bool device_within_page(uint16_t offset, uint16_t length);
void device_fill(struct descriptor *descriptor, uint64_t address, uint32_t length, descriptor_flags_t flags,
                 uint16_t next);
void device_describe(struct kernel *s, device_id_t d, uint64_t address, uint32_t length);
status_t device_submit(struct kernel *s, const struct call *call, page_id_t page, uint16_t offset, uint16_t length,
                       bool incoming, uint64_t sector);
uint64_t device_outcome_of(const struct kernel *s, device_id_t d);
status_t device_complete(struct kernel *s, struct call *call);

#endif
