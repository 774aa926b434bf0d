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

static bool move_to(struct warmth *w, uint64_t heat, uint64_t handle, uint64_t head)
{
    bool is_done = TRY(block_retier(handle, head, w->heat, heat, use_of(w))).status == STATUS_OK;

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

bool let_fade(struct warmth *w, uint64_t handle, uint64_t head, bool was_used, bool is_seen)
{
    w->epochs = w->epochs << 1 | was_used;
    if (w->heat == HEAT_COLD || use_of(w) >= LEAST_USE[w->heat])
        return is_seen;
    if (w->heat == HEAT_WARM && is_seen) {
        is_seen = false;
        if (!unlink_block(handle, head))
            return false;
    }
    move_to(w, w->heat + 1, handle, head);
    return is_seen;
}
