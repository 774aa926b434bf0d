/* Generated from model/kernel/report.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 c5be41d896abd26a */

#include "report.h"
#include "console.h"
#include "kept.h"

#define INVARIANT_COUNT 84
#define ID_WORDS 1                      /* of each id, with a zero after it */
#define ZERO 48
#define CHECKPOINT_WORDS 16             /* of what a seal writes */
#define PHASES 7
#define WORD 8                          /* characters */
#define MESSAGE_WORDS 8                 /* of each; a power of two, which makes the proof quick */
/* by number, from 1 */
static const uint64_t INVARIANT_IDS[85] = {
    0x0000000000000000, 0x00312d544e454741, /*         AGENT-1 */
    0x00322d544e454741, 0x00332d544e454741, /* AGENT-2 AGENT-3 */
    0x00342d544e454741, 0x00352d544e454741, /* AGENT-4 AGENT-5 */
    0x00312d4b434f4c42, 0x00322d4b434f4c42, /* BLOCK-1 BLOCK-2 */
    0x00332d4b434f4c42, 0x00342d4b434f4c42, /* BLOCK-3 BLOCK-4 */
    0x00352d4b434f4c42, 0x00362d4b434f4c42, /* BLOCK-5 BLOCK-6 */
    0x00372d4b434f4c42, 0x00382d4b434f4c42, /* BLOCK-7 BLOCK-8 */
    0x000000312d504143, 0x000000322d504143, /* CAP-1   CAP-2 */
    0x000000332d504143, 0x000000342d504143, /* CAP-3   CAP-4 */
    0x000000352d504143, 0x000000362d504143, /* CAP-5   CAP-6 */
    0x000000382d504143, 0x000000392d504143, /* CAP-8   CAP-9 */
    0x000031322d504143, 0x000032322d504143, /* CAP-21  CAP-22 */
    0x000000312d564544, 0x000000322d564544, /* DEV-1   DEV-2 */
    0x000000332d564544, 0x000000342d564544, /* DEV-3   DEV-4 */
    0x000000352d564544, 0x000000362d564544, /* DEV-5   DEV-6 */
    0x000000372d564544, 0x000000382d564544, /* DEV-7   DEV-8 */
    0x000032312d564544, 0x000033312d564544, /* DEV-12  DEV-13 */
    0x000034312d564544, 0x0000312d45474445, /* DEV-14  EDGE-1 */
    0x0000322d45474445, 0x0000332d45474445, /* EDGE-2  EDGE-3 */
    0x0000312d54414548, 0x000000312d4d454d, /* HEAT-1  MEM-1 */
    0x000000322d4d454d, 0x000000332d4d454d, /* MEM-2   MEM-3 */
    0x000000342d4d454d, 0x000000352d4d454d, /* MEM-4   MEM-5 */
    0x000000362d4d454d, 0x000000372d4d454d, /* MEM-6   MEM-7 */
    0x000000382d4d454d, 0x000000392d4d454d, /* MEM-8   MEM-9 */
    0x000030312d4d454d, 0x000031312d4d454d, /* MEM-10  MEM-11 */
    0x000032312d4d454d, 0x000033312d4d454d, /* MEM-12  MEM-13 */
    0x000034312d4d454d, 0x000035312d4d454d, /* MEM-14  MEM-15 */
    0x000036312d4d454d, 0x000037312d4d454d, /* MEM-16  MEM-17 */
    0x000038312d4d454d, 0x000039312d4d454d, /* MEM-18  MEM-19 */
    0x000036332d4d454d, 0x0000312d54524150, /* MEM-36  PART-1 */
    0x0000322d54524150, 0x0000332d54524150, /* PART-2  PART-3 */
    0x0000352d54524150, 0x0000362d54524150, /* PART-5  PART-6 */
    0x0000372d54524150, 0x0000382d54524150, /* PART-7  PART-8 */
    0x0000312d474e4952, 0x0000322d474e4952, /* RING-1  RING-2 */
    0x0000332d474e4952, 0x0000342d474e4952, /* RING-3  RING-4 */
    0x0000362d474e4952, 0x0000372d474e4952, /* RING-6  RING-7 */
    0x0000392d474e4952, 0x0000312d454d4954, /* RING-9  TIME-1 */
    0x0000312d4e525554, 0x0000322d4e525554, /* TURN-1  TURN-2 */
    0x0000312d54494e55, 0x0000322d54494e55, /* UNIT-1  UNIT-2 */
    0x0000332d54494e55, 0x0000342d54494e55, /* UNIT-3  UNIT-4 */
    0x0000352d54494e55, 0x000000312d544957, /* UNIT-5  WIT-1 */
    0x000000322d544957, 0x000000332d544957, /* WIT-2   WIT-3 */
    0x000000342d544957, /* WIT-4 */
};
static const uint64_t MESSAGE_TEXT[232] = {
    0x203a6c656e72656b, 0x6d6572757361656d, /* kernel: measurem */
    0x0000000020746e65, 0x0000000000000000, /* ent  */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x203a6c656e72656b, 0x657669672079656b, /* kernel: key give */
    0x0000000000000a6e, 0x0000000000000000, /* n\n */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x203a6c656e72656b, 0x202c59454b204f4e, /* kernel: NO KEY,  */
    0x6320656e6f796e61, 0x6567726f66206e61, /* anyone can forge */
    0x6f706b6365686320, 0x0000000a73746e69, /*  checkpoints\n */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x203a6c656e72656b, 0x6e61697261766e69, /* kernel: invarian */
    0x0a646c6f68207374, 0x0000000000000000, /* ts hold\n */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x203a6c656e72656b, 0x646574616c6f6976, /* kernel: violated */
    0x0000000000000020, 0x0000000000000000, /*   */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x203a6c656e72656b, 0x6f7420736b636974, /* kernel: ticks to */
    0x7269662065687420, 0x7473657567207473, /*  the first guest */
    0x63757274736e6920, 0x000000206e6f6974, /*  instruction  */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x203a6c656e72656b, 0x207364726f636572, /* kernel: records  */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x203a6c656e72656b, 0x2064656e69617264, /* kernel: drained  */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x203a6c656e72656b, 0x202c726f74636576, /* kernel: vector,  */
    0x524146202c525345, 0x000020524c45202c, /* ESR, FAR, ELR  */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x203a6c656e72656b, 0x4520746120746f6e, /* kernel: not at E */
    0x554d4551203b324c, 0x2d20736465656e20, /* L2; QEMU needs - */
    0x762c74726976204d, 0x7a696c6175747269, /* M virt,virtualiz */
    0x6e6f3d6e6f697461, 0x000000000000000a, /* ation=on\n */
    0x203a6c656e72656b, 0x7261766e69206e61, /* kernel: an invar */
    0x20666f20746e6169, 0x746f6f6220656874, /* iant of the boot */
    0x6574617473206465, 0x6f6e2073656f6420, /* ed state does no */
    0x000a646c6f682074, 0x0000000000000000, /* t hold\n */
    0x203a6c656e72656b, 0x6e756f6320656874, /* kernel: the coun */
    0x2073616820726574, 0x20726568746f6e61, /* ter has another  */
    0x636e657571657266, 0x73206e6168742079, /* frequency than s */
    0x6465696669636570, 0x000000000000000a, /* pecified\n */
    0x203a6c656e72656b, 0x7265746e69206e61, /* kernel: an inter */
    0x626f6e2074707572, 0x62616e652079646f, /* rupt nobody enab */
    0x000000000a64656c, 0x0000000000000000, /* led\n */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x203a6c656e72656b, 0x746c61202c514946, /* kernel: FIQ, alt */
    0x6f6e206867756f68, 0x75727265746e6920, /* hough no interru */
    0x6e69207369207470, 0x302070756f726720, /* pt is in group 0 */
    0x000000000000000a, 0x0000000000000000, /* \n */
    0x203a6c656e72656b, 0x202c726f72724553, /* kernel: SError,  */
    0x6163206863696877, 0x20656220746f6e6e, /* which cannot be  */
    0x7475626972747461, 0x2061206f74206465, /* attributed to a  */
    0x6f69746974726170, 0x0000000000000a6e, /* partition\n */
    0x203a6c656e72656b, 0x6974726170206f6e, /* kernel: no parti */
    0x6e6163206e6f6974, 0x0000000a6e757220, /* tion can run\n */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x203a6c656e72656b, 0x6e72656b20656874, /* kernel: the kern */
    0x746c756166206c65, 0x00000000000a6465, /* el faulted\n */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x203a6c656e72656b, 0x63617020746f6f62, /* kernel: boot pac */
    0x666572206567616b, 0x6f6e203a64657375, /* kage refused: no */
    0x687420676e696874, 0x6967656220657265, /* thing there begi */
    0x20656b696c20736e, 0x000000000a656e6f, /* ns like one\n */
    0x203a6c656e72656b, 0x63617020746f6f62, /* kernel: boot pac */
    0x666572206567616b, 0x7469203a64657375, /* kage refused: it */
    0x6120666f20736920, 0x7620726568746f6e, /*  is of another v */
    0x000a6e6f69737265, 0x0000000000000000, /* ersion\n */
    0x203a6c656e72656b, 0x63617020746f6f62, /* kernel: boot pac */
    0x666572206567616b, 0x6f6e203a64657375, /* kage refused: no */
    0x202c736567617020, 0x2065726f6d20726f, /*  pages, or more  */
    0x657261206e616874, 0x000a6e656b617420, /* than are taken\n */
    0x203a6c656e72656b, 0x63617020746f6f62, /* kernel: boot pac */
    0x666572206567616b, 0x6f72203a64657375, /* kage refused: ro */
    0x726170207327746f, 0x6e20657261207374, /* ot's parts are n */
    0x696874697720746f, 0x0000000a7469206e, /* ot within it\n */
    0x203a6c656e72656b, 0x7469747261702061, /* kernel: a partit */
    0x63657865206e6f69, 0x6168742064657475, /* ion executed tha */
    0x0a73747365722074, 0x0000000000000000, /* t rests\n */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x203a6c656e72656b, 0x6563697665642061, /* kernel: a device */
    0x20746f6e20736920, 0x6877207465736572, /*  is not reset wh */
    0x7369207469206e65, 0x6f7420646c6f7420, /* en it is told to */
    0x000000000a656220, 0x0000000000000000, /*  be\n */
    0x203a6c656e72656b, 0x75616620746f6f72, /* kernel: root fau */
    0x0000000a6465746c, 0x0000000000000000, /* lted\n */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x203a6c656e72656b, 0x6120737472617473, /* kernel: starts a */
    0x6620612072657466, 0x202c6572756c6961, /* fter a failure,  */
    0x00207265626d756e, 0x0000000000000000, /* number  */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x203a6c656e72656b, 0x636572207470656b, /* kernel: kept rec */
    0x000000002064726f, 0x0000000000000000, /* ord  */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x203a6c656e72656b, 0x616573207470656b, /* kernel: kept sea */
    0x000000000000206c, 0x0000000000000000, /* l  */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x0000000000000000, 0x0000000000000000, /*  */
    0x203a6c656e72656b, 0x7361772074616877, /* kernel: what was */
    0x7369207470656b20, 0x646567616d616420, /*  kept is damaged */
    0x692073696874203a, 0x646c6f6320612073, /* : this is a cold */
    0x000a747261747320, 0x0000000000000000, /*  start\n */
    0x203a6c656e72656b, 0x742064656c696166, /* kernel: failed t */
    0x6e6574666f206f6f, 0x72617473206f7420, /* oo often to star */
    0x0a6e696167612074, 0x0000000000000000, /* t again\n */
    0x0000000000000000, 0x0000000000000000, /*  */
};

