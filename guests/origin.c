/* How does an agent begin? The kernel measures its module, then gets a path from the hash of that to the root. */
#include "origin.h"

enum { PARTS = 16 };    /* of a page */

void end_agent(uint64_t handle, uint64_t badge, life_t life)
{
    TRY(agent_change(handle, badge, LIFE_TERMINATED, life));
}

static struct answer measure(uint64_t handle, uint64_t badge, uint64_t page, uint64_t parts)
{
    struct answer answer = {0};

    for (uint64_t i = 0; i < parts && answer.status == STATUS_OK; i++)
        answer = TRY(agent_measure(handle, badge, page + i / PARTS, i % PARTS));
    return answer;
}

/* The object that a handle names, with its incarnation above its number, as a proof says it. */
static struct answer named(uint64_t handle)
{
    struct answer answer = TRY(capability_inspect(handle));

    answer.result[0] = answer.result[0] >> 32 | answer.result[2] << 32;
    return answer;
}

static void write_meant(const struct prover *prover, uint64_t operation, uint64_t object, uint64_t other,
                        const uint64_t more[3])
{
    write_proof(prover->proof, PROOF_OF_P2, (struct mutation){
        .operation = operation, .actor = prover->actor, .kind = OBJECT_KIND_PARTITION, .object = object,
        .nonce = TRY(proof_inspect()).result[0], .argument = {other, more[0], more[1], more[2]}});
}

struct answer prove(const struct prover *prover, uint64_t handle, uint64_t operation)
{
    struct answer object = named(handle);

    if (object.status != STATUS_OK)
        return object;
    write_meant(prover, operation, object.result[0], 0, (const uint64_t[3]){0});
    return TRY(hypercall(operation, handle, 0, 0, 0, 0, prover->page));
}

struct answer prove_pair(const struct prover *prover, uint64_t handle, uint64_t operation, uint64_t other,
                         const uint64_t more[3])
{
    struct answer object = named(handle), second = named(other);

    if (object.status != STATUS_OK)
        return object;
    if (second.status != STATUS_OK)
        return second;
    write_meant(prover, operation, object.result[0], second.result[0], more);
    return TRY(hypercall(operation, handle, other, more[0], more[1], more[2], prover->page));
}

static struct answer spawn(const struct prover *prover, uint64_t handle, uint64_t badge, const struct origin *origin)
{
    struct answer object = named(handle);

    if (object.status != STATUS_OK)
        return object;
    write_proof(prover->proof, PROOF_OF_P3, (struct mutation){
        .operation = OPERATION_AGENT_SPAWN, .actor = prover->actor, .kind = OBJECT_KIND_PARTITION,
        .object = object.result[0], .nonce = TRY(proof_inspect()).result[0], .argument = {badge, origin->word}});
    prover->proof[PROOF_POSITION] = origin->position;
    prover->proof[PROOF_LEVELS] = origin->levels;
    for (uint64_t level = 0; level < origin->levels; level++)
        for (uint64_t i = 0; i < 4; i++)
            prover->proof[PROOF_PATH + 4 * level + i] = origin->path[level][i];
    return TRY(agent_spawn(handle, badge, origin->word, prover->page));
}

/* What the kernel refused last, with the number of its record as first result. */
static struct answer refusal(struct answer answer)
{
    answer.result[0] = status.calls;
    return answer;
}

struct answer begin_agent(const struct prover *prover, uint64_t handle, uint64_t row, uint64_t place, uint64_t page,
                          const struct origin *origin)
{
    struct answer begun = TRY(hypercall(OPERATION_AGENT_CREATE, handle, row, place, 0, 0, 0)), answer;

    if (begun.status != STATUS_OK)
        return refusal(begun);
    answer = measure(handle, begun.result[0], page, origin->parts);
    if (answer.status == STATUS_OK)
        answer = spawn(prover, handle, begun.result[0], origin);
    if (answer.status == STATUS_OK)
        return begun;
    answer = refusal(answer);
    end_agent(handle, begun.result[0], LIFE_INITIALIZING);
    return answer;
}
