/* Generated from model/wasm/texts.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 b3e6e6a140caf620 */

#include "texts.h"
#include "builtins.h"
#include "reader.h"
#include "room.h"

#define HALVES 16                       /* values that half a byte may have */
#define BITS 4                          /* in half a byte */

/* Which strings of a module are the same?

   They are kept in a trie of half bytes. Each byte of a string costs at most 32 steps, whatever the other strings
   are. */

/* Empty the trie: only its root is left. */
void texts_forget_texts(struct module *m)
{
    REQUIRES(room_planted(m));
    m->nodes_used = 1;
    m->nodes.at[ROOT] = (struct node){0};
}

/* Add a node and return it; return the root where there is no room.

   Ensures: result < length(m.nodes). */
uint32_t texts_new_node(struct module *m, uint8_t half)
{
    REQUIRES(room_planted(m));
    uint32_t at = m->nodes_used;
    if (at >= m->nodes.length || at >= NONE) {
        reader_refuse(m, REFUSAL_TOO_LARGE, m->at);
        return ROOT;
    }
    m->nodes.at[at] = (struct node){0};
    m->nodes.at[at].half = half;
    m->nodes_used++;
    return at;
}

/* Return the node that a half byte leads to from a node. Add it if it is not there yet.

   Ensures: result < length(m.nodes). */
uint32_t texts_below(struct module *m, uint32_t at, uint8_t half)
{
    REQUIRES(at < m->nodes.length);
    uint32_t found = m->nodes.at[at].first;
    uint32_t left = HALVES;
    while (left > 0 && found != ROOT) {
        left--;
        if (found >= m->nodes.length) {
            reader_refuse(m, REFUSAL_TOO_LARGE, m->at);
            return ROOT;
        }
        if (m->nodes.at[found].half == half) {
            return found;
        }
        found = m->nodes.at[found].next;
    }
    uint32_t made = texts_new_node(m, half);
    if (made != ROOT) {
        m->nodes.at[made].next = m->nodes.at[at].first;
        m->nodes.at[at].first = made;
    }
    return made;
}

/* Return the node that a range of the module's bytes leads to from a node.

   Ensures: result < length(m.nodes). */
uint32_t texts_along(struct module *m, uint32_t at, uint32_t first, uint32_t size)
{
    REQUIRES(at < m->nodes.length);
    if ((uint64_t)first + (uint64_t)size > m->bytes.length) {
        reader_refuse(m, REFUSAL_UNEXPECTED_END, first);
        return at;
    }
    uint32_t node = at;
    uint32_t position = first;
    uint32_t left = size;
    while (left > 0 && !reader_refused(m)) {
        left--;
        uint8_t code = m->bytes.at[position];
        uint32_t middle = texts_below(m, node, code >> BITS);
        node = texts_below(m, middle, code & 15);
        position++;
    }
    return node;
}

/* Return the number of the first string that ends at a node: this one, if there was none before. */
uint32_t texts_first_text(struct module *m, uint32_t node, uint32_t number)
{
    REQUIRES(node < m->nodes.length);
    if (m->nodes.at[node].text == 0) {
        m->nodes.at[node].text = number + 1;
    }
    return m->nodes.at[node].text - 1;
}
