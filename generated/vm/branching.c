/* Generated from model/wasm/branching.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 6aa22b50339ad61e */

#include "branching.h"
#include "builtins.h"
#include "blocks.h"
#include "emission.h"
#include "merging.h"
#include "operands.h"
#include "reader.h"
#include "room.h"
#include "spilling.h"

#define LOAD_BYTE 64
#define LOAD_BYTE_SUM 66
#define UNWINDING 16                    /* most operations from a return point to the next return */
#define ADD_VALUE 442
__extension__ static const uint16_t IF_OF[753] = {
    [0 ... HANDLER_I32_EQ_SLOTS - 1] = MISSING,
    [HANDLER_I32_EQ_SLOTS] = HANDLER_I32_EQ_IF_SLOTS,
    [HANDLER_I32_EQ_VALUE] = HANDLER_I32_EQ_IF_VALUE,
    [HANDLER_I32_EQ_VALUE + 1 ... HANDLER_I32_NE_SLOTS - 1] = MISSING,
    [HANDLER_I32_NE_SLOTS] = HANDLER_I32_NE_IF_SLOTS,
    [HANDLER_I32_NE_VALUE] = HANDLER_I32_NE_IF_VALUE,
    [HANDLER_I32_NE_VALUE + 1 ... HANDLER_I32_LT_S_SLOTS - 1] = MISSING,
    [HANDLER_I32_LT_S_SLOTS] = HANDLER_I32_LT_S_IF_SLOTS,
    [HANDLER_I32_LT_S_VALUE] = HANDLER_I32_LT_S_IF_VALUE,
    [HANDLER_I32_LT_S_VALUE + 1 ... HANDLER_I32_LT_U_SLOTS - 1] = MISSING,
    [HANDLER_I32_LT_U_SLOTS] = HANDLER_I32_LT_U_IF_SLOTS,
    [HANDLER_I32_LT_U_VALUE] = HANDLER_I32_LT_U_IF_VALUE,
    [HANDLER_I32_LT_U_VALUE + 1 ... HANDLER_I32_GT_S_SLOTS - 1] = MISSING,
    [HANDLER_I32_GT_S_SLOTS] = HANDLER_I32_GT_S_IF_SLOTS,
    [HANDLER_I32_GT_S_VALUE] = HANDLER_I32_GT_S_IF_VALUE,
    [HANDLER_I32_GT_S_VALUE + 1 ... HANDLER_I32_GT_U_SLOTS - 1] = MISSING,
    [HANDLER_I32_GT_U_SLOTS] = HANDLER_I32_GT_U_IF_SLOTS,
    [HANDLER_I32_GT_U_VALUE] = HANDLER_I32_GT_U_IF_VALUE,
    [HANDLER_I32_GT_U_VALUE + 1 ... HANDLER_I32_LE_S_SLOTS - 1] = MISSING,
    [HANDLER_I32_LE_S_SLOTS] = HANDLER_I32_LE_S_IF_SLOTS,
    [HANDLER_I32_LE_S_VALUE] = HANDLER_I32_LE_S_IF_VALUE,
    [HANDLER_I32_LE_S_VALUE + 1 ... HANDLER_I32_LE_U_SLOTS - 1] = MISSING,
    [HANDLER_I32_LE_U_SLOTS] = HANDLER_I32_LE_U_IF_SLOTS,
    [HANDLER_I32_LE_U_VALUE] = HANDLER_I32_LE_U_IF_VALUE,
    [HANDLER_I32_LE_U_VALUE + 1 ... HANDLER_I32_GE_S_SLOTS - 1] = MISSING,
    [HANDLER_I32_GE_S_SLOTS] = HANDLER_I32_GE_S_IF_SLOTS,
    [HANDLER_I32_GE_S_VALUE] = HANDLER_I32_GE_S_IF_VALUE,
    [HANDLER_I32_GE_S_VALUE + 1 ... HANDLER_I32_GE_U_SLOTS - 1] = MISSING,
    [HANDLER_I32_GE_U_SLOTS] = HANDLER_I32_GE_U_IF_SLOTS,
    [HANDLER_I32_GE_U_VALUE] = HANDLER_I32_GE_U_IF_VALUE,
    [HANDLER_I32_GE_U_VALUE + 1 ... HANDLER_I64_EQ_SLOTS - 1] = MISSING,
    [HANDLER_I64_EQ_SLOTS] = HANDLER_I64_EQ_IF_SLOTS,
    [HANDLER_I64_EQ_VALUE] = HANDLER_I64_EQ_IF_VALUE,
    [HANDLER_I64_EQ_VALUE + 1 ... HANDLER_I64_NE_SLOTS - 1] = MISSING,
    [HANDLER_I64_NE_SLOTS] = HANDLER_I64_NE_IF_SLOTS,
    [HANDLER_I64_NE_VALUE] = HANDLER_I64_NE_IF_VALUE,
    [HANDLER_I64_NE_VALUE + 1 ... HANDLER_I64_LT_S_SLOTS - 1] = MISSING,
    [HANDLER_I64_LT_S_SLOTS] = HANDLER_I64_LT_S_IF_SLOTS,
    [HANDLER_I64_LT_S_VALUE] = HANDLER_I64_LT_S_IF_VALUE,
    [HANDLER_I64_LT_S_VALUE + 1 ... HANDLER_I64_LT_U_SLOTS - 1] = MISSING,
    [HANDLER_I64_LT_U_SLOTS] = HANDLER_I64_LT_U_IF_SLOTS,
    [HANDLER_I64_LT_U_VALUE] = HANDLER_I64_LT_U_IF_VALUE,
    [HANDLER_I64_LT_U_VALUE + 1 ... HANDLER_I64_GT_S_SLOTS - 1] = MISSING,
    [HANDLER_I64_GT_S_SLOTS] = HANDLER_I64_GT_S_IF_SLOTS,
    [HANDLER_I64_GT_S_VALUE] = HANDLER_I64_GT_S_IF_VALUE,
    [HANDLER_I64_GT_S_VALUE + 1 ... HANDLER_I64_GT_U_SLOTS - 1] = MISSING,
    [HANDLER_I64_GT_U_SLOTS] = HANDLER_I64_GT_U_IF_SLOTS,
    [HANDLER_I64_GT_U_VALUE] = HANDLER_I64_GT_U_IF_VALUE,
    [HANDLER_I64_GT_U_VALUE + 1 ... HANDLER_I64_LE_S_SLOTS - 1] = MISSING,
    [HANDLER_I64_LE_S_SLOTS] = HANDLER_I64_LE_S_IF_SLOTS,
    [HANDLER_I64_LE_S_VALUE] = HANDLER_I64_LE_S_IF_VALUE,
    [HANDLER_I64_LE_S_VALUE + 1 ... HANDLER_I64_LE_U_SLOTS - 1] = MISSING,
    [HANDLER_I64_LE_U_SLOTS] = HANDLER_I64_LE_U_IF_SLOTS,
    [HANDLER_I64_LE_U_VALUE] = HANDLER_I64_LE_U_IF_VALUE,
    [HANDLER_I64_LE_U_VALUE + 1 ... HANDLER_I64_GE_S_SLOTS - 1] = MISSING,
    [HANDLER_I64_GE_S_SLOTS] = HANDLER_I64_GE_S_IF_SLOTS,
    [HANDLER_I64_GE_S_VALUE] = HANDLER_I64_GE_S_IF_VALUE,
    [HANDLER_I64_GE_S_VALUE + 1 ... HANDLER_I64_GE_U_SLOTS - 1] = MISSING,
    [HANDLER_I64_GE_U_SLOTS] = HANDLER_I64_GE_U_IF_SLOTS,
    [HANDLER_I64_GE_U_VALUE] = HANDLER_I64_GE_U_IF_VALUE,
    [HANDLER_I64_GE_U_VALUE + 1 ... HANDLER_F32_EQ_SLOTS - 1] = MISSING,
    [HANDLER_F32_EQ_SLOTS] = HANDLER_F32_EQ_IF_SLOTS,
    [HANDLER_F32_EQ_VALUE] = HANDLER_F32_EQ_IF_VALUE,
    [HANDLER_F32_EQ_VALUE + 1 ... HANDLER_F32_NE_SLOTS - 1] = MISSING,
    [HANDLER_F32_NE_SLOTS] = HANDLER_F32_NE_IF_SLOTS,
    [HANDLER_F32_NE_VALUE] = HANDLER_F32_NE_IF_VALUE,
    [HANDLER_F32_NE_VALUE + 1 ... HANDLER_F32_LT_SLOTS - 1] = MISSING,
    [HANDLER_F32_LT_SLOTS] = HANDLER_F32_LT_IF_SLOTS,
    [HANDLER_F32_LT_VALUE] = HANDLER_F32_LT_IF_VALUE,
    [HANDLER_F32_LT_VALUE + 1 ... HANDLER_F32_GT_SLOTS - 1] = MISSING,
    [HANDLER_F32_GT_SLOTS] = HANDLER_F32_GT_IF_SLOTS,
    [HANDLER_F32_GT_VALUE] = HANDLER_F32_GT_IF_VALUE,
    [HANDLER_F32_GT_VALUE + 1 ... HANDLER_F32_LE_SLOTS - 1] = MISSING,
    [HANDLER_F32_LE_SLOTS] = HANDLER_F32_LE_IF_SLOTS,
    [HANDLER_F32_LE_VALUE] = HANDLER_F32_LE_IF_VALUE,
    [HANDLER_F32_LE_VALUE + 1 ... HANDLER_F32_GE_SLOTS - 1] = MISSING,
    [HANDLER_F32_GE_SLOTS] = HANDLER_F32_GE_IF_SLOTS,
    [HANDLER_F32_GE_VALUE] = HANDLER_F32_GE_IF_VALUE,
    [HANDLER_F32_GE_VALUE + 1 ... HANDLER_F64_EQ_SLOTS - 1] = MISSING,
    [HANDLER_F64_EQ_SLOTS] = HANDLER_F64_EQ_IF_SLOTS,
    [HANDLER_F64_EQ_VALUE] = HANDLER_F64_EQ_IF_VALUE,
    [HANDLER_F64_EQ_VALUE + 1 ... HANDLER_F64_NE_SLOTS - 1] = MISSING,
    [HANDLER_F64_NE_SLOTS] = HANDLER_F64_NE_IF_SLOTS,
    [HANDLER_F64_NE_VALUE] = HANDLER_F64_NE_IF_VALUE,
    [HANDLER_F64_NE_VALUE + 1 ... HANDLER_F64_LT_SLOTS - 1] = MISSING,
    [HANDLER_F64_LT_SLOTS] = HANDLER_F64_LT_IF_SLOTS,
    [HANDLER_F64_LT_VALUE] = HANDLER_F64_LT_IF_VALUE,
    [HANDLER_F64_LT_VALUE + 1 ... HANDLER_F64_GT_SLOTS - 1] = MISSING,
    [HANDLER_F64_GT_SLOTS] = HANDLER_F64_GT_IF_SLOTS,
    [HANDLER_F64_GT_VALUE] = HANDLER_F64_GT_IF_VALUE,
    [HANDLER_F64_GT_VALUE + 1 ... HANDLER_F64_LE_SLOTS - 1] = MISSING,
    [HANDLER_F64_LE_SLOTS] = HANDLER_F64_LE_IF_SLOTS,
    [HANDLER_F64_LE_VALUE] = HANDLER_F64_LE_IF_VALUE,
    [HANDLER_F64_LE_VALUE + 1 ... HANDLER_F64_GE_SLOTS - 1] = MISSING,
    [HANDLER_F64_GE_SLOTS] = HANDLER_F64_GE_IF_SLOTS,
    [HANDLER_F64_GE_VALUE] = HANDLER_F64_GE_IF_VALUE,
    [HANDLER_F64_GE_VALUE + 1 ... 752] = MISSING,
};
__extension__ static const uint16_t LOOP_OF[753] = {
    [0 ... HANDLER_I32_EQ_SLOTS - 1] = MISSING,
    [HANDLER_I32_EQ_SLOTS] = HANDLER_I32_EQ_LOOP_SLOTS,
    [HANDLER_I32_EQ_VALUE] = HANDLER_I32_EQ_LOOP_VALUE,
    [HANDLER_I32_EQ_VALUE + 1 ... HANDLER_I32_NE_SLOTS - 1] = MISSING,
    [HANDLER_I32_NE_SLOTS] = HANDLER_I32_NE_LOOP_SLOTS,
    [HANDLER_I32_NE_VALUE] = HANDLER_I32_NE_LOOP_VALUE,
    [HANDLER_I32_NE_VALUE + 1 ... HANDLER_I32_LT_S_SLOTS - 1] = MISSING,
    [HANDLER_I32_LT_S_SLOTS] = HANDLER_I32_LT_S_LOOP_SLOTS,
    [HANDLER_I32_LT_S_VALUE] = HANDLER_I32_LT_S_LOOP_VALUE,
    [HANDLER_I32_LT_S_VALUE + 1 ... HANDLER_I32_LT_U_SLOTS - 1] = MISSING,
    [HANDLER_I32_LT_U_SLOTS] = HANDLER_I32_LT_U_LOOP_SLOTS,
    [HANDLER_I32_LT_U_VALUE] = HANDLER_I32_LT_U_LOOP_VALUE,
    [HANDLER_I32_LT_U_VALUE + 1 ... HANDLER_I32_GT_S_SLOTS - 1] = MISSING,
    [HANDLER_I32_GT_S_SLOTS] = HANDLER_I32_GT_S_LOOP_SLOTS,
    [HANDLER_I32_GT_S_VALUE] = HANDLER_I32_GT_S_LOOP_VALUE,
    [HANDLER_I32_GT_S_VALUE + 1 ... HANDLER_I32_GT_U_SLOTS - 1] = MISSING,
    [HANDLER_I32_GT_U_SLOTS] = HANDLER_I32_GT_U_LOOP_SLOTS,
    [HANDLER_I32_GT_U_VALUE] = HANDLER_I32_GT_U_LOOP_VALUE,
    [HANDLER_I32_GT_U_VALUE + 1 ... HANDLER_I32_LE_S_SLOTS - 1] = MISSING,
    [HANDLER_I32_LE_S_SLOTS] = HANDLER_I32_LE_S_LOOP_SLOTS,
    [HANDLER_I32_LE_S_VALUE] = HANDLER_I32_LE_S_LOOP_VALUE,
    [HANDLER_I32_LE_S_VALUE + 1 ... HANDLER_I32_LE_U_SLOTS - 1] = MISSING,
    [HANDLER_I32_LE_U_SLOTS] = HANDLER_I32_LE_U_LOOP_SLOTS,
    [HANDLER_I32_LE_U_VALUE] = HANDLER_I32_LE_U_LOOP_VALUE,
    [HANDLER_I32_LE_U_VALUE + 1 ... HANDLER_I32_GE_S_SLOTS - 1] = MISSING,
    [HANDLER_I32_GE_S_SLOTS] = HANDLER_I32_GE_S_LOOP_SLOTS,
    [HANDLER_I32_GE_S_VALUE] = HANDLER_I32_GE_S_LOOP_VALUE,
    [HANDLER_I32_GE_S_VALUE + 1 ... HANDLER_I32_GE_U_SLOTS - 1] = MISSING,
    [HANDLER_I32_GE_U_SLOTS] = HANDLER_I32_GE_U_LOOP_SLOTS,
    [HANDLER_I32_GE_U_VALUE] = HANDLER_I32_GE_U_LOOP_VALUE,
    [HANDLER_I32_GE_U_VALUE + 1 ... HANDLER_I64_EQ_SLOTS - 1] = MISSING,
    [HANDLER_I64_EQ_SLOTS] = HANDLER_I64_EQ_LOOP_SLOTS,
    [HANDLER_I64_EQ_VALUE] = HANDLER_I64_EQ_LOOP_VALUE,
    [HANDLER_I64_EQ_VALUE + 1 ... HANDLER_I64_NE_SLOTS - 1] = MISSING,
    [HANDLER_I64_NE_SLOTS] = HANDLER_I64_NE_LOOP_SLOTS,
    [HANDLER_I64_NE_VALUE] = HANDLER_I64_NE_LOOP_VALUE,
    [HANDLER_I64_NE_VALUE + 1 ... HANDLER_I64_LT_S_SLOTS - 1] = MISSING,
    [HANDLER_I64_LT_S_SLOTS] = HANDLER_I64_LT_S_LOOP_SLOTS,
    [HANDLER_I64_LT_S_VALUE] = HANDLER_I64_LT_S_LOOP_VALUE,
    [HANDLER_I64_LT_S_VALUE + 1 ... HANDLER_I64_LT_U_SLOTS - 1] = MISSING,
    [HANDLER_I64_LT_U_SLOTS] = HANDLER_I64_LT_U_LOOP_SLOTS,
    [HANDLER_I64_LT_U_VALUE] = HANDLER_I64_LT_U_LOOP_VALUE,
    [HANDLER_I64_LT_U_VALUE + 1 ... HANDLER_I64_GT_S_SLOTS - 1] = MISSING,
    [HANDLER_I64_GT_S_SLOTS] = HANDLER_I64_GT_S_LOOP_SLOTS,
    [HANDLER_I64_GT_S_VALUE] = HANDLER_I64_GT_S_LOOP_VALUE,
    [HANDLER_I64_GT_S_VALUE + 1 ... HANDLER_I64_GT_U_SLOTS - 1] = MISSING,
    [HANDLER_I64_GT_U_SLOTS] = HANDLER_I64_GT_U_LOOP_SLOTS,
    [HANDLER_I64_GT_U_VALUE] = HANDLER_I64_GT_U_LOOP_VALUE,
    [HANDLER_I64_GT_U_VALUE + 1 ... HANDLER_I64_LE_S_SLOTS - 1] = MISSING,
    [HANDLER_I64_LE_S_SLOTS] = HANDLER_I64_LE_S_LOOP_SLOTS,
    [HANDLER_I64_LE_S_VALUE] = HANDLER_I64_LE_S_LOOP_VALUE,
    [HANDLER_I64_LE_S_VALUE + 1 ... HANDLER_I64_LE_U_SLOTS - 1] = MISSING,
    [HANDLER_I64_LE_U_SLOTS] = HANDLER_I64_LE_U_LOOP_SLOTS,
    [HANDLER_I64_LE_U_VALUE] = HANDLER_I64_LE_U_LOOP_VALUE,
    [HANDLER_I64_LE_U_VALUE + 1 ... HANDLER_I64_GE_S_SLOTS - 1] = MISSING,
    [HANDLER_I64_GE_S_SLOTS] = HANDLER_I64_GE_S_LOOP_SLOTS,
    [HANDLER_I64_GE_S_VALUE] = HANDLER_I64_GE_S_LOOP_VALUE,
    [HANDLER_I64_GE_S_VALUE + 1 ... HANDLER_I64_GE_U_SLOTS - 1] = MISSING,
    [HANDLER_I64_GE_U_SLOTS] = HANDLER_I64_GE_U_LOOP_SLOTS,
    [HANDLER_I64_GE_U_VALUE] = HANDLER_I64_GE_U_LOOP_VALUE,
    [HANDLER_I64_GE_U_VALUE + 1 ... HANDLER_F32_EQ_SLOTS - 1] = MISSING,
    [HANDLER_F32_EQ_SLOTS] = HANDLER_F32_EQ_LOOP_SLOTS,
    [HANDLER_F32_EQ_VALUE] = HANDLER_F32_EQ_LOOP_VALUE,
    [HANDLER_F32_EQ_VALUE + 1 ... HANDLER_F32_NE_SLOTS - 1] = MISSING,
    [HANDLER_F32_NE_SLOTS] = HANDLER_F32_NE_LOOP_SLOTS,
    [HANDLER_F32_NE_VALUE] = HANDLER_F32_NE_LOOP_VALUE,
    [HANDLER_F32_NE_VALUE + 1 ... HANDLER_F32_LT_SLOTS - 1] = MISSING,
    [HANDLER_F32_LT_SLOTS] = HANDLER_F32_LT_LOOP_SLOTS,
    [HANDLER_F32_LT_VALUE] = HANDLER_F32_LT_LOOP_VALUE,
    [HANDLER_F32_LT_VALUE + 1 ... HANDLER_F32_GT_SLOTS - 1] = MISSING,
    [HANDLER_F32_GT_SLOTS] = HANDLER_F32_GT_LOOP_SLOTS,
    [HANDLER_F32_GT_VALUE] = HANDLER_F32_GT_LOOP_VALUE,
    [HANDLER_F32_GT_VALUE + 1 ... HANDLER_F32_LE_SLOTS - 1] = MISSING,
    [HANDLER_F32_LE_SLOTS] = HANDLER_F32_LE_LOOP_SLOTS,
    [HANDLER_F32_LE_VALUE] = HANDLER_F32_LE_LOOP_VALUE,
    [HANDLER_F32_LE_VALUE + 1 ... HANDLER_F32_GE_SLOTS - 1] = MISSING,
    [HANDLER_F32_GE_SLOTS] = HANDLER_F32_GE_LOOP_SLOTS,
    [HANDLER_F32_GE_VALUE] = HANDLER_F32_GE_LOOP_VALUE,
    [HANDLER_F32_GE_VALUE + 1 ... HANDLER_F64_EQ_SLOTS - 1] = MISSING,
    [HANDLER_F64_EQ_SLOTS] = HANDLER_F64_EQ_LOOP_SLOTS,
    [HANDLER_F64_EQ_VALUE] = HANDLER_F64_EQ_LOOP_VALUE,
    [HANDLER_F64_EQ_VALUE + 1 ... HANDLER_F64_NE_SLOTS - 1] = MISSING,
    [HANDLER_F64_NE_SLOTS] = HANDLER_F64_NE_LOOP_SLOTS,
    [HANDLER_F64_NE_VALUE] = HANDLER_F64_NE_LOOP_VALUE,
    [HANDLER_F64_NE_VALUE + 1 ... HANDLER_F64_LT_SLOTS - 1] = MISSING,
    [HANDLER_F64_LT_SLOTS] = HANDLER_F64_LT_LOOP_SLOTS,
    [HANDLER_F64_LT_VALUE] = HANDLER_F64_LT_LOOP_VALUE,
    [HANDLER_F64_LT_VALUE + 1 ... HANDLER_F64_GT_SLOTS - 1] = MISSING,
    [HANDLER_F64_GT_SLOTS] = HANDLER_F64_GT_LOOP_SLOTS,
    [HANDLER_F64_GT_VALUE] = HANDLER_F64_GT_LOOP_VALUE,
    [HANDLER_F64_GT_VALUE + 1 ... HANDLER_F64_LE_SLOTS - 1] = MISSING,
    [HANDLER_F64_LE_SLOTS] = HANDLER_F64_LE_LOOP_SLOTS,
    [HANDLER_F64_LE_VALUE] = HANDLER_F64_LE_LOOP_VALUE,
    [HANDLER_F64_LE_VALUE + 1 ... HANDLER_F64_GE_SLOTS - 1] = MISSING,
    [HANDLER_F64_GE_SLOTS] = HANDLER_F64_GE_LOOP_SLOTS,
    [HANDLER_F64_GE_VALUE] = HANDLER_F64_GE_LOOP_VALUE,
    [HANDLER_F64_GE_VALUE + 1 ... 752] = MISSING,
};
__extension__ static const uint16_t STEP_SLOTS_OF[753] = {
    [0 ... HANDLER_I32_EQ_SLOTS - 1] = MISSING,
    [HANDLER_I32_EQ_SLOTS] = HANDLER_I32_ADD_EQ_STEP_SLOTS,
    [HANDLER_I32_EQ_SLOTS + 1 ... HANDLER_I32_NE_SLOTS - 1] = MISSING,
    [HANDLER_I32_NE_SLOTS] = HANDLER_I32_ADD_NE_STEP_SLOTS,
    [HANDLER_I32_NE_SLOTS + 1 ... HANDLER_I32_LT_S_SLOTS - 1] = MISSING,
    [HANDLER_I32_LT_S_SLOTS] = HANDLER_I32_ADD_LT_S_STEP_SLOTS,
    [HANDLER_I32_LT_S_SLOTS + 1 ... HANDLER_I32_LT_U_SLOTS - 1] = MISSING,
    [HANDLER_I32_LT_U_SLOTS] = HANDLER_I32_ADD_LT_U_STEP_SLOTS,
    [HANDLER_I32_LT_U_SLOTS + 1 ... HANDLER_I32_GT_S_SLOTS - 1] = MISSING,
    [HANDLER_I32_GT_S_SLOTS] = HANDLER_I32_ADD_GT_S_STEP_SLOTS,
    [HANDLER_I32_GT_S_SLOTS + 1 ... HANDLER_I32_GT_U_SLOTS - 1] = MISSING,
    [HANDLER_I32_GT_U_SLOTS] = HANDLER_I32_ADD_GT_U_STEP_SLOTS,
    [HANDLER_I32_GT_U_SLOTS + 1 ... HANDLER_I32_LE_S_SLOTS - 1] = MISSING,
    [HANDLER_I32_LE_S_SLOTS] = HANDLER_I32_ADD_LE_S_STEP_SLOTS,
    [HANDLER_I32_LE_S_SLOTS + 1 ... HANDLER_I32_LE_U_SLOTS - 1] = MISSING,
    [HANDLER_I32_LE_U_SLOTS] = HANDLER_I32_ADD_LE_U_STEP_SLOTS,
    [HANDLER_I32_LE_U_SLOTS + 1 ... HANDLER_I32_GE_S_SLOTS - 1] = MISSING,
    [HANDLER_I32_GE_S_SLOTS] = HANDLER_I32_ADD_GE_S_STEP_SLOTS,
    [HANDLER_I32_GE_S_SLOTS + 1 ... HANDLER_I32_GE_U_SLOTS - 1] = MISSING,
    [HANDLER_I32_GE_U_SLOTS] = HANDLER_I32_ADD_GE_U_STEP_SLOTS,
    [HANDLER_I32_GE_U_SLOTS + 1 ... 752] = MISSING,
};
__extension__ static const uint16_t STEP_VALUE_OF[753] = {
    [0 ... HANDLER_I32_EQ_SLOTS - 1] = MISSING,
    [HANDLER_I32_EQ_SLOTS] = HANDLER_I32_ADD_EQ_STEP_VALUE,
    [HANDLER_I32_EQ_SLOTS + 1 ... HANDLER_I32_NE_SLOTS - 1] = MISSING,
    [HANDLER_I32_NE_SLOTS] = HANDLER_I32_ADD_NE_STEP_VALUE,
    [HANDLER_I32_NE_SLOTS + 1 ... HANDLER_I32_LT_S_SLOTS - 1] = MISSING,
    [HANDLER_I32_LT_S_SLOTS] = HANDLER_I32_ADD_LT_S_STEP_VALUE,
    [HANDLER_I32_LT_S_SLOTS + 1 ... HANDLER_I32_LT_U_SLOTS - 1] = MISSING,
    [HANDLER_I32_LT_U_SLOTS] = HANDLER_I32_ADD_LT_U_STEP_VALUE,
    [HANDLER_I32_LT_U_SLOTS + 1 ... HANDLER_I32_GT_S_SLOTS - 1] = MISSING,
    [HANDLER_I32_GT_S_SLOTS] = HANDLER_I32_ADD_GT_S_STEP_VALUE,
    [HANDLER_I32_GT_S_SLOTS + 1 ... HANDLER_I32_GT_U_SLOTS - 1] = MISSING,
    [HANDLER_I32_GT_U_SLOTS] = HANDLER_I32_ADD_GT_U_STEP_VALUE,
    [HANDLER_I32_GT_U_SLOTS + 1 ... HANDLER_I32_LE_S_SLOTS - 1] = MISSING,
    [HANDLER_I32_LE_S_SLOTS] = HANDLER_I32_ADD_LE_S_STEP_VALUE,
    [HANDLER_I32_LE_S_SLOTS + 1 ... HANDLER_I32_LE_U_SLOTS - 1] = MISSING,
    [HANDLER_I32_LE_U_SLOTS] = HANDLER_I32_ADD_LE_U_STEP_VALUE,
    [HANDLER_I32_LE_U_SLOTS + 1 ... HANDLER_I32_GE_S_SLOTS - 1] = MISSING,
    [HANDLER_I32_GE_S_SLOTS] = HANDLER_I32_ADD_GE_S_STEP_VALUE,
    [HANDLER_I32_GE_S_SLOTS + 1 ... HANDLER_I32_GE_U_SLOTS - 1] = MISSING,
    [HANDLER_I32_GE_U_SLOTS] = HANDLER_I32_ADD_GE_U_STEP_VALUE,
    [HANDLER_I32_GE_U_SLOTS + 1 ... 752] = MISSING,
};
__extension__ static const uint16_t STEP_VALUES_OF[753] = {
    [0 ... HANDLER_I32_EQ_VALUE - 1] = MISSING,
    [HANDLER_I32_EQ_VALUE] = HANDLER_I32_ADD_EQ_STEP_VALUES,
    [HANDLER_I32_EQ_VALUE + 1 ... HANDLER_I32_NE_VALUE - 1] = MISSING,
    [HANDLER_I32_NE_VALUE] = HANDLER_I32_ADD_NE_STEP_VALUES,
    [HANDLER_I32_NE_VALUE + 1 ... HANDLER_I32_LT_S_VALUE - 1] = MISSING,
    [HANDLER_I32_LT_S_VALUE] = HANDLER_I32_ADD_LT_S_STEP_VALUES,
    [HANDLER_I32_LT_S_VALUE + 1 ... HANDLER_I32_LT_U_VALUE - 1] = MISSING,
    [HANDLER_I32_LT_U_VALUE] = HANDLER_I32_ADD_LT_U_STEP_VALUES,
    [HANDLER_I32_LT_U_VALUE + 1 ... HANDLER_I32_GT_S_VALUE - 1] = MISSING,
    [HANDLER_I32_GT_S_VALUE] = HANDLER_I32_ADD_GT_S_STEP_VALUES,
    [HANDLER_I32_GT_S_VALUE + 1 ... HANDLER_I32_GT_U_VALUE - 1] = MISSING,
    [HANDLER_I32_GT_U_VALUE] = HANDLER_I32_ADD_GT_U_STEP_VALUES,
    [HANDLER_I32_GT_U_VALUE + 1 ... HANDLER_I32_LE_S_VALUE - 1] = MISSING,
    [HANDLER_I32_LE_S_VALUE] = HANDLER_I32_ADD_LE_S_STEP_VALUES,
    [HANDLER_I32_LE_S_VALUE + 1 ... HANDLER_I32_LE_U_VALUE - 1] = MISSING,
    [HANDLER_I32_LE_U_VALUE] = HANDLER_I32_ADD_LE_U_STEP_VALUES,
    [HANDLER_I32_LE_U_VALUE + 1 ... HANDLER_I32_GE_S_VALUE - 1] = MISSING,
    [HANDLER_I32_GE_S_VALUE] = HANDLER_I32_ADD_GE_S_STEP_VALUES,
    [HANDLER_I32_GE_S_VALUE + 1 ... HANDLER_I32_GE_U_VALUE - 1] = MISSING,
    [HANDLER_I32_GE_U_VALUE] = HANDLER_I32_ADD_GE_U_STEP_VALUES,
    [HANDLER_I32_GE_U_VALUE + 1 ... 752] = MISSING,
};
__extension__ static const uint16_t EXCHANGED_OF[753] = {
    [0 ... HANDLER_I32_EQ_SLOTS - 1] = MISSING,
    [HANDLER_I32_EQ_SLOTS] = HANDLER_I32_EQ_SLOTS,
    [HANDLER_I32_EQ_SLOTS + 1 ... HANDLER_I32_NE_SLOTS - 1] = MISSING,
    [HANDLER_I32_NE_SLOTS] = HANDLER_I32_NE_SLOTS,
    [HANDLER_I32_NE_SLOTS + 1 ... HANDLER_I32_LT_S_SLOTS - 1] = MISSING,
    [HANDLER_I32_LT_S_SLOTS] = HANDLER_I32_GT_S_SLOTS,
    [HANDLER_I32_LT_S_SLOTS + 1 ... HANDLER_I32_LT_U_SLOTS - 1] = MISSING,
    [HANDLER_I32_LT_U_SLOTS] = HANDLER_I32_GT_U_SLOTS,
    [HANDLER_I32_LT_U_SLOTS + 1 ... HANDLER_I32_GT_S_SLOTS - 1] = MISSING,
    [HANDLER_I32_GT_S_SLOTS] = HANDLER_I32_LT_S_SLOTS,
    [HANDLER_I32_GT_S_SLOTS + 1 ... HANDLER_I32_GT_U_SLOTS - 1] = MISSING,
    [HANDLER_I32_GT_U_SLOTS] = HANDLER_I32_LT_U_SLOTS,
    [HANDLER_I32_GT_U_SLOTS + 1 ... HANDLER_I32_LE_S_SLOTS - 1] = MISSING,
    [HANDLER_I32_LE_S_SLOTS] = HANDLER_I32_GE_S_SLOTS,
    [HANDLER_I32_LE_S_SLOTS + 1 ... HANDLER_I32_LE_U_SLOTS - 1] = MISSING,
    [HANDLER_I32_LE_U_SLOTS] = HANDLER_I32_GE_U_SLOTS,
    [HANDLER_I32_LE_U_SLOTS + 1 ... HANDLER_I32_GE_S_SLOTS - 1] = MISSING,
    [HANDLER_I32_GE_S_SLOTS] = HANDLER_I32_LE_S_SLOTS,
    [HANDLER_I32_GE_S_SLOTS + 1 ... HANDLER_I32_GE_U_SLOTS - 1] = MISSING,
    [HANDLER_I32_GE_U_SLOTS] = HANDLER_I32_LE_U_SLOTS,
    [HANDLER_I32_GE_U_SLOTS + 1 ... HANDLER_I64_EQ_SLOTS - 1] = MISSING,
    [HANDLER_I64_EQ_SLOTS] = HANDLER_I64_EQ_SLOTS,
    [HANDLER_I64_EQ_SLOTS + 1 ... HANDLER_I64_NE_SLOTS - 1] = MISSING,
    [HANDLER_I64_NE_SLOTS] = HANDLER_I64_NE_SLOTS,
    [HANDLER_I64_NE_SLOTS + 1 ... HANDLER_I64_LT_S_SLOTS - 1] = MISSING,
    [HANDLER_I64_LT_S_SLOTS] = HANDLER_I64_GT_S_SLOTS,
    [HANDLER_I64_LT_S_SLOTS + 1 ... HANDLER_I64_LT_U_SLOTS - 1] = MISSING,
    [HANDLER_I64_LT_U_SLOTS] = HANDLER_I64_GT_U_SLOTS,
    [HANDLER_I64_LT_U_SLOTS + 1 ... HANDLER_I64_GT_S_SLOTS - 1] = MISSING,
    [HANDLER_I64_GT_S_SLOTS] = HANDLER_I64_LT_S_SLOTS,
    [HANDLER_I64_GT_S_SLOTS + 1 ... HANDLER_I64_GT_U_SLOTS - 1] = MISSING,
    [HANDLER_I64_GT_U_SLOTS] = HANDLER_I64_LT_U_SLOTS,
    [HANDLER_I64_GT_U_SLOTS + 1 ... HANDLER_I64_LE_S_SLOTS - 1] = MISSING,
    [HANDLER_I64_LE_S_SLOTS] = HANDLER_I64_GE_S_SLOTS,
    [HANDLER_I64_LE_S_SLOTS + 1 ... HANDLER_I64_LE_U_SLOTS - 1] = MISSING,
    [HANDLER_I64_LE_U_SLOTS] = HANDLER_I64_GE_U_SLOTS,
    [HANDLER_I64_LE_U_SLOTS + 1 ... HANDLER_I64_GE_S_SLOTS - 1] = MISSING,
    [HANDLER_I64_GE_S_SLOTS] = HANDLER_I64_LE_S_SLOTS,
    [HANDLER_I64_GE_S_SLOTS + 1 ... HANDLER_I64_GE_U_SLOTS - 1] = MISSING,
    [HANDLER_I64_GE_U_SLOTS] = HANDLER_I64_LE_U_SLOTS,
    [HANDLER_I64_GE_U_SLOTS + 1 ... HANDLER_F32_EQ_SLOTS - 1] = MISSING,
    [HANDLER_F32_EQ_SLOTS] = HANDLER_F32_EQ_SLOTS,
    [HANDLER_F32_EQ_SLOTS + 1 ... HANDLER_F32_NE_SLOTS - 1] = MISSING,
    [HANDLER_F32_NE_SLOTS] = HANDLER_F32_NE_SLOTS,
    [HANDLER_F32_NE_SLOTS + 1 ... HANDLER_F64_EQ_SLOTS - 1] = MISSING,
    [HANDLER_F64_EQ_SLOTS] = HANDLER_F64_EQ_SLOTS,
    [HANDLER_F64_EQ_SLOTS + 1 ... HANDLER_F64_NE_SLOTS - 1] = MISSING,
    [HANDLER_F64_NE_SLOTS] = HANDLER_F64_NE_SLOTS,
    [HANDLER_F64_NE_SLOTS + 1 ... 752] = MISSING,
};

