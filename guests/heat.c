/* How does a block become hotter when it is used, and colder while it is not? Its use is that of the last epochs. */
#include "heat.h"

/* A block of less use than this leaves a tier for the next colder one. */
static const uint64_t LEAST_USE[] = {[HEAT_HOT] = WARM_BELOW, [HEAT_WARM] = DORMANT_BELOW, [HEAT_DORMANT] = COLD_BELOW};

/* In ten thousandths. */
static uint64_t use_of(const struct warmth *w)
{
    uint64_t used = 0;

    for (uint64_t i = 0; i < USE_EPOCHS; i++)
        used += w->epochs >> i & 1;
    return used * ALL_USE / USE_EPOCHS;
}

/* What is done already is done again without harm: then the block is of that tier, since nobody else moves it. */
static bool move_to(struct warmth *w, uint64_t heat, uint64_t handle, uint64_t head)
{
    uint64_t answer = TRY(block_retier(handle, head, w->heat, heat, use_of(w))).status;
    bool is_done = answer == STATUS_OK || answer == STATUS_WRONG_STATE;

    if (is_done)
        w->heat = heat;
    return is_done;
}

bool heat_up(struct warmth *w, uint64_t handle, uint64_t head)
{
    w->epochs = ALL_EPOCHS;
    while (w->heat != HEAT_HOT && move_to(w, w->heat - 1, handle, head))
        ;
    return w->heat == HEAT_HOT;
}

void let_fade(struct warmth *w, uint64_t handle, uint64_t head, bool was_used)
{
    w->epochs = w->epochs << 1 | was_used;
    if (w->heat == HEAT_COLD || use_of(w) >= LEAST_USE[w->heat])
        return;
    if (w->heat == HEAT_WARM && w->is_seen) {
        w->is_seen = false;
        if (!unlink_block(handle, head))
            return;
    }
    move_to(w, w->heat + 1, handle, head);
}
