/* How is a character sent, and how does the kernel stop, for good or to start again? */
#include "platform.h"
#include "kept.h"
#include "report.h"

/* QEMU's PL011 has no baud clock to set. */
void console_start(void)
{
    put32(UART_START + UART_CR, 0);
    put32(UART_START + UART_IMSC, 0);
    put32(UART_START + UART_LCR_H, UART_LCR_8N1_FIFO);
    put32(UART_START + UART_CR, UART_CR_TX);
}

/* The wait is bounded: a call that writes must end. */
void hardware_console_put(uint8_t character)
{
    for (uint32_t look = 0; look < UART_LOOKS; look++) {
        if ((get32(UART_START + UART_FR) & UART_FR_TXFF) == 0) {
            put32(UART_START + UART_DR, character);
            return;
        }
    }
}

static void wait_until_sent(void)
{
    while (get32(UART_START + UART_FR) & UART_FR_BUSY)
        ;
}

void stop(message_t why)
{
    report_say(why);
    wait_until_sent();
    power_off();
}

/* The log is kept for the kernel that starts next. One that fails before it has a log would fail again. */
void restart(message_t why)
{
    if (kernel.sequence == 0)
        stop(why);
    report_say(why);
    kept_keep(&kernel, now(), information.restarts, KEPT);
    wait_until_sent();
    start_again();
}

/* The MMU is off and SMC is undefined: the kernel can only print a line. */
void complain(void)
{
    console_start();
    report_say(MESSAGE_WRONG_LEVEL);
    halt();
}