/* Which bytecode does a branch compile to, and how does it take operands along? */

/* Take the topmost operand as a condition.

   The condition is the comparison that made the operand, taken back from the code, or whether the operand is not 0.

   Ensures: in_room. */
void branching_take_condition(struct module *m, struct translation *t)
{
    REQUIRES(room_in_room(t));
    bool popped = operands_pop(m, t, 1);
    if (!popped) {
        return;
    }
    uint32_t height = t->height;
    uint32_t last = operands_maker(t, height);
    if (last != NONE && operands_in_own_slot(t, height)) {
        uint16_t handler = (uint16_t)emission_word_at(t, last);
        if (handler < HANDLERS) {
            if (IF_OF[handler] != MISSING) {
                t->condition = handler;
                t->first = emission_word_at(t, last);
                t->value = merging_has_value(t, last) ? emission_word_at(t, last + 1) : 0;
                emission_take_back(t, last);
                t->last = NONE;
                return;
            }
        }
    }
    uint32_t a = spilling_slot(m, t, height);
    t->condition = HANDLER_I32_NE_VALUE;
    t->first = (uint64_t)(uint16_t)a << BYTECODE_WORD_A_SHIFT;
    t->value = 0;
    t->last = NONE;
}

/* Emit a branch on the condition that was taken, and return the chain that now ends with it.

   `pending` is the chain of branches that it joins, or a displacement from the word before the returned position.

   Ensures: in_room. */
