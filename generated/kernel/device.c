/* Generated from spec/kernel/device.py, model/kernel/device.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 73091dba2b16eb84 */

#include "device.h"
#include "builtins.h"
#include "clock.h"
#include "hardware.h"
#include "memory.h"
#include "witness.h"

#define PAGE_BYTES 4096

/* The code of what the header has copied to its callers. */
extern inline device_id_t device_named_device(const struct kernel *s, const struct call *call);
extern inline uint64_t device_header_address(device_id_t d);
extern inline uint64_t device_status_address(device_id_t d);
extern inline bool device_suits(device_kind_t kind, bool incoming, uint64_t sector);
extern inline uint16_t device_first_descriptor(device_kind_t kind);
extern inline uint32_t device_written_length(const struct kernel *s, device_id_t d);
extern inline bool device_within_page(uint16_t offset, uint16_t length);

/* What may a device read and write? Only a page that is pinned for the holder of its lease, and its own queue. */

/* Has this incarnation of the partition the lease, ended or not? */
bool device_holds_lease(const struct kernel *s, partition_id_t p, device_id_t d)
{
    const struct device *device = &s->device[d];
    return device->leased && device->holder == p && device->incarnation == s->partition[p].generation;
}

/* Do all descriptors of a request name nothing? */
bool device_blank(const struct kernel *s, device_id_t d)
{
    const struct queue *queue = &s->queue[d];
    return queue->header.length == 0 && queue->data.length == 0 && queue->status.length == 0;
}

/* Does the descriptor of the data name bytes of the page of the request, and nothing else? */
bool device_shows_page(const struct kernel *s, device_id_t d)
{
    uint64_t base = hardware_page_address(s->device[d].page);
    uint64_t end = base + PAGE_BYTES;
    const struct descriptor *data = &s->queue[d].data;
    return (base <= data->address && data->address <= end) && data->length <= end - data->address;
}

/* How is a device leased, given a request, and stopped? The kernel alone writes what a device reads of its queue. */

/* Stop a device: it is absent until it is started. If it does not say that it is reset, the kernel stops. */
void device_reset(struct kernel *s, device_id_t d)
{
    s->device[d].active = false;
    s->device[d].kind = DEVICE_KIND_ABSENT;
    hardware_device_reset(d);
}

/* Reset a device, and let it look at its queue, which names nothing. A transmitter has another than a receiver. */
void device_start(struct kernel *s, device_id_t d, device_kind_t kind)
{
    s->device[d].kind = kind;
    hardware_device_start(d, kind);
}

/* Put a request in front of the device before it is counted as available. */
void device_publish(device_id_t d)
{
    hardware_device_publish(d);
}

/* Have a device look at its queue. */
void device_notify(struct kernel *s, device_id_t d, device_kind_t kind)
{
    s->device[d].active = true;
    hardware_device_notify(d, kind);
}

/* Let what a device has written be seen as a whole; one that has said that it is done writes no more. */
void device_observe(struct kernel *s, device_id_t d)
{
    if (s->answer[d].used == s->queue[d].available) {
        s->device[d].active = false;
    }
    hardware_device_observe(d);
}

/* Take in what is behind a transport: start it if that is news, and record that it is there.

   The platform looks for devices once, after boot, when the kernel's reserve has room for all these records. */
void device_find(struct kernel *s, uint64_t now, device_id_t d, device_kind_t kind)
{
    uint64_t time = clock_advance(s, now);
    if (s->device[d].kind == DEVICE_KIND_ABSENT) {
        for (uint32_t i = 0; i < QUEUE_SIZE; i++) {
            s->queue[d].ring[i] = device_first_descriptor(kind);
        }
        device_start(s, d, kind);
    }
    if (witness_kernel_room(s)) {
        witness_append_for_kernel(s, time, ACTION_DEVICE_FIND, d, s->device[d].kind);
    }
}

/* Take a request away from a device that sees it no more, and unpin its page. */
void device_withdraw(struct kernel *s, device_id_t d)
{
    struct device *device = &s->device[d];
    if (device->busy) {
        s->pin[device->page].held = false;
    }
    device->busy = false;
    s->queue[d].header = (struct descriptor){0};
    s->queue[d].data = (struct descriptor){0};
    s->queue[d].status = (struct descriptor){0};
}

/* Reset a device, so that nothing is in flight, end its lease, and start the device again. */
void device_end_lease(struct kernel *s, device_id_t d)
{
    device_kind_t kind = s->device[d].kind;
    device_reset(s, d);
    device_withdraw(s, d);
    s->queue[d].available = 0;
    s->answer[d].used = 0;
    s->device[d].leased = false;
    device_start(s, d, kind);
}

/* End the lease of the device that may use a page, if there is one. */
void device_unpin(struct kernel *s, page_id_t page)
{
    if (s->pin[page].held) {
        device_end_lease(s, s->pin[page].device);
    }
}

/* Lease a device for so many nanoseconds and bytes, at most the limits, or renew the caller's own lease.

   A lease that has ended is taken over: the device is reset first. */
