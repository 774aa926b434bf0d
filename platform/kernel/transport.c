/* How is a device behind a virtio transport found, reset, and told of a request? virtio 1.2, 3.1.1 and 4.2.
 *
 * Only the kernel reaches the registers of transports. What a device reads and writes of memory is what its queue
 * names.
 */
#include "platform.h"
#include "device.h"

/* A step that the device is told it is in. */
enum {
    KNOWN = VIRTIO_ACKNOWLEDGE | VIRTIO_DRIVER,
    AGREED = KNOWN | VIRTIO_FEATURES_OK,
};

static uint64_t transport(device_id_t d)
{
    return TRANSPORTS_START + (uint64_t)d * TRANSPORT_SIZE;
}

static void put_address(uint64_t place, const volatile void *address)
{
    put32(place, (uint32_t)(uint64_t)address);
    put32(place + sizeof(uint32_t), (uint32_t)((uint64_t)address >> 32));
}

/* A device that is not reset may still write to pages that others get next. */
__attribute__((noinline)) void hardware_device_reset(device_id_t d)
{
    put32(transport(d) + VIRTIO_STATUS, 0);
    if (get32(transport(d) + VIRTIO_STATUS) != 0)
        restart(MESSAGE_NOT_RESET);
    dsb();
}

static void agree_on_features(uint64_t place)
{
    put32(place + VIRTIO_STATUS, VIRTIO_ACKNOWLEDGE);
    put32(place + VIRTIO_STATUS, KNOWN);
    put32(place + VIRTIO_FEATURES_SELECT, 0);
    put32(place + VIRTIO_FEATURES, 0);
    put32(place + VIRTIO_FEATURES_SELECT, 1);
    put32(place + VIRTIO_FEATURES, VIRTIO_FEATURE_VERSION_1);
    put32(place + VIRTIO_STATUS, AGREED);
}

/* A console has a queue for each way. */
static uint32_t queue_of(device_kind_t kind)
{
    return kind == DEVICE_KIND_TRANSMITTER ? VIRTIO_TRANSMITS : 0;
}

/* Whoever ran before the kernel may have left the device at work. One that does not agree is given up, and never
 * answers.
 */
void hardware_device_start(device_id_t d, device_kind_t kind)
{
    uint64_t place = transport(d);

    hardware_device_reset(d);
    agree_on_features(place);
    if ((get32(place + VIRTIO_STATUS) & VIRTIO_FEATURES_OK) == 0) {
        put32(place + VIRTIO_STATUS, VIRTIO_FAILED);
        return;
    }
    put32(place + VIRTIO_QUEUE_SELECT, queue_of(kind));
    put32(place + VIRTIO_QUEUE_SIZE, DESCRIPTORS);
    put_address(place + VIRTIO_DESCRIPTORS, &kernel.queue[d].header);
    put_address(place + VIRTIO_AVAILABLE, &kernel.queue[d].flags);
    put_address(place + VIRTIO_USED, &kernel.answer[d]);
    put32(place + VIRTIO_QUEUE_READY, 1);
    put32(place + VIRTIO_STATUS, AGREED | VIRTIO_DRIVER_OK);
}

void hardware_device_publish(device_id_t d)
{
    (void)d;
    dsb();
}

void hardware_device_notify(device_id_t d, device_kind_t kind)
{
    dsb();
    put32(transport(d) + VIRTIO_QUEUE_NOTIFY, queue_of(kind));
}

void hardware_device_observe(device_id_t d)
{
    (void)d;
    dsb();
}

/* A console sends if its transport has an even number. */
static device_kind_t kind_of(device_id_t d, uint32_t device)
{
    if (device == VIRTIO_DEVICE_BLOCK)
        return DEVICE_KIND_BLOCK;
    if (device == VIRTIO_DEVICE_CONSOLE)
        return d % 2 == 0 ? DEVICE_KIND_TRANSMITTER : DEVICE_KIND_RECEIVER;
    return DEVICE_KIND_ABSENT;
}

/* A legacy device, which takes addresses in another form, is left alone. */
__attribute__((noinline)) void find_device(device_id_t d)
{
    uint64_t place = transport(d);
    device_kind_t kind;

    if (get32(place + VIRTIO_MAGIC) != VIRTIO_MAGIC_VALUE || get32(place + VIRTIO_VERSION) != VIRTIO_VERSION_MODERN)
        return;
    kind = kind_of(d, get32(place + VIRTIO_DEVICE));
    if (kind != DEVICE_KIND_ABSENT)
        device_find(&kernel, now(), d, kind);
}

void find_devices(void)
{
    for (uint32_t d = 0; d < TRANSPORTS; d++)
        find_device((device_id_t)d);
}