uint32_t branching_jump(struct module *m, struct translation *t, uint16_t branch_handler, uint32_t pending)
{
    REQUIRES(room_in_room(t));
    if (branch_handler >= HANDLERS) {
        return pending;
    }
    bool values = HAS_VALUE[t->condition] != 0;
    uint32_t at = t->at;
    if (values) {
        emission_far_operation(m, t, branch_handler, (uint16_t)(t->first >> BYTECODE_WORD_A_SHIFT), pending);
        emission_emit(m, t, t->value);
        return at + 1;
    }
    emission_operation(m, t, branch_handler, (uint16_t)(t->first >> BYTECODE_WORD_A_SHIFT),
                       (uint16_t)(t->first >> BYTECODE_WORD_B_SHIFT), 0);
    emission_emit(m, t, (uint64_t)pending << PAIR_HIGH_SHIFT);
    return at + 2;
}

/* Return how many operands a branch to a block takes along. */
uint32_t branching_expected(const struct target *target)
{
    return target->opcode == OPCODE_LOOP ? target->parameters : target->results;
}

/* Are the operands that a branch takes along not where the target expects them? */
bool branching_must_move(struct module *m, const struct translation *t, const struct target *target)
{
    REQUIRES(room_in_room(t));
    uint32_t count = branching_expected(target);
    if (count == 0) {
        return false;
    }
    reader_spend(m, count);
    if (t->height < count || t->height - count != target->height) {
        return true;
    }
    uint32_t height = target->height;
    while (height < t->height) {
        if (!operands_in_own_slot(t, height)) {
            return true;
        }
        height++;
    }
    return false;
}