status_t device_lease(struct kernel *s, const struct call *call, uint64_t duration, uint64_t budget)
{
    device_id_t d = device_named_device(s, call);
    struct device *device = &s->device[d];
    if (device->kind == DEVICE_KIND_ABSENT) {
        return STATUS_INVALID_TARGET;
    }
    if (call->now > CLOCK_LIMIT) {
        return STATUS_BAD_ARGUMENT;
    }
    bool own = device_holds_lease(s, s->current, d);
    if (device->leased && !own && call->now < device->until) {
        return STATUS_OBJECT_IN_USE;
    }
    if (!own) {
        device_end_lease(s, d);
    }
    device->leased = true;
    device->holder = s->current;
    device->incarnation = s->partition[s->current].generation;
    device->until = call->now + minimum(duration, LEASE_LIMIT);
    device->budget = minimum(budget, BUDGET_LIMIT);
    return STATUS_OK;
}

/* End a lease, as its holder or with REVOKE; the device is reset, and what was in flight is not. */
status_t device_return(struct kernel *s, const struct call *call)
{
    device_id_t d = device_named_device(s, call);
    if (!s->device[d].leased) {
        return STATUS_NOT_LEASED;
    }
    if (!device_holds_lease(s, s->current, d) && (s->capability[call->capability].rights & RIGHT_REVOKE) == 0) {
        return STATUS_INSUFFICIENT_RIGHTS;
    }
    device_end_lease(s, d);
    return STATUS_OK;
}

/* Write a descriptor. */
void device_fill(struct descriptor *descriptor, uint64_t address, uint32_t length, descriptor_flags_t flags,
                 uint16_t next)
{
    descriptor->address = address;
    descriptor->length = length;
    descriptor->flags = flags;
    descriptor->next = next;
}

/* Write the descriptors of a request: of a block device, also those of its header and of its status. */
void device_describe(struct kernel *s, device_id_t d, uint64_t address, uint32_t length)
{
    descriptor_flags_t way = s->device[d].incoming ? DESCRIPTOR_FLAGS_WRITE : 0;
    if (s->device[d].kind == DEVICE_KIND_BLOCK) {
        device_fill(&s->queue[d].header, device_header_address(d), HEADER_BYTES, DESCRIPTOR_FLAGS_NEXT, 1);
        device_fill(&s->queue[d].data, address, length, DESCRIPTOR_FLAGS_NEXT | way, 2);
        device_fill(&s->queue[d].status, device_status_address(d), 1, DESCRIPTOR_FLAGS_WRITE, 0);
    } else {
        device_fill(&s->queue[d].data, address, length, way, 0);
    }
}

/* Let a leased device read or write whole sectors of the caller's page; the page is pinned until that is over. */
status_t device_submit(struct kernel *s, const struct call *call, page_id_t page, uint16_t offset, uint16_t length,
                       bool incoming, uint64_t sector)
{
    device_id_t d = device_named_device(s, call);
    struct device *device = &s->device[d];
    if (!device_holds_lease(s, s->current, d) || call->now >= device->until) {
        return STATUS_NOT_LEASED;
    }
    if (device->busy) {
        return STATUS_WOULD_BLOCK;
    }
    if (!device_within_page(offset, length) || !device_suits(device->kind, incoming, sector)) {
        return STATUS_BAD_ARGUMENT;
    }
    if (s->page[page].kind != PAGE_KIND_DATA || s->page[page].owner != s->current) {
        return STATUS_NOT_OWNER;
    }
    if (!memory_lets(s, s->current, page, incoming ? ACCESS_WRITE : ACCESS_READ)) {
        return STATUS_NOT_MAPPED;
    }
    if (s->pin[page].held) {
        return STATUS_PAGE_PINNED;
    }
    if (length > device->budget) {
        return STATUS_LIMIT_REACHED;
    }
    device->budget -= length;
    device->busy = true;
    device->incoming = incoming;
    device->page = page;
    s->pin[page].held = true;
    s->pin[page].device = d;
    s->queue[d].type = incoming ? 0 : 1;
    s->queue[d].sector = sector;
    device_describe(s, d, hardware_page_address(page) + (uint64_t)offset, length);
    device_publish(d);
    s->queue[d].available++;
    device_notify(s, d, device->kind);
    return STATUS_OK;
}

/* Return what a device says of a request that it is done with. */
uint64_t device_outcome_of(const struct kernel *s, device_id_t d)
{
    if (s->device[d].kind == DEVICE_KIND_BLOCK) {
        return s->answer[d].status;
    }
    if (s->device[d].kind == DEVICE_KIND_RECEIVER) {
        return minimum(device_written_length(s, d), s->queue[d].data.length);
    }
    return 0;
}

/* Take in that a device is done with a request, and unpin the page.

   Returns the status that a block device gave, or how many bytes a receiver says that it wrote, at most all. */
status_t device_complete(struct kernel *s, struct call *call)
{
    device_id_t d = device_named_device(s, call);
    if (!device_holds_lease(s, s->current, d)) {
        return STATUS_NOT_LEASED;
    }
    if (!s->device[d].busy) {
        return STATUS_WRONG_STATE;
    }
    if (s->answer[d].used != s->queue[d].available) {
        return STATUS_WOULD_BLOCK;
    }
    device_observe(s, d);
    call->result[0] = device_outcome_of(s, d);
    device_withdraw(s, d);
    return STATUS_OK;
}
