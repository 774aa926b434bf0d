/* How does an agent live in a partition? Its module is loaded into the VM, `run` is called, and the host is told how it ended. */
#include "instance.h"
#include "letter.h"

enum { PATIENCE = 500 };    /* ms: until a call that came too soon has tokens for many more */

static struct instance instance;

static void tell(const char *how, uint64_t first, uint64_t second)
{
    say("agent|");
    say(how);
    say("|");
    say_number(first);
    say("|");
    say_number(second);
    say("\n");
}

/* From a module to the end of its function `run`. */
static void live(struct instance *i)
{
    const struct module *m = &i->module;
    uint32_t index;
    trap_t trap;

    if (load(i, (const uint8_t *)AT(MODULE_ENTRY), LETTER->size) != REFUSAL_NONE) {
        tell("refused", m->refusal, m->offset);
    } else if (!link(i, &index)) {
        tell("unlinkable", index, 0);
    } else if (!make(i) || !find(m, "run", &index)) {
        tell("unsuitable", room_is_short(), 0);
    } else {
        i->machine.budget = ~0ull;
        if ((trap = begin(i)) != TRAP_NONE || (trap = enter(i, index, 0, 0)) != TRAP_NONE || go_on(i) == OUTCOME_TRAPPED)
            tell("trapped", trap != TRAP_NONE ? trap : i->machine.trap, 0);
        else
            tell("returned", i->machine.stack.at[0], 0);
    }
}

void main(void)
{
    buffer_page = LETTER->buffer_page;
    patience = PATIENCE;
    live(&instance);
    send();
    LETTER->done = 1;
}
