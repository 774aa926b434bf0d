/* Generated from model/link/aead.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 5c122e1aed741bd0 */

#include "aead.h"
#include "builtins.h"
#include "chacha20.h"
#include "envelope.h"
#include "poly1305.h"
#include "words.h"

/* How is an envelope sealed, and when is it opened? ChaCha20-Poly1305 (RFC 8439, 2.8), in place. */

/* Encrypt the content, and put the tag behind it. The nonce must be a new one for this key.

   Ensures: (result == Fault.NONE) == is_whole(e). */
fault_t aead_seal(struct envelope *e)
{
    if (!envelope_is_whole(e)) {
        return FAULT_NO_ROOM;
    }
    chacha20_encrypt(e);
    uint32_t tag[4] = {0};
    aead_authenticate(e, tag);
    aead_put_tag(e, e->additional + e->content, tag);
    return FAULT_NONE;
}

/* Decrypt the content if the tag behind it is right; otherwise leave all bytes as they are.

   Ensures: implies(result == Fault.NONE, is_whole(e)). */
fault_t aead_open_(struct envelope *e)
{
    if (!envelope_is_whole(e)) {
        return FAULT_NO_ROOM;
    }
    uint32_t tag[4] = {0};
    aead_authenticate(e, tag);
    if (aead_difference(e, e->additional + e->content, tag) != 0) {
        return FAULT_FORGED;
    }
    chacha20_encrypt(e);
    return FAULT_NONE;
}

/* Make the tag of additional data and cipher text, with the key that is block 0 of the key stream (2.6). */
void aead_authenticate(const struct envelope *e, uint32_t *tag)
{
    REQUIRES(envelope_is_whole(e));
    uint32_t stream[16];
    clear_halves(stream, 16);
    chacha20_block(stream, e->key, e->nonce, 0);
    struct authenticator a = {0};
    poly1305_begin(&a, stream);
    poly1305_absorb_bytes(&a, e, 0, e->additional, true);
    poly1305_absorb_bytes(&a, e, e->additional, e->content, true);
    poly1305_absorb(&a, (uint32_t)e->additional, (uint32_t)(e->additional >> 32), (uint32_t)e->content,
                    (uint32_t)(e->content >> 32), TOP);
    poly1305_finish(&a, tag);
}

/* Write a tag to a position. */
void aead_put_tag(struct envelope *e, uint64_t at, const uint32_t *tag)
{
    REQUIRES(envelope_has(e, at, TAG));
    for (uint32_t i = 0; i < 4; i++) {
        words_put(e, at + (uint64_t)(WORD * i), tag[i]);
    }
}

/* Return 0 if a tag lies at a position. The time does not depend on where it differs: all of it is compared. */
uint32_t aead_difference(const struct envelope *e, uint64_t at, const uint32_t *tag)
{
    REQUIRES(envelope_has(e, at, TAG));
    uint32_t found = 0;
    for (uint32_t i = 0; i < 4; i++) {
        found |= tag[i] ^ words_word(e, at + (uint64_t)(WORD * i));
    }
    return found;
}