/* Record a branch from here as the latest branch to the end of a block. */
void branching_lead_to_end(const struct translation *t, struct target *target, uint32_t last)
{
    target->pending = last;
    target->straight = maximum(target->straight, t->straight);
}

/* Does a label stand for the function itself? */
bool branching_is_outermost(const struct translation *t, uint64_t label)
{
    return label >= saturating_sub(t->depth, 1);
}

/* Move the operands that the target expects, and branch to it. What is known of the operands stays the same.

   Ensures: in_room. */
void branching_branch(struct module *m, struct translation *t, uint64_t label)
{
    REQUIRES(room_in_block(t));
    if (branching_is_outermost(t, label)) {
        branching_return_(m, t);
        return;
    }
    struct target *target = &t->targets.at[(uint64_t)(t->depth - 1) - label];
    uint32_t count = branching_expected(target);
    if (count > t->height) {
        reader_refuse(m, REFUSAL_TYPE_MISMATCH, m->at);
        return;
    }
    uint32_t source = t->height - count;
    reader_spend(m, count);
    uint32_t left = count;
    uint32_t goal = target->height;
    while (left > 0 && !reader_refused(m)) {
        left--;
        spilling_place_in(m, t, source, operands_own_slot(t, goal));
        source++;
        goal++;
    }
    uint32_t at = t->at;
    if (target->opcode == OPCODE_LOOP) {
        branching_loop(m, t, target->start);
    } else {
        emission_far_operation(m, t, HANDLER_BR, 0, target->pending);
        branching_lead_to_end(t, target, at + 1);
    }
}

