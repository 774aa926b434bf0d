/* Generated from model/kernel/measure.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 8c688a658a77e377 */

#include "measure.h"
#include "builtins.h"
#include "boot.h"
#include "sha256.h"

#define LINE_BITS 512
#define PAGE_LINES 64
#define WORDS_LINES 4
#define LINE_WORDS 8                    /* of 64 bytes */

/* What does boot measure, and how? SHA-256 of whole lines of 64 bytes: pages, and words filled up with zeros. */

/* Fold eight words into a digest. */
void measure_add_line(uint32_t *state, const uint64_t *line)
{
    uint32_t block[16];
    clear_halves(block, 16);
    for (uint32_t i = 0; i < LINE_WORDS; i++) {
        sha256_put(block, i, line[i]);
    }
    sha256_compress(state, block);
}

/* Fold eight words of a page into a digest. */
void measure_add_line_of(uint32_t *state, const struct frame *page, line_id_t number)
{
    uint64_t line[8];
    clear_words(line, 8);
    for (uint32_t i = 0; i < LINE_WORDS; i++) {
        line[i] = page->word[LINE_WORDS * (uint32_t)number + i];
    }
    measure_add_line(state, line);
}

/* Fold a page into a digest. */
void measure_add_page(uint32_t *state, const struct frame *page)
{
    for (uint32_t i = 0; i < PAGE_LINES; i++) {
        measure_add_line_of(state, page, i);
    }
}

/* Fold page `number` of a part into a digest, if the part has so many pages. */
void measure_add_page_of(uint32_t *state, const struct frame *part, uint32_t number, page_count_t pages)
{
    if (number < pages) {
        measure_add_page(state, &part[number]);
    }
}

/* Fold the pages of a part into a digest, one after the other. */
void measure_add_pages(uint32_t *state, const struct frame *part, page_count_t pages)
{
    for (uint32_t i = 0; i < 97; i++) {
        measure_add_page_of(state, part, i, pages);
    }
}

/* End a message of `lines` lines; its digest is the measurement of a phase. */
void measure_finalize(struct boot_information *information, phase_id_t phase, uint32_t *state, line_count_t lines)
{
    uint32_t block[16];
    clear_halves(block, 16);
    sha256_end(block, 0, LINE_BITS * (uint32_t)lines);
    sha256_compress(state, block);
    for (uint32_t i = 0; i < 8; i++) {
        information->measurement[8 * (uint32_t)phase + i] = state[i];
    }
}

/* Measure the pages that a phase relies on. */
void measure_pages(struct boot_information *information, phase_id_t phase, const struct frame *part, page_count_t pages)
{
    uint32_t state[8] = {0};
    sha256_begin(state);
    measure_add_pages(state, part, pages);
    measure_finalize(information, phase, state, PAGE_LINES * (uint32_t)pages);
}

/* Measure the registers that a phase relies on. */
void measure_words(struct boot_information *information, phase_id_t phase, const uint64_t *words)
{
    uint32_t state[8] = {0};
    sha256_begin(state);
    for (uint32_t i = 0; i < WORDS_LINES; i++) {
        uint64_t line[8];
        clear_words(line, 8);
        for (uint32_t j = 0; j < LINE_WORDS; j++) {
            line[j] = words[LINE_WORDS * i + j];
        }
        measure_add_line(state, line);
    }
    measure_finalize(information, phase, state, WORDS_LINES);
}

/* Measure the two numbers that a phase relies on. */
void measure_pair(struct boot_information *information, phase_id_t phase, uint64_t first, uint64_t second)
{
    uint32_t state[8] = {0};
    sha256_begin(state);
    uint64_t line[8];
    clear_words(line, 8);
    line[0] = first;
    line[1] = second;
    measure_add_line(state, line);
    measure_finalize(information, phase, state, 1);
}

/* Measure what root relies on: the boot package, header first, and the root of proofs that the host attests. */
void measure_root(struct boot_information *information, phase_id_t phase, const struct frame *package)
{
    page_count_t pages = (uint32_t)minimum(information->package, PACKAGE_LIMIT) + 1;
    uint32_t state[8] = {0};
    sha256_begin(state);
    measure_add_pages(state, package, pages);
    uint64_t line[8];
    clear_words(line, 8);
    for (uint32_t i = 0; i < 4; i++) {
        line[i] = information->attested[i];
    }
    measure_add_line(state, line);
    measure_finalize(information, phase, state, PAGE_LINES * (uint32_t)pages + 1);
}

/* Take the boot key and the first proof root, and leave nothing of them behind; return whether there was a key. */
bool measure_take_secret(struct boot_information *information, struct secret *secret)
{
    uint64_t found = secret->key[0] | secret->key[1] | secret->key[2] | secret->key[3];
    for (uint32_t i = 0; i < 4; i++) {
        information->key[2 * i] = byte_swap((uint32_t)secret->key[i]);
        information->key[2 * i + 1] = byte_swap((uint32_t)(secret->key[i] >> HALVES_HIGH_SHIFT));
        information->attested[i] = secret->attested[i];
    }
    clear_words(secret->key, 4);
    clear_words(secret->attested, 4);
    clear_words(secret->rest, 504);
    return found != 0;
}

/* Clear the key, so that the state holds the only copy. */
void measure_forget_key(struct boot_information *information)
{
    clear_halves(information->key, 8);
}

/* Copy eight words, or those up to the end of the page. */
void measure_copy_line(struct frame *target, const struct frame *source, entry_id_t first)
{
    for (uint32_t i = 0; i < LINE_WORDS; i++) {
        if ((uint32_t)first + i < PAGE_WORDS) {
            target->word[(uint32_t)first + i] = source->word[(uint32_t)first + i];
        }
    }
}

/* Copy a page. */
void measure_copy_page(struct frame *target, const struct frame *source)
{
    for (uint32_t i = 0; i < PAGE_LINES; i++) {
        measure_copy_line(target, source, LINE_WORDS * i);
    }
}

/* Put page `number` of the boot package where boot gives it to the root partition, if there are so many. */
void measure_unpack_page(struct kernel *s, const struct boot_information *information, const struct frame *package,
                         package_page_id_t number)
{
    if (number < information->package) {
        measure_copy_page(&s->memory[ROOT_TABLES + (uint32_t)number], &package[(uint32_t)number + 1]);
    }
}

/* Put root's own image, then those of its guests, into the pages that boot gives to root. */
void measure_unpack(struct kernel *s, const struct boot_information *information, const struct frame *package)
{
    for (uint32_t i = 0; i < PACKAGE_LIMIT; i++) {
        measure_unpack_page(s, information, package, i);
    }
}