/* How does the kernel speak about itself? Character by character, so that its words are proved like its actions. */

/* Send a character of a text that is filled up with zeros. */
void report_put_letter(uint8_t character)
{
    if (character != 0) {
        console_put(character);
    }
}

/* Send eight characters, as they lie in memory. */
void report_put_letters(uint64_t word)
{
    for (uint32_t i = 0; i < WORD; i++) {
        report_put_letter((uint8_t)(word >> (uint64_t)(8 * i)));
    }
}

/* Send one sentence, or its beginning. */
void report_say(message_t message)
{
    for (uint32_t i = 0; i < MESSAGE_WORDS; i++) {
        report_put_letters(MESSAGE_TEXT[MESSAGE_WORDS * (uint32_t)message + i]);
    }
}

/* Send eight hexadecimal digits. */
void report_say_half(uint32_t value)
{
    for (uint32_t i = 0; i < 4; i++) {
        console_put_byte((uint8_t)(value >> (24 - 8 * i)));
    }
}

/* Send sixteen hexadecimal digits. */
void report_say_number(uint64_t value)
{
    report_say_half((uint32_t)(value >> HALVES_HIGH_SHIFT));
    report_say_half((uint32_t)value);
}

/* Send a line that ends in a number. */
void report_tell_number(message_t message, uint64_t value)
{
    report_say(message);
    report_say_number(value);
    console_put(NEWLINE);
}