/* Emit a branch back, fused with a copy or a sum just before.

   Ensures: in_room. */
void branching_loop(struct module *m, struct translation *t, uint32_t start)
{
    REQUIRES(room_in_room(t));
    bool copied = emission_is_latest(t, t->copied, 1);
    bool added = emission_is_latest(t, t->step, 2) && (uint16_t)emission_word_at(t, t->step) == ADD_VALUE;
    uint32_t at = copied ? t->copied : (added ? t->step : t->at);
    uint64_t first = 0;
    uint32_t addend = added && !copied ? (uint32_t)emission_word_at(t, at + 1) : 0;
    if (copied || added) {
        first = emission_word_at(t, at);
        emission_take_back(t, at);
    }
    emission_mark(t, SAFE_POINT);
    if (copied || added) {
        handler_t fused = copied ? HANDLER_COPY_LOOP : HANDLER_I32_ADD_BACK_VALUE;
        emission_operation(m, t, fused, (uint16_t)(first >> BYTECODE_WORD_A_SHIFT), 0,
                           (uint16_t)(first >> BYTECODE_WORD_C_SHIFT));
        emission_emit(m, t, (uint64_t)addend | ((uint64_t)(start - (at + 1)) << PAIR_HIGH_SHIFT));
    } else {
        emission_far_operation(m, t, HANDLER_LOOP, 0, start - at);
    }
}

