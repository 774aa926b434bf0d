/* Generated from spec/memory_map.py, spec/platform.py
   with codegen/templates/platform/console.c.j2: edit those, not this.
   Content: sha256 6609b71db43e0707 */

/* How does the kernel speak, and how does it stop? */
#include "platform.h"

/* PL011 of QEMU has no baud clock to set. */
void console_start(void)
{
    put32(UART_START + UART_CR, 0);
    put32(UART_START + UART_IMSC, 0);
    put32(UART_START + UART_LCR_H, UART_LCR_8N1_FIFO);
    put32(UART_START + UART_CR, UART_CR_TX);
}

/* Not for ever: a call that writes must end. */
void hardware_console_put(uint8_t character)
{
    for (uint32_t look = 0; look < UART_LOOKS; look++) {
        if ((get32(UART_START + UART_FR) & UART_FR_TXFF) == 0) {
            put32(UART_START + UART_DR, character);
            return;
        }
    }
}

void print(const char *text)
{
    for (; *text; text++)
        hardware_console_put(*text);
}

void print_hexadecimal(uint64_t value, uint32_t digits)
{
    while (digits-- > 0)
        hardware_console_put("0123456789abcdef"[value >> (4 * digits) & 0xf]);
}

void print_decimal(uint64_t value)
{
    uint64_t unit = 1;

    while (value / unit >= 10)
        unit *= 10;
    for (; unit > 0; unit /= 10)
        hardware_console_put('0' + value / unit % 10);
}

static void wait_until_sent(void)
{
    while (get32(UART_START + UART_FR) & UART_FR_BUSY)
        ;
}

void stop(const char *why)
{
    print("kernel: ");
    print(why);
    print("\n");
    wait_until_sent();
    power_off();
}

/* The MMU is off and SMC is undefined: no more than a line is possible. */
void complain(void)
{
    console_start();
    print("kernel: not entered at EL2; QEMU needs -M virt,virtualization=on\n");
    halt();
}
