/* How would one write an exact search without proofs? One loop over the elements, and a short list of the nearest. */
#include <stdint.h>

enum { MOST = 16 };

#define DEFINE_NEAREST(name, element, total)                                                                           \
    void name(const element *vectors, const element *query, uint32_t count, uint32_t dimension, uint32_t most,         \
              uint32_t *found)                                                                                         \
    {                                                                                                                  \
        total far[MOST];                                                                                               \
        uint32_t have = 0;                                                                                             \
        for (uint32_t v = 0; v < count; v++) {                                                                         \
            total sum = 0;                                                                                             \
            for (uint32_t i = 0; i < dimension; i++) {                                                                 \
                total apart = (total)vectors[(uint64_t)v * dimension + i] - (total)query[i];                           \
                sum += apart * apart;                                                                                  \
            }                                                                                                          \
            if (have == most && sum >= far[have - 1]) {                                                                \
                continue;                                                                                              \
            }                                                                                                          \
            uint32_t r = have < most ? have++ : have - 1;                                                              \
            for (; r > 0 && sum < far[r - 1]; r--) {                                                                   \
                far[r] = far[r - 1];                                                                                   \
                found[r] = found[r - 1];                                                                               \
            }                                                                                                          \
            far[r] = sum;                                                                                              \
            found[r] = v;                                                                                              \
        }                                                                                                              \
    }

DEFINE_NEAREST(nearest_i8, int8_t, int32_t)
DEFINE_NEAREST(nearest_f32, float, float)