/* Emit a branch on a condition. If operands must move first, branch around the moves on the opposite condition.

   Ensures: in_room. */
void branching_branch_if(struct module *m, struct translation *t, uint64_t label)
{
    REQUIRES(room_in_block(t));
    branching_take_condition(m, t);
    if (label >= t->depth) {
        reader_refuse(m, REFUSAL_UNKNOWN_LABEL, m->at);
        return;
    }
    struct target *target = &t->targets.at[(uint64_t)(t->depth - 1) - label];
    bool moves = branching_must_move(m, t, target);
    if (branching_is_outermost(t, label) || moves) {
        uint32_t around = branching_jump(m, t, UNLESS_OF[t->condition], 0);
        branching_branch(m, t, label);
        emission_resolve(m, t, around, t->at);
    } else if (target->opcode == OPCODE_LOOP) {
        bool stepped = branching_step_back(m, t, target->start);
        if (!stepped) {
            emission_mark(t, SAFE_POINT);
            uint32_t word = HAS_VALUE[t->condition] != 0 ? t->at : t->at + 1;
            branching_back(m, t, target->start - word);
        }
    } else {
        uint32_t last = branching_jump(m, t, IF_OF[t->condition], target->pending);
        branching_lead_to_end(t, target, last);
    }
    t->last = NONE;
}