/* Send a line with the SHA-256 of one phase. */
void report_tell_measurement(const struct boot_information *information, phase_id_t phase)
{
    report_say(MESSAGE_MEASUREMENT);
    console_put(ZERO + (uint8_t)phase);
    console_put(SPACE);
    for (uint32_t i = 0; i < 8; i++) {
        report_say_half(information->measurement[8 * (uint32_t)phase + i]);
    }
    console_put(NEWLINE);
}

/* Send a line for each phase of the boot. */
void report_tell_measurements(const struct boot_information *information)
{
    for (uint32_t phase = 0; phase < PHASES; phase++) {
        report_tell_measurement(information, phase);
    }
}

/* Say whether checkpoints are worth anything. */
void report_tell_key(bool given)
{
    if (given) {
        report_say(MESSAGE_KEY_GIVEN);
    } else {
        report_say(MESSAGE_NO_KEY);
    }
}

/* Send a line with the id of an invariant that does not hold. */
void report_tell_violation(uint32_t number)
{
    report_say(MESSAGE_VIOLATED);
    if (number <= INVARIANT_COUNT) {
        for (uint32_t i = 0; i < ID_WORDS; i++) {
            report_put_letters(INVARIANT_IDS[ID_WORDS * number + i]);
        }
    }
    console_put(NEWLINE);
}

