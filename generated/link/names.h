/* Generated from codegen/link.py
   with codegen/templates/names.h.j2: edit those, not this.
   Content: sha256 248bc96d22882234 */

/* What does the linker call the functions of the link? */

#ifndef LINK_NAMES_H
#define LINK_NAMES_H

#define aead_authenticate corollary_aead_authenticate
#define aead_difference corollary_aead_difference
#define aead_open_ corollary_aead_open_
#define aead_put_tag corollary_aead_put_tag
#define aead_seal corollary_aead_seal
#define chacha20_add_block corollary_chacha20_add_block
#define chacha20_add_rest corollary_chacha20_add_rest
#define chacha20_begin corollary_chacha20_begin
#define chacha20_block corollary_chacha20_block
#define chacha20_encrypt corollary_chacha20_encrypt
#define chacha20_quarter_round corollary_chacha20_quarter_round
#define envelope_has corollary_envelope_has
#define envelope_is_whole corollary_envelope_is_whole
#define poly1305_absorb corollary_poly1305_absorb
#define poly1305_absorb_bytes corollary_poly1305_absorb_bytes
#define poly1305_absorb_piece corollary_poly1305_absorb_piece
#define poly1305_absorb_rest corollary_poly1305_absorb_rest
#define poly1305_begin corollary_poly1305_begin
#define poly1305_finish corollary_poly1305_finish
#define poly1305_is_carried corollary_poly1305_is_carried
#define poly1305_is_clamped corollary_poly1305_is_clamped
#define poly1305_is_wide corollary_poly1305_is_wide
#define poly1305_limb corollary_poly1305_limb
#define poly1305_multiply corollary_poly1305_multiply
#define poly1305_product corollary_poly1305_product
#define poly1305_word corollary_poly1305_word

#endif