/* Emit a branch back on the condition that was taken.

   Ensures: in_room. */
void branching_back(struct module *m, struct translation *t, uint32_t displacement)
{
    REQUIRES(room_in_room(t));
    uint32_t word = branching_jump(m, t, LOOP_OF[t->condition], displacement);
    if (word == 0) {
        reader_refuse(m, REFUSAL_TOO_LARGE, m->at);
    }
}

/* Fuse a branch back on the condition that was taken with the sum that is its operand.

   Return False where they do not go together.

   Ensures: in_room. */
bool branching_step_back(struct module *m, struct translation *t, uint32_t start)
{
    REQUIRES(room_in_room(t));
    uint32_t at = t->step;
    if (at >= t->at) {
        return false;
    }
    uint64_t sum_ = emission_word_at(t, at);
    uint16_t handler = (uint16_t)sum_;
    uint16_t stepped = (uint16_t)(sum_ >> BYTECODE_WORD_C_SHIFT);
    uint16_t a = (uint16_t)(t->first >> BYTECODE_WORD_A_SHIFT);
    uint16_t b = (uint16_t)(t->first >> BYTECODE_WORD_B_SHIFT);
    if (!emission_is_latest(t, at, handler == ADD_VALUE ? 2 : 1) || (handler != ADD_VALUE && handler != ADD_SLOTS)) {
        return false;
    }
    if (HAS_VALUE[t->condition] != 0) {
        if (handler != ADD_VALUE || a != stepped) {
            return false;
        }
        return branching_step_on_value(m, t, at, start);
    }
    uint16_t number = a == stepped ? (uint16_t)t->condition : EXCHANGED_OF[t->condition];
    if (a == b || (a != stepped && b != stepped) || number >= HANDLERS) {
        return false;
    }
    return branching_step_on_slot(m, t, at, number, a == stepped ? b : a, start);
}

/* Fuse a loop's step by a constant with a comparison with another constant.

   Ensures: in_room. */
bool branching_step_on_value(struct module *m, struct translation *t, uint32_t at, uint32_t start)
{
    REQUIRES(emission_is_latest(t, at, 2));
    REQUIRES(room_in_room(t));
    uint64_t sum_ = emission_word_at(t, at);
    uint64_t by = emission_word_at(t, at + 1);
    uint16_t number = STEP_VALUES_OF[t->condition];
    if (number >= HANDLERS || (uint16_t)(sum_ >> BYTECODE_WORD_A_SHIFT) != (uint16_t)(sum_ >> BYTECODE_WORD_C_SHIFT)) {
        return false;
    }
    emission_take_back(t, at);
    emission_mark(t, SAFE_POINT);
    emission_far_operation(m, t, number, (uint16_t)(sum_ >> BYTECODE_WORD_A_SHIFT), start - at);
    emission_emit(m, t, (uint64_t)(uint32_t)by | ((uint64_t)(uint32_t)t->value << PAIR_HIGH_SHIFT));
    return true;
}