/* Say how much was recorded, and how much of that left the log. */
void report_tell_end(const struct kernel *s)
{
    report_tell_number(MESSAGE_RECORDS, s->sequence);
    report_tell_number(MESSAGE_DRAINED, s->drained);
}

/* Say what happened to the kernel itself. */
void report_tell_fault(uint64_t vector, uint64_t syndrome, uint64_t address, uint64_t instruction)
{
    report_say(MESSAGE_FAULT);
    report_say_number(vector);
    console_put(SPACE);
    report_say_number(syndrome);
    console_put(SPACE);
    report_say_number(address);
    console_put(SPACE);
    report_say_number(instruction);
    console_put(NEWLINE);
}

/* Send a line with a record that was kept. */
void report_tell_record(const struct kept_record *record)
{
    report_say(MESSAGE_KEPT_RECORD);
    for (uint32_t i = 0; i < 8; i++) {
        report_say_number(record->word[i]);
    }
    console_put(NEWLINE);
}

/* Send a line with a record that was kept, if there are so many. */
void report_tell_kept_record(const struct kept *kept, record_id_t number)
{
    if (number < kept_undrained(kept->checkpoint)) {
        report_tell_record(&kept->log[number]);
    }
}

/* Send some records that were kept. */
void report_tell_batch(const struct kept *kept, batch_id_t batch)
{
    for (uint32_t i = 0; i < BATCH; i++) {
        report_tell_kept_record(kept, BATCH * (uint32_t)batch + i);
    }
}

/* Send the end of the log that was kept, with its seal. */
void report_tell_log(const struct kept *kept)
{
    report_tell_number(MESSAGE_WARM, kept->restarts);
    for (uint32_t i = 0; i < BATCH_ID_BOUND; i++) {
        report_tell_batch(kept, i);
    }
    report_say(MESSAGE_KEPT_SEAL);
    for (uint32_t i = 0; i < CHECKPOINT_WORDS; i++) {
        report_say_number(kept->checkpoint[i]);
    }
    console_put(NEWLINE);
}

/* Say what the last kernel left. */
void report_tell_kept(const struct kept *kept, standing_t standing)
{
    if (standing == STANDING_DAMAGED) {
        report_say(MESSAGE_DAMAGED);
    }
    if (standing == STANDING_WARM || standing == STANDING_EXHAUSTED) {
        report_tell_log(kept);
    }
}

/* Return the sentence that says why a boot package is refused. */
message_t report_refusal(package_fault_t fault)
{
    if (fault == PACKAGE_FAULT_MISSING) {
        return MESSAGE_NO_PACKAGE;
    }
    if (fault == PACKAGE_FAULT_VERSION) {
        return MESSAGE_OTHER_PACKAGE;
    }
    if (fault == PACKAGE_FAULT_SIZE) {
        return MESSAGE_PACKAGE_SIZE;
    }
    return MESSAGE_PACKAGE_PARTS;
}
