/* Generated from spec/kernel/device.py, model/kernel/device.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 976966509dcd7438 */

#ifndef KERNEL_DEVICE_H
#define KERNEL_DEVICE_H

#include "types.h"
#include "hardware.h"

#define QUEUE_BYTES 96
#define ANSWER_BYTES 40
#define HEADER_AT 80
#define STATUS_AT 38
#define ANSWERS 1145048064
#define HEADER_BYTES 16                 /* of a request: type, priority, sector */

/* The device that the handle of the call names. */
inline device_id_t device_named_device(const struct kernel *s, const struct call *call)
{
    return s->capability[call->capability].object & (DEVICE_ID_BOUND - 1);
}

/* The physical address of the header of a device's request. */
inline uint64_t device_header_address(device_id_t d)
{
    return POOL_END + (uint64_t)d * QUEUE_BYTES + HEADER_AT;
}

/* The physical address of the byte in which a device says how a request ended. */
inline uint64_t device_status_address(device_id_t d)
{
    return ANSWERS + (uint64_t)d * ANSWER_BYTES + STATUS_AT;
}

/* Can this kind of device do such a request? A stream goes one way, and has no places. */
inline bool device_suits(device_kind_t kind, bool incoming, uint64_t sector)
{
    return kind == DEVICE_KIND_BLOCK || (incoming == (kind == DEVICE_KIND_RECEIVER) && sector == 0);
}

/* Return at which descriptor each request to such a device begins: a stream has neither header nor status. */
inline uint16_t device_first_descriptor(device_kind_t kind)
{
    return kind == DEVICE_KIND_TRANSMITTER || kind == DEVICE_KIND_RECEIVER ? 1 : 0;
}

/* Return how many bytes a device says it has written for the newest request (virtio 1.2, 2.7.8). */
inline uint32_t device_written_length(const struct kernel *s, device_id_t d)
{
    return s->answer[d].element[2 * (((uint32_t)s->queue[d].available + QUEUE_SIZE - 1) % QUEUE_SIZE) + 1];
}

/* Are these some whole sectors of a page? */
inline bool device_within_page(uint16_t offset, uint16_t length)
{
    return length != 0 && (offset & 511) == 0 && (length & 511) == 0 && (uint32_t)offset + (uint32_t)length <= 0x1000;
}

bool device_holds_lease(const struct kernel *s, partition_id_t p, device_id_t d);
bool device_blank(const struct kernel *s, device_id_t d);
bool device_shows_page(const struct kernel *s, device_id_t d);
void device_reset(struct kernel *s, device_id_t d);
void device_start(struct kernel *s, device_id_t d, device_kind_t kind);
void device_publish(device_id_t d);
void device_notify(struct kernel *s, device_id_t d, device_kind_t kind);
void device_observe(struct kernel *s, device_id_t d);
void device_find(struct kernel *s, uint64_t now, device_id_t d, device_kind_t kind);
void device_withdraw(struct kernel *s, device_id_t d);
void device_end_lease(struct kernel *s, device_id_t d);
void device_unpin(struct kernel *s, page_id_t page);
status_t device_lease(struct kernel *s, const struct call *call, uint64_t duration, uint64_t budget);
status_t device_return(struct kernel *s, const struct call *call);
void device_fill(struct descriptor *descriptor, uint64_t address, uint32_t length, descriptor_flags_t flags,
                 uint16_t next);
void device_describe(struct kernel *s, device_id_t d, uint64_t address, uint32_t length);
status_t device_submit(struct kernel *s, const struct call *call, page_id_t page, uint16_t offset, uint16_t length,
                       bool incoming, uint64_t sector);
uint64_t device_outcome_of(const struct kernel *s, device_id_t d);
status_t device_complete(struct kernel *s, struct call *call);

#endif