/* Fuse a loop's step with a comparison of its result with a slot.

   Ensures: in_room. */
bool branching_step_on_slot(struct module *m, struct translation *t, uint32_t at, handler_t condition, uint32_t limit,
                            uint32_t start)
{
    REQUIRES(at < t->at);
    REQUIRES(room_in_room(t));
    uint64_t sum_ = emission_word_at(t, at);
    bool constant = (uint16_t)sum_ == ADD_VALUE && emission_is_latest(t, at, 2);
    uint64_t by = constant ? emission_word_at(t, at + 1) : 0;
    uint16_t a = (uint16_t)(sum_ >> BYTECODE_WORD_A_SHIFT);
    uint16_t b = (uint16_t)(sum_ >> BYTECODE_WORD_B_SHIFT);
    uint16_t c = (uint16_t)(sum_ >> BYTECODE_WORD_C_SHIFT);
    uint16_t number = constant ? STEP_VALUE_OF[condition] : STEP_SLOTS_OF[condition];
    if (number >= HANDLERS || (!constant && a != c && b != c)) {
        return false;
    }
    emission_take_back(t, at);
    emission_mark(t, SAFE_POINT);
    if (constant) {
        emission_operation(m, t, number, a, limit, c);
    } else {
        emission_operation(m, t, number, c, a == c ? b : a, limit);
    }
    emission_emit(m, t, (uint64_t)(uint32_t)by | ((uint64_t)(start - (at + 1)) << PAIR_HIGH_SHIFT));
    return true;
}

/* Emit a branch to one of many labels, perhaps fused with the load of the byte that selects it.

   There is a word for each label. After the words comes the code for labels that need more than a branch.

   Ensures: in_room. */
void branching_branch_table(struct module *m, struct translation *t, const struct decoded *d)
{
    REQUIRES(room_in_block(t));
    bool popped = operands_pop(m, t, 1);
    if (!popped) {
        return;
    }
    if (d->value >= t->depth) {
        reader_refuse(m, REFUSAL_UNKNOWN_LABEL, d->at);
        return;
    }
    uint32_t top = t->height;
    uint32_t loaded = operands_in_own_slot(t, top) ? operands_maker(t, top) : NONE;
    uint64_t load_ = loaded != NONE ? emission_word_at(t, loaded) : 0;
    bool with_sum = (uint16_t)load_ == LOAD_BYTE_SUM && loaded < t->at && t->at - loaded > 1;
    uint32_t sum_ = with_sum ? (uint32_t)emission_word_at(t, loaded + 1) : 0;
    bool with_load = (uint16_t)load_ == LOAD_BYTE || with_sum;
    uint32_t index = (uint16_t)(load_ >> BYTECODE_WORD_A_SHIFT);
    if (with_load) {
        emission_take_back(t, loaded);
    } else {
        index = spilling_slot(m, t, top);
    }
    spilling_spill_from(m, t, saturating_sub(t->height, branching_table_results(t, d)));
    emission_mark(t, SAFE_POINT);
    emission_far_operation(m, t, with_load ? HANDLER_BR_TABLE_LOAD : HANDLER_BR_TABLE, index, d->vector.count);
    if (with_load) {
        emission_emit(m, t,
                      (uint64_t)sum_ |
                      ((uint64_t)(uint32_t)(uint16_t)(load_ >> BYTECODE_WORD_B_SHIFT) << PAIR_HIGH_SHIFT));
    }
    uint32_t first = t->at;
    uint64_t left = (uint64_t)d->vector.count + 1;
    while (left > 0 && !reader_refused(m)) {
        left--;
        emission_emit(m, t, 0);
    }
    uint32_t after = m->at;
    m->at = d->vector.at;
    uint32_t word = first;
    left = d->vector.count;
    while (left > 0 && !reader_refused(m)) {
        left--;
        uint32_t label = reader_unsigned_32(m);
        branching_branch_from_table(m, t, label, word);
        word++;
    }
    if (!reader_refused(m)) {
        m->at = after;
    }
    branching_branch_from_table(m, t, d->value, word);
    t->reachable = false;
}

/* Return how many operands the branches of a table take along. */
uint32_t branching_table_results(const struct translation *t, const struct decoded *d)
{
    REQUIRES(room_in_block(t));
    REQUIRES(d->value < t->depth);
    return branching_expected(&t->targets.at[(uint64_t)(t->depth - 1) - d->value]);
}

/* Fill in one word of a branch table.

   Ensures: in_room. */
void branching_branch_from_table(struct module *m, struct translation *t, uint64_t label, uint32_t word)
{
    REQUIRES(room_in_block(t));
    if (label >= t->depth) {
        reader_refuse(m, REFUSAL_UNKNOWN_LABEL, m->at);
        return;
    }
    if (word >= t->at) {
        reader_refuse(m, REFUSAL_TOO_LARGE, m->at);
        return;
    }
    struct target *target = &t->targets.at[(uint64_t)(t->depth - 1) - label];
    bool moves = branching_must_move(m, t, target);
    if (branching_is_outermost(t, label) || moves) {
        emission_set_far(t, word, t->at - word);
        branching_branch(m, t, label);
    } else if (target->opcode == OPCODE_LOOP) {
        emission_set_far(t, word, target->start - word);
    } else {
        emission_set_far(t, word, target->pending);
        branching_lead_to_end(t, target, word + 1);
    }
}

/* Emit a return with the results of the function. What is known of the operands stays the same.

   Ensures: in_room. */
void branching_return_(struct module *m, struct translation *t)
{
    REQUIRES(room_in_block(t));
    if (t->calls && t->straight > UNWINDING) {
        emission_poll(m, t);
    }
    uint32_t count = t->targets.at[0].results;
    if (count > t->height) {
        reader_refuse(m, REFUSAL_TYPE_MISMATCH, m->at);
        return;
    }
    uint32_t first = t->height - count;
    if (count == 0) {
        emission_operation(m, t, HANDLER_RETURN_NONE, 0, 0, 0);
    } else if (count == 1 && operands_is_local(t, first)) {
        emission_operation(m, t, HANDLER_RETURN_ONE, (uint32_t)operands_value_of(t, first), 0, 0);
    } else {
        spilling_gather(m, t, first);
        if (count == 1) {
            emission_operation(m, t, HANDLER_RETURN_ONE, operands_own_slot(t, first), 0, 0);
        } else {
            emission_operation(m, t, HANDLER_RETURN_MANY, operands_own_slot(t, first), count, 0);
        }
    }
    t->last = NONE;
}
