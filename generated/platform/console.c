/* Generated from spec/memory_map.py, spec/platform.py
   with codegen/templates/platform/console.c.j2: edit those, not this.
   Content: sha256 5738bbb749efd73e */

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

void put_character(char character)
{
    while (get32(UART_START + UART_FR) & UART_FR_TXFF)
        ;
    put32(UART_START + UART_DR, (uint8_t)character);
}

void print(const char *text)
{
    for (; *text; text++)
        put_character(*text);
}

void print_hexadecimal(uint64_t value, uint32_t digits)
{
    while (digits-- > 0)
        put_character("0123456789abcdef"[value >> (4 * digits) & 0xf]);
}

void print_decimal(uint64_t value)
{
    uint64_t unit = 1;

    while (value / unit >= 10)
        unit *= 10;
    for (; unit > 0; unit /= 10)
        put_character('0' + value / unit % 10);
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
