/* Generated from model/link/keys.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 a1f8e36ea8671a82 */

#include "keys.h"
#include "builtins.h"
#include "sha256.h"

#define OF_FIRST 0                      /* purpose: the key with which the first end sends */
#define OF_SECOND 1                     /* and the second */
#define OF_SESSION 2                    /* and the id */
#define INNER_PAD 0x36363636
#define OUTER_PAD 0x5c5c5c5c
/* "corollary link 1" */
static const uint32_t LABEL[4] = {0x636f726f, 0x6c6c6172, 0x79206c69, 0x6e6b2031};

/* Which keys does a session have? HMAC-SHA256 derives them from what both ends know, as HKDF does (RFC 5869).

   extracted = HMAC(HMAC(secret, both measurements), both nonces) key of a direction = HMAC(extracted, LABEL,
   purpose, zeros)

   Each message of HMAC has 64 bytes. So whoever boots something else, or begins another session, has other keys. */

/* Set the keys and the id of a session, and forget the secret. */
void keys_derive(struct session *s, struct beginning *b)
{
    uint32_t middle[8] = {0};
    keys_authenticate(middle, b->secret, b->measurement);
    uint32_t extracted[8] = {0};
    keys_authenticate(extracted, middle, b->nonce);
    keys_expand_key(s->sending, extracted, b->direction == 0 ? OF_FIRST : OF_SECOND);
    keys_expand_key(s->receiving, extracted, b->direction == 0 ? OF_SECOND : OF_FIRST);
    uint32_t named[8] = {0};
    keys_expand(named, extracted, OF_SESSION);
    s->id = (uint64_t)byte_swap(named[0]) | ((uint64_t)byte_swap(named[1]) << 32);
    clear_halves(b->secret, 8);
}

/* Derive 32 bytes for a purpose. */
void keys_expand(uint32_t *derived, const uint32_t *extracted, uint32_t purpose)
{
    uint32_t message[16];
    clear_halves(message, 16);
    for (uint32_t i = 0; i < 4; i++) {
        message[i] = LABEL[i];
    }
    message[4] = purpose;
    keys_authenticate(derived, extracted, message);
}

/* Derive a key, whose words have the low byte first. */
void keys_expand_key(uint32_t *key, const uint32_t *extracted, uint32_t purpose)
{
    uint32_t derived[8] = {0};
    keys_expand(derived, extracted, purpose);
    for (uint32_t i = 0; i < 8; i++) {
        key[i] = byte_swap(derived[i]);
    }
}

/* Compute HMAC-SHA256 of a message of 64 bytes (RFC 2104), with functions that are proved by themselves. */
void keys_authenticate(uint32_t *tag, const uint32_t *key, const uint32_t *message)
{
    uint32_t inner[8] = {0};
    sha256_keyed(inner, key, INNER_PAD);
    sha256_compress(inner, message);
    uint32_t block[16];
    clear_halves(block, 16);
    sha256_end(block, 0, 0x400);
    sha256_compress(inner, block);
    sha256_keyed(tag, key, OUTER_PAD);
    uint32_t last[16];
    clear_halves(last, 16);
    for (uint32_t i = 0; i < 8; i++) {
        last[i] = inner[i];
    }
    sha256_end(last, 8, 768);
    sha256_compress(tag, last);
}
