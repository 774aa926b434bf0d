/* Generated from model/wasm/room.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 a815a3f6ecf4e764 */

#ifndef VM_ROOM_H
#define VM_ROOM_H

#include "types.h"

EXPORTED uint64_t room_code_words(const struct module *m);
bool room_counted(const struct module *m);
bool room_stacked(const struct validation *v);
bool room_within_block(const struct validation *v);
bool room_planted(const struct module *m);
bool room_in_heights(const struct translation *t);
bool room_in_room(const struct translation *t);
bool room_in_block(const struct translation *t);
bool room_is_operand(const struct translation *t, uint32_t height);
bool room_one_taken(const struct translation *t);
bool room_two_taken(const struct translation *t);

#endif
