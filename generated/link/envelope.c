/* Generated from spec/link/envelope.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 86dd4eeb92e76d1b */

#include "envelope.h"

/* What is an envelope? Bytes that ChaCha20-Poly1305 seals and opens in place (RFC 8439).

   Numbers of several bytes have the low byte first, as everywhere in that document. */

/* Do the bytes have room for additional data, content and tag? */
bool envelope_is_whole(const struct envelope *e)
{
    return e->content <= LARGEST && e->additional <= LARGEST && e->additional + e->content + TAG <= e->bytes.length;
}

/* Are there so many bytes from a position on? */
bool envelope_has(const struct envelope *e, uint64_t at, uint64_t count)
{
    return at <= e->bytes.length && count <= e->bytes.length - at;
}
