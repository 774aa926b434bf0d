/* Generated from model/kernel/report.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 075e72fb78c8835b */

#ifndef KERNEL_REPORT_H
#define KERNEL_REPORT_H

#include "types.h"

void report_put_letter(uint8_t character);
void report_put_letters(uint64_t word);
void report_say(message_t message);
void report_say_half(uint32_t value);
void report_say_number(uint64_t value);
void report_tell_number(message_t message, uint64_t value);
void report_tell_measurement(const struct boot_information *information, phase_id_t phase);
void report_tell_measurements(const struct boot_information *information);
void report_tell_key(bool given);
void report_tell_violation(uint32_t number);
void report_tell_end(const struct kernel *s);
void report_tell_fault(uint64_t vector, uint64_t syndrome, uint64_t address, uint64_t instruction);
void report_tell_record(const struct kept_record *record);
void report_tell_kept_record(const struct kept *kept, record_id_t number);
void report_tell_batch(const struct kept *kept, batch_id_t batch);
void report_tell_log(const struct kept *kept);
void report_tell_kept(const struct kept *kept, standing_t standing);
message_t report_refusal(package_fault_t fault);

#endif
