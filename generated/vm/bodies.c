/* Generated from model/wasm/bodies.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 43c211f9fe267758 */

#include "bodies.h"
#include "builtins.h"
#include "instructions.h"
#include "labels.h"
#include "operand_types.h"
#include "reader.h"
#include "room.h"

static const uint8_t FIRST_OPERAND[274] = {
    [OPCODE_I32_LOAD] = VALUE_TYPE_I32,
    [OPCODE_I64_LOAD] = VALUE_TYPE_I32,
    [OPCODE_F32_LOAD] = VALUE_TYPE_I32,
    [OPCODE_F64_LOAD] = VALUE_TYPE_I32,
    [OPCODE_I32_LOAD8_S] = VALUE_TYPE_I32,
    [OPCODE_I32_LOAD8_U] = VALUE_TYPE_I32,
    [OPCODE_I32_LOAD16_S] = VALUE_TYPE_I32,
    [OPCODE_I32_LOAD16_U] = VALUE_TYPE_I32,
    [OPCODE_I64_LOAD8_S] = VALUE_TYPE_I32,
    [OPCODE_I64_LOAD8_U] = VALUE_TYPE_I32,
    [OPCODE_I64_LOAD16_S] = VALUE_TYPE_I32,
    [OPCODE_I64_LOAD16_U] = VALUE_TYPE_I32,
    [OPCODE_I64_LOAD32_S] = VALUE_TYPE_I32,
    [OPCODE_I64_LOAD32_U] = VALUE_TYPE_I32,
    [OPCODE_I32_STORE] = VALUE_TYPE_I32,
    [OPCODE_I64_STORE] = VALUE_TYPE_I32,
    [OPCODE_F32_STORE] = VALUE_TYPE_I32,
    [OPCODE_F64_STORE] = VALUE_TYPE_I32,
    [OPCODE_I32_STORE8] = VALUE_TYPE_I32,
    [OPCODE_I32_STORE16] = VALUE_TYPE_I32,
    [OPCODE_I64_STORE8] = VALUE_TYPE_I32,
    [OPCODE_I64_STORE16] = VALUE_TYPE_I32,
    [OPCODE_I64_STORE32] = VALUE_TYPE_I32,
    [OPCODE_MEMORY_GROW] = VALUE_TYPE_I32,
    [OPCODE_I32_EQZ] = VALUE_TYPE_I32,
    [OPCODE_I32_EQ] = VALUE_TYPE_I32,
    [OPCODE_I32_NE] = VALUE_TYPE_I32,
    [OPCODE_I32_LT_S] = VALUE_TYPE_I32,
    [OPCODE_I32_LT_U] = VALUE_TYPE_I32,
    [OPCODE_I32_GT_S] = VALUE_TYPE_I32,
    [OPCODE_I32_GT_U] = VALUE_TYPE_I32,
    [OPCODE_I32_LE_S] = VALUE_TYPE_I32,
    [OPCODE_I32_LE_U] = VALUE_TYPE_I32,
    [OPCODE_I32_GE_S] = VALUE_TYPE_I32,
    [OPCODE_I32_GE_U] = VALUE_TYPE_I32,
    [OPCODE_I64_EQZ] = VALUE_TYPE_I64,
    [OPCODE_I64_EQ] = VALUE_TYPE_I64,
    [OPCODE_I64_NE] = VALUE_TYPE_I64,
    [OPCODE_I64_LT_S] = VALUE_TYPE_I64,
    [OPCODE_I64_LT_U] = VALUE_TYPE_I64,
    [OPCODE_I64_GT_S] = VALUE_TYPE_I64,
    [OPCODE_I64_GT_U] = VALUE_TYPE_I64,
    [OPCODE_I64_LE_S] = VALUE_TYPE_I64,
    [OPCODE_I64_LE_U] = VALUE_TYPE_I64,
    [OPCODE_I64_GE_S] = VALUE_TYPE_I64,
    [OPCODE_I64_GE_U] = VALUE_TYPE_I64,
    [OPCODE_F32_EQ] = VALUE_TYPE_F32,
    [OPCODE_F32_NE] = VALUE_TYPE_F32,
    [OPCODE_F32_LT] = VALUE_TYPE_F32,
    [OPCODE_F32_GT] = VALUE_TYPE_F32,
    [OPCODE_F32_LE] = VALUE_TYPE_F32,
    [OPCODE_F32_GE] = VALUE_TYPE_F32,
    [OPCODE_F64_EQ] = VALUE_TYPE_F64,
    [OPCODE_F64_NE] = VALUE_TYPE_F64,
    [OPCODE_F64_LT] = VALUE_TYPE_F64,
    [OPCODE_F64_GT] = VALUE_TYPE_F64,
    [OPCODE_F64_LE] = VALUE_TYPE_F64,
    [OPCODE_F64_GE] = VALUE_TYPE_F64,
    [OPCODE_I32_CLZ] = VALUE_TYPE_I32,
    [OPCODE_I32_CTZ] = VALUE_TYPE_I32,
    [OPCODE_I32_POPCNT] = VALUE_TYPE_I32,
    [OPCODE_I32_ADD] = VALUE_TYPE_I32,
    [OPCODE_I32_SUB] = VALUE_TYPE_I32,
    [OPCODE_I32_MUL] = VALUE_TYPE_I32,
    [OPCODE_I32_DIV_S] = VALUE_TYPE_I32,
    [OPCODE_I32_DIV_U] = VALUE_TYPE_I32,
    [OPCODE_I32_REM_S] = VALUE_TYPE_I32,
    [OPCODE_I32_REM_U] = VALUE_TYPE_I32,
    [OPCODE_I32_AND] = VALUE_TYPE_I32,
    [OPCODE_I32_OR] = VALUE_TYPE_I32,
    [OPCODE_I32_XOR] = VALUE_TYPE_I32,
    [OPCODE_I32_SHL] = VALUE_TYPE_I32,
    [OPCODE_I32_SHR_S] = VALUE_TYPE_I32,
    [OPCODE_I32_SHR_U] = VALUE_TYPE_I32,
    [OPCODE_I32_ROTL] = VALUE_TYPE_I32,
    [OPCODE_I32_ROTR] = VALUE_TYPE_I32,
    [OPCODE_I64_CLZ] = VALUE_TYPE_I64,
    [OPCODE_I64_CTZ] = VALUE_TYPE_I64,
    [OPCODE_I64_POPCNT] = VALUE_TYPE_I64,
    [OPCODE_I64_ADD] = VALUE_TYPE_I64,
    [OPCODE_I64_SUB] = VALUE_TYPE_I64,
    [OPCODE_I64_MUL] = VALUE_TYPE_I64,
    [OPCODE_I64_DIV_S] = VALUE_TYPE_I64,
    [OPCODE_I64_DIV_U] = VALUE_TYPE_I64,
    [OPCODE_I64_REM_S] = VALUE_TYPE_I64,
    [OPCODE_I64_REM_U] = VALUE_TYPE_I64,
    [OPCODE_I64_AND] = VALUE_TYPE_I64,
    [OPCODE_I64_OR] = VALUE_TYPE_I64,
    [OPCODE_I64_XOR] = VALUE_TYPE_I64,
    [OPCODE_I64_SHL] = VALUE_TYPE_I64,
    [OPCODE_I64_SHR_S] = VALUE_TYPE_I64,
    [OPCODE_I64_SHR_U] = VALUE_TYPE_I64,
    [OPCODE_I64_ROTL] = VALUE_TYPE_I64,
    [OPCODE_I64_ROTR] = VALUE_TYPE_I64,
    [OPCODE_F32_ABS] = VALUE_TYPE_F32,
    [OPCODE_F32_NEG] = VALUE_TYPE_F32,
    [OPCODE_F32_CEIL] = VALUE_TYPE_F32,
    [OPCODE_F32_FLOOR] = VALUE_TYPE_F32,
    [OPCODE_F32_TRUNC] = VALUE_TYPE_F32,
    [OPCODE_F32_NEAREST] = VALUE_TYPE_F32,
    [OPCODE_F32_SQRT] = VALUE_TYPE_F32,
    [OPCODE_F32_ADD] = VALUE_TYPE_F32,
    [OPCODE_F32_SUB] = VALUE_TYPE_F32,
    [OPCODE_F32_MUL] = VALUE_TYPE_F32,
    [OPCODE_F32_DIV] = VALUE_TYPE_F32,
    [OPCODE_F32_MIN] = VALUE_TYPE_F32,
    [OPCODE_F32_MAX] = VALUE_TYPE_F32,
    [OPCODE_F32_COPYSIGN] = VALUE_TYPE_F32,
    [OPCODE_F64_ABS] = VALUE_TYPE_F64,
    [OPCODE_F64_NEG] = VALUE_TYPE_F64,
    [OPCODE_F64_CEIL] = VALUE_TYPE_F64,
    [OPCODE_F64_FLOOR] = VALUE_TYPE_F64,
    [OPCODE_F64_TRUNC] = VALUE_TYPE_F64,
    [OPCODE_F64_NEAREST] = VALUE_TYPE_F64,
    [OPCODE_F64_SQRT] = VALUE_TYPE_F64,
    [OPCODE_F64_ADD] = VALUE_TYPE_F64,
    [OPCODE_F64_SUB] = VALUE_TYPE_F64,
    [OPCODE_F64_MUL] = VALUE_TYPE_F64,
    [OPCODE_F64_DIV] = VALUE_TYPE_F64,
    [OPCODE_F64_MIN] = VALUE_TYPE_F64,
    [OPCODE_F64_MAX] = VALUE_TYPE_F64,
    [OPCODE_F64_COPYSIGN] = VALUE_TYPE_F64,
    [OPCODE_I32_WRAP_I64] = VALUE_TYPE_I64,
    [OPCODE_I32_TRUNC_F32_S] = VALUE_TYPE_F32,
    [OPCODE_I32_TRUNC_F32_U] = VALUE_TYPE_F32,
    [OPCODE_I32_TRUNC_F64_S] = VALUE_TYPE_F64,
    [OPCODE_I32_TRUNC_F64_U] = VALUE_TYPE_F64,
    [OPCODE_I64_EXTEND_I32_S] = VALUE_TYPE_I32,
    [OPCODE_I64_EXTEND_I32_U] = VALUE_TYPE_I32,
    [OPCODE_I64_TRUNC_F32_S] = VALUE_TYPE_F32,
    [OPCODE_I64_TRUNC_F32_U] = VALUE_TYPE_F32,
    [OPCODE_I64_TRUNC_F64_S] = VALUE_TYPE_F64,
    [OPCODE_I64_TRUNC_F64_U] = VALUE_TYPE_F64,
    [OPCODE_F32_CONVERT_I32_S] = VALUE_TYPE_I32,
    [OPCODE_F32_CONVERT_I32_U] = VALUE_TYPE_I32,
    [OPCODE_F32_CONVERT_I64_S] = VALUE_TYPE_I64,
    [OPCODE_F32_CONVERT_I64_U] = VALUE_TYPE_I64,
    [OPCODE_F32_DEMOTE_F64] = VALUE_TYPE_F64,
    [OPCODE_F64_CONVERT_I32_S] = VALUE_TYPE_I32,
    [OPCODE_F64_CONVERT_I32_U] = VALUE_TYPE_I32,
    [OPCODE_F64_CONVERT_I64_S] = VALUE_TYPE_I64,
    [OPCODE_F64_CONVERT_I64_U] = VALUE_TYPE_I64,
    [OPCODE_F64_PROMOTE_F32] = VALUE_TYPE_F32,
    [OPCODE_I32_REINTERPRET_F32] = VALUE_TYPE_F32,
    [OPCODE_I64_REINTERPRET_F64] = VALUE_TYPE_F64,
    [OPCODE_F32_REINTERPRET_I32] = VALUE_TYPE_I32,
    [OPCODE_F64_REINTERPRET_I64] = VALUE_TYPE_I64,
    [OPCODE_I32_EXTEND8_S] = VALUE_TYPE_I32,
    [OPCODE_I32_EXTEND16_S] = VALUE_TYPE_I32,
    [OPCODE_I64_EXTEND8_S] = VALUE_TYPE_I64,
    [OPCODE_I64_EXTEND16_S] = VALUE_TYPE_I64,
    [OPCODE_I64_EXTEND32_S] = VALUE_TYPE_I64,
    [OPCODE_I32_TRUNC_SAT_F32_S] = VALUE_TYPE_F32,
    [OPCODE_I32_TRUNC_SAT_F32_U] = VALUE_TYPE_F32,
    [OPCODE_I32_TRUNC_SAT_F64_S] = VALUE_TYPE_F64,
    [OPCODE_I32_TRUNC_SAT_F64_U] = VALUE_TYPE_F64,
    [OPCODE_I64_TRUNC_SAT_F32_S] = VALUE_TYPE_F32,
    [OPCODE_I64_TRUNC_SAT_F32_U] = VALUE_TYPE_F32,
    [OPCODE_I64_TRUNC_SAT_F64_S] = VALUE_TYPE_F64,
    [OPCODE_I64_TRUNC_SAT_F64_U] = VALUE_TYPE_F64,
    [OPCODE_MEMORY_INIT] = VALUE_TYPE_I32,
    [OPCODE_MEMORY_COPY] = VALUE_TYPE_I32,
    [OPCODE_MEMORY_FILL] = VALUE_TYPE_I32,
    [OPCODE_TABLE_INIT] = VALUE_TYPE_I32,
    [OPCODE_TABLE_COPY] = VALUE_TYPE_I32,
    /* all others: VALUE_TYPE_UNKNOWN */
};
static const uint8_t LAST_OPERAND[274] = {
    [OPCODE_I32_LOAD] = VALUE_TYPE_I32,
    [OPCODE_I64_LOAD] = VALUE_TYPE_I32,
    [OPCODE_F32_LOAD] = VALUE_TYPE_I32,
    [OPCODE_F64_LOAD] = VALUE_TYPE_I32,
    [OPCODE_I32_LOAD8_S] = VALUE_TYPE_I32,
    [OPCODE_I32_LOAD8_U] = VALUE_TYPE_I32,
    [OPCODE_I32_LOAD16_S] = VALUE_TYPE_I32,
    [OPCODE_I32_LOAD16_U] = VALUE_TYPE_I32,
    [OPCODE_I64_LOAD8_S] = VALUE_TYPE_I32,
    [OPCODE_I64_LOAD8_U] = VALUE_TYPE_I32,
    [OPCODE_I64_LOAD16_S] = VALUE_TYPE_I32,
    [OPCODE_I64_LOAD16_U] = VALUE_TYPE_I32,
    [OPCODE_I64_LOAD32_S] = VALUE_TYPE_I32,
    [OPCODE_I64_LOAD32_U] = VALUE_TYPE_I32,
    [OPCODE_I32_STORE] = VALUE_TYPE_I32,
    [OPCODE_I64_STORE] = VALUE_TYPE_I64,
    [OPCODE_F32_STORE] = VALUE_TYPE_F32,
    [OPCODE_F64_STORE] = VALUE_TYPE_F64,
    [OPCODE_I32_STORE8] = VALUE_TYPE_I32,
    [OPCODE_I32_STORE16] = VALUE_TYPE_I32,
    [OPCODE_I64_STORE8] = VALUE_TYPE_I64,
    [OPCODE_I64_STORE16] = VALUE_TYPE_I64,
    [OPCODE_I64_STORE32] = VALUE_TYPE_I64,
    [OPCODE_MEMORY_GROW] = VALUE_TYPE_I32,
    [OPCODE_I32_EQZ] = VALUE_TYPE_I32,
    [OPCODE_I32_EQ] = VALUE_TYPE_I32,
    [OPCODE_I32_NE] = VALUE_TYPE_I32,
    [OPCODE_I32_LT_S] = VALUE_TYPE_I32,
    [OPCODE_I32_LT_U] = VALUE_TYPE_I32,
    [OPCODE_I32_GT_S] = VALUE_TYPE_I32,
    [OPCODE_I32_GT_U] = VALUE_TYPE_I32,
    [OPCODE_I32_LE_S] = VALUE_TYPE_I32,
    [OPCODE_I32_LE_U] = VALUE_TYPE_I32,
    [OPCODE_I32_GE_S] = VALUE_TYPE_I32,
    [OPCODE_I32_GE_U] = VALUE_TYPE_I32,
    [OPCODE_I64_EQZ] = VALUE_TYPE_I64,
    [OPCODE_I64_EQ] = VALUE_TYPE_I64,
    [OPCODE_I64_NE] = VALUE_TYPE_I64,
    [OPCODE_I64_LT_S] = VALUE_TYPE_I64,
    [OPCODE_I64_LT_U] = VALUE_TYPE_I64,
    [OPCODE_I64_GT_S] = VALUE_TYPE_I64,
    [OPCODE_I64_GT_U] = VALUE_TYPE_I64,
    [OPCODE_I64_LE_S] = VALUE_TYPE_I64,
    [OPCODE_I64_LE_U] = VALUE_TYPE_I64,
    [OPCODE_I64_GE_S] = VALUE_TYPE_I64,
    [OPCODE_I64_GE_U] = VALUE_TYPE_I64,
    [OPCODE_F32_EQ] = VALUE_TYPE_F32,
    [OPCODE_F32_NE] = VALUE_TYPE_F32,
    [OPCODE_F32_LT] = VALUE_TYPE_F32,
    [OPCODE_F32_GT] = VALUE_TYPE_F32,
    [OPCODE_F32_LE] = VALUE_TYPE_F32,
    [OPCODE_F32_GE] = VALUE_TYPE_F32,
    [OPCODE_F64_EQ] = VALUE_TYPE_F64,
    [OPCODE_F64_NE] = VALUE_TYPE_F64,
    [OPCODE_F64_LT] = VALUE_TYPE_F64,
    [OPCODE_F64_GT] = VALUE_TYPE_F64,
    [OPCODE_F64_LE] = VALUE_TYPE_F64,
    [OPCODE_F64_GE] = VALUE_TYPE_F64,
    [OPCODE_I32_CLZ] = VALUE_TYPE_I32,
    [OPCODE_I32_CTZ] = VALUE_TYPE_I32,
    [OPCODE_I32_POPCNT] = VALUE_TYPE_I32,
    [OPCODE_I32_ADD] = VALUE_TYPE_I32,
    [OPCODE_I32_SUB] = VALUE_TYPE_I32,
    [OPCODE_I32_MUL] = VALUE_TYPE_I32,
    [OPCODE_I32_DIV_S] = VALUE_TYPE_I32,
    [OPCODE_I32_DIV_U] = VALUE_TYPE_I32,
    [OPCODE_I32_REM_S] = VALUE_TYPE_I32,
    [OPCODE_I32_REM_U] = VALUE_TYPE_I32,
    [OPCODE_I32_AND] = VALUE_TYPE_I32,
    [OPCODE_I32_OR] = VALUE_TYPE_I32,
    [OPCODE_I32_XOR] = VALUE_TYPE_I32,
    [OPCODE_I32_SHL] = VALUE_TYPE_I32,
    [OPCODE_I32_SHR_S] = VALUE_TYPE_I32,
    [OPCODE_I32_SHR_U] = VALUE_TYPE_I32,
    [OPCODE_I32_ROTL] = VALUE_TYPE_I32,
    [OPCODE_I32_ROTR] = VALUE_TYPE_I32,
    [OPCODE_I64_CLZ] = VALUE_TYPE_I64,
    [OPCODE_I64_CTZ] = VALUE_TYPE_I64,
    [OPCODE_I64_POPCNT] = VALUE_TYPE_I64,
    [OPCODE_I64_ADD] = VALUE_TYPE_I64,
    [OPCODE_I64_SUB] = VALUE_TYPE_I64,
    [OPCODE_I64_MUL] = VALUE_TYPE_I64,
    [OPCODE_I64_DIV_S] = VALUE_TYPE_I64,
    [OPCODE_I64_DIV_U] = VALUE_TYPE_I64,
    [OPCODE_I64_REM_S] = VALUE_TYPE_I64,
    [OPCODE_I64_REM_U] = VALUE_TYPE_I64,
    [OPCODE_I64_AND] = VALUE_TYPE_I64,
    [OPCODE_I64_OR] = VALUE_TYPE_I64,
    [OPCODE_I64_XOR] = VALUE_TYPE_I64,
    [OPCODE_I64_SHL] = VALUE_TYPE_I64,
    [OPCODE_I64_SHR_S] = VALUE_TYPE_I64,
    [OPCODE_I64_SHR_U] = VALUE_TYPE_I64,
    [OPCODE_I64_ROTL] = VALUE_TYPE_I64,
    [OPCODE_I64_ROTR] = VALUE_TYPE_I64,
    [OPCODE_F32_ABS] = VALUE_TYPE_F32,
    [OPCODE_F32_NEG] = VALUE_TYPE_F32,
    [OPCODE_F32_CEIL] = VALUE_TYPE_F32,
    [OPCODE_F32_FLOOR] = VALUE_TYPE_F32,
    [OPCODE_F32_TRUNC] = VALUE_TYPE_F32,
    [OPCODE_F32_NEAREST] = VALUE_TYPE_F32,
    [OPCODE_F32_SQRT] = VALUE_TYPE_F32,
    [OPCODE_F32_ADD] = VALUE_TYPE_F32,
    [OPCODE_F32_SUB] = VALUE_TYPE_F32,
    [OPCODE_F32_MUL] = VALUE_TYPE_F32,
    [OPCODE_F32_DIV] = VALUE_TYPE_F32,
    [OPCODE_F32_MIN] = VALUE_TYPE_F32,
    [OPCODE_F32_MAX] = VALUE_TYPE_F32,
    [OPCODE_F32_COPYSIGN] = VALUE_TYPE_F32,
    [OPCODE_F64_ABS] = VALUE_TYPE_F64,
    [OPCODE_F64_NEG] = VALUE_TYPE_F64,
    [OPCODE_F64_CEIL] = VALUE_TYPE_F64,
    [OPCODE_F64_FLOOR] = VALUE_TYPE_F64,
    [OPCODE_F64_TRUNC] = VALUE_TYPE_F64,
    [OPCODE_F64_NEAREST] = VALUE_TYPE_F64,
    [OPCODE_F64_SQRT] = VALUE_TYPE_F64,
    [OPCODE_F64_ADD] = VALUE_TYPE_F64,
    [OPCODE_F64_SUB] = VALUE_TYPE_F64,
    [OPCODE_F64_MUL] = VALUE_TYPE_F64,
    [OPCODE_F64_DIV] = VALUE_TYPE_F64,
    [OPCODE_F64_MIN] = VALUE_TYPE_F64,
    [OPCODE_F64_MAX] = VALUE_TYPE_F64,
    [OPCODE_F64_COPYSIGN] = VALUE_TYPE_F64,
    [OPCODE_I32_WRAP_I64] = VALUE_TYPE_I64,
    [OPCODE_I32_TRUNC_F32_S] = VALUE_TYPE_F32,
    [OPCODE_I32_TRUNC_F32_U] = VALUE_TYPE_F32,
    [OPCODE_I32_TRUNC_F64_S] = VALUE_TYPE_F64,
    [OPCODE_I32_TRUNC_F64_U] = VALUE_TYPE_F64,
    [OPCODE_I64_EXTEND_I32_S] = VALUE_TYPE_I32,
    [OPCODE_I64_EXTEND_I32_U] = VALUE_TYPE_I32,
    [OPCODE_I64_TRUNC_F32_S] = VALUE_TYPE_F32,
    [OPCODE_I64_TRUNC_F32_U] = VALUE_TYPE_F32,
    [OPCODE_I64_TRUNC_F64_S] = VALUE_TYPE_F64,
    [OPCODE_I64_TRUNC_F64_U] = VALUE_TYPE_F64,
    [OPCODE_F32_CONVERT_I32_S] = VALUE_TYPE_I32,
    [OPCODE_F32_CONVERT_I32_U] = VALUE_TYPE_I32,
    [OPCODE_F32_CONVERT_I64_S] = VALUE_TYPE_I64,
    [OPCODE_F32_CONVERT_I64_U] = VALUE_TYPE_I64,
    [OPCODE_F32_DEMOTE_F64] = VALUE_TYPE_F64,
    [OPCODE_F64_CONVERT_I32_S] = VALUE_TYPE_I32,
    [OPCODE_F64_CONVERT_I32_U] = VALUE_TYPE_I32,
    [OPCODE_F64_CONVERT_I64_S] = VALUE_TYPE_I64,
    [OPCODE_F64_CONVERT_I64_U] = VALUE_TYPE_I64,
    [OPCODE_F64_PROMOTE_F32] = VALUE_TYPE_F32,
    [OPCODE_I32_REINTERPRET_F32] = VALUE_TYPE_F32,
    [OPCODE_I64_REINTERPRET_F64] = VALUE_TYPE_F64,
    [OPCODE_F32_REINTERPRET_I32] = VALUE_TYPE_I32,
    [OPCODE_F64_REINTERPRET_I64] = VALUE_TYPE_I64,
    [OPCODE_I32_EXTEND8_S] = VALUE_TYPE_I32,
    [OPCODE_I32_EXTEND16_S] = VALUE_TYPE_I32,
    [OPCODE_I64_EXTEND8_S] = VALUE_TYPE_I64,
    [OPCODE_I64_EXTEND16_S] = VALUE_TYPE_I64,
    [OPCODE_I64_EXTEND32_S] = VALUE_TYPE_I64,
    [OPCODE_I32_TRUNC_SAT_F32_S] = VALUE_TYPE_F32,
    [OPCODE_I32_TRUNC_SAT_F32_U] = VALUE_TYPE_F32,
    [OPCODE_I32_TRUNC_SAT_F64_S] = VALUE_TYPE_F64,
    [OPCODE_I32_TRUNC_SAT_F64_U] = VALUE_TYPE_F64,
    [OPCODE_I64_TRUNC_SAT_F32_S] = VALUE_TYPE_F32,
    [OPCODE_I64_TRUNC_SAT_F32_U] = VALUE_TYPE_F32,
    [OPCODE_I64_TRUNC_SAT_F64_S] = VALUE_TYPE_F64,
    [OPCODE_I64_TRUNC_SAT_F64_U] = VALUE_TYPE_F64,
    [OPCODE_MEMORY_INIT] = VALUE_TYPE_I32,
    [OPCODE_MEMORY_COPY] = VALUE_TYPE_I32,
    [OPCODE_MEMORY_FILL] = VALUE_TYPE_I32,
    [OPCODE_TABLE_INIT] = VALUE_TYPE_I32,
    [OPCODE_TABLE_COPY] = VALUE_TYPE_I32,
    /* all others: VALUE_TYPE_UNKNOWN */
};
static const uint8_t RESULT[274] = {
    [OPCODE_I32_LOAD] = VALUE_TYPE_I32,
    [OPCODE_I64_LOAD] = VALUE_TYPE_I64,
    [OPCODE_F32_LOAD] = VALUE_TYPE_F32,
    [OPCODE_F64_LOAD] = VALUE_TYPE_F64,
    [OPCODE_I32_LOAD8_S] = VALUE_TYPE_I32,
    [OPCODE_I32_LOAD8_U] = VALUE_TYPE_I32,
    [OPCODE_I32_LOAD16_S] = VALUE_TYPE_I32,
    [OPCODE_I32_LOAD16_U] = VALUE_TYPE_I32,
    [OPCODE_I64_LOAD8_S] = VALUE_TYPE_I64,
    [OPCODE_I64_LOAD8_U] = VALUE_TYPE_I64,
    [OPCODE_I64_LOAD16_S] = VALUE_TYPE_I64,
    [OPCODE_I64_LOAD16_U] = VALUE_TYPE_I64,
    [OPCODE_I64_LOAD32_S] = VALUE_TYPE_I64,
    [OPCODE_I64_LOAD32_U] = VALUE_TYPE_I64,
    [OPCODE_MEMORY_SIZE] = VALUE_TYPE_I32,
    [OPCODE_MEMORY_GROW] = VALUE_TYPE_I32,
    [OPCODE_I32_CONST] = VALUE_TYPE_I32,
    [OPCODE_I64_CONST] = VALUE_TYPE_I64,
    [OPCODE_F32_CONST] = VALUE_TYPE_F32,
    [OPCODE_F64_CONST] = VALUE_TYPE_F64,
    [OPCODE_I32_EQZ] = VALUE_TYPE_I32,
    [OPCODE_I32_EQ] = VALUE_TYPE_I32,
    [OPCODE_I32_NE] = VALUE_TYPE_I32,
    [OPCODE_I32_LT_S] = VALUE_TYPE_I32,
    [OPCODE_I32_LT_U] = VALUE_TYPE_I32,
    [OPCODE_I32_GT_S] = VALUE_TYPE_I32,
    [OPCODE_I32_GT_U] = VALUE_TYPE_I32,
    [OPCODE_I32_LE_S] = VALUE_TYPE_I32,
    [OPCODE_I32_LE_U] = VALUE_TYPE_I32,
    [OPCODE_I32_GE_S] = VALUE_TYPE_I32,
    [OPCODE_I32_GE_U] = VALUE_TYPE_I32,
    [OPCODE_I64_EQZ] = VALUE_TYPE_I32,
    [OPCODE_I64_EQ] = VALUE_TYPE_I32,
    [OPCODE_I64_NE] = VALUE_TYPE_I32,
    [OPCODE_I64_LT_S] = VALUE_TYPE_I32,
    [OPCODE_I64_LT_U] = VALUE_TYPE_I32,
    [OPCODE_I64_GT_S] = VALUE_TYPE_I32,
    [OPCODE_I64_GT_U] = VALUE_TYPE_I32,
    [OPCODE_I64_LE_S] = VALUE_TYPE_I32,
    [OPCODE_I64_LE_U] = VALUE_TYPE_I32,
    [OPCODE_I64_GE_S] = VALUE_TYPE_I32,
    [OPCODE_I64_GE_U] = VALUE_TYPE_I32,
    [OPCODE_F32_EQ] = VALUE_TYPE_I32,
    [OPCODE_F32_NE] = VALUE_TYPE_I32,
    [OPCODE_F32_LT] = VALUE_TYPE_I32,
    [OPCODE_F32_GT] = VALUE_TYPE_I32,
    [OPCODE_F32_LE] = VALUE_TYPE_I32,
    [OPCODE_F32_GE] = VALUE_TYPE_I32,
    [OPCODE_F64_EQ] = VALUE_TYPE_I32,
    [OPCODE_F64_NE] = VALUE_TYPE_I32,
    [OPCODE_F64_LT] = VALUE_TYPE_I32,
    [OPCODE_F64_GT] = VALUE_TYPE_I32,
    [OPCODE_F64_LE] = VALUE_TYPE_I32,
    [OPCODE_F64_GE] = VALUE_TYPE_I32,
    [OPCODE_I32_CLZ] = VALUE_TYPE_I32,
    [OPCODE_I32_CTZ] = VALUE_TYPE_I32,
    [OPCODE_I32_POPCNT] = VALUE_TYPE_I32,
    [OPCODE_I32_ADD] = VALUE_TYPE_I32,
    [OPCODE_I32_SUB] = VALUE_TYPE_I32,
    [OPCODE_I32_MUL] = VALUE_TYPE_I32,
    [OPCODE_I32_DIV_S] = VALUE_TYPE_I32,
    [OPCODE_I32_DIV_U] = VALUE_TYPE_I32,
    [OPCODE_I32_REM_S] = VALUE_TYPE_I32,
    [OPCODE_I32_REM_U] = VALUE_TYPE_I32,
    [OPCODE_I32_AND] = VALUE_TYPE_I32,
    [OPCODE_I32_OR] = VALUE_TYPE_I32,
    [OPCODE_I32_XOR] = VALUE_TYPE_I32,
    [OPCODE_I32_SHL] = VALUE_TYPE_I32,
    [OPCODE_I32_SHR_S] = VALUE_TYPE_I32,
    [OPCODE_I32_SHR_U] = VALUE_TYPE_I32,
    [OPCODE_I32_ROTL] = VALUE_TYPE_I32,
    [OPCODE_I32_ROTR] = VALUE_TYPE_I32,
    [OPCODE_I64_CLZ] = VALUE_TYPE_I64,
    [OPCODE_I64_CTZ] = VALUE_TYPE_I64,
    [OPCODE_I64_POPCNT] = VALUE_TYPE_I64,
    [OPCODE_I64_ADD] = VALUE_TYPE_I64,
    [OPCODE_I64_SUB] = VALUE_TYPE_I64,
    [OPCODE_I64_MUL] = VALUE_TYPE_I64,
    [OPCODE_I64_DIV_S] = VALUE_TYPE_I64,
    [OPCODE_I64_DIV_U] = VALUE_TYPE_I64,
    [OPCODE_I64_REM_S] = VALUE_TYPE_I64,
    [OPCODE_I64_REM_U] = VALUE_TYPE_I64,
    [OPCODE_I64_AND] = VALUE_TYPE_I64,
    [OPCODE_I64_OR] = VALUE_TYPE_I64,
    [OPCODE_I64_XOR] = VALUE_TYPE_I64,
    [OPCODE_I64_SHL] = VALUE_TYPE_I64,
    [OPCODE_I64_SHR_S] = VALUE_TYPE_I64,
    [OPCODE_I64_SHR_U] = VALUE_TYPE_I64,
    [OPCODE_I64_ROTL] = VALUE_TYPE_I64,
    [OPCODE_I64_ROTR] = VALUE_TYPE_I64,
    [OPCODE_F32_ABS] = VALUE_TYPE_F32,
    [OPCODE_F32_NEG] = VALUE_TYPE_F32,
    [OPCODE_F32_CEIL] = VALUE_TYPE_F32,
    [OPCODE_F32_FLOOR] = VALUE_TYPE_F32,
    [OPCODE_F32_TRUNC] = VALUE_TYPE_F32,
    [OPCODE_F32_NEAREST] = VALUE_TYPE_F32,
    [OPCODE_F32_SQRT] = VALUE_TYPE_F32,
    [OPCODE_F32_ADD] = VALUE_TYPE_F32,
    [OPCODE_F32_SUB] = VALUE_TYPE_F32,
    [OPCODE_F32_MUL] = VALUE_TYPE_F32,
    [OPCODE_F32_DIV] = VALUE_TYPE_F32,
    [OPCODE_F32_MIN] = VALUE_TYPE_F32,
    [OPCODE_F32_MAX] = VALUE_TYPE_F32,
    [OPCODE_F32_COPYSIGN] = VALUE_TYPE_F32,
    [OPCODE_F64_ABS] = VALUE_TYPE_F64,
    [OPCODE_F64_NEG] = VALUE_TYPE_F64,
    [OPCODE_F64_CEIL] = VALUE_TYPE_F64,
    [OPCODE_F64_FLOOR] = VALUE_TYPE_F64,
    [OPCODE_F64_TRUNC] = VALUE_TYPE_F64,
    [OPCODE_F64_NEAREST] = VALUE_TYPE_F64,
    [OPCODE_F64_SQRT] = VALUE_TYPE_F64,
    [OPCODE_F64_ADD] = VALUE_TYPE_F64,
    [OPCODE_F64_SUB] = VALUE_TYPE_F64,
    [OPCODE_F64_MUL] = VALUE_TYPE_F64,
    [OPCODE_F64_DIV] = VALUE_TYPE_F64,
    [OPCODE_F64_MIN] = VALUE_TYPE_F64,
    [OPCODE_F64_MAX] = VALUE_TYPE_F64,
    [OPCODE_F64_COPYSIGN] = VALUE_TYPE_F64,
    [OPCODE_I32_WRAP_I64] = VALUE_TYPE_I32,
    [OPCODE_I32_TRUNC_F32_S] = VALUE_TYPE_I32,
    [OPCODE_I32_TRUNC_F32_U] = VALUE_TYPE_I32,
    [OPCODE_I32_TRUNC_F64_S] = VALUE_TYPE_I32,
    [OPCODE_I32_TRUNC_F64_U] = VALUE_TYPE_I32,
    [OPCODE_I64_EXTEND_I32_S] = VALUE_TYPE_I64,
    [OPCODE_I64_EXTEND_I32_U] = VALUE_TYPE_I64,
    [OPCODE_I64_TRUNC_F32_S] = VALUE_TYPE_I64,
    [OPCODE_I64_TRUNC_F32_U] = VALUE_TYPE_I64,
    [OPCODE_I64_TRUNC_F64_S] = VALUE_TYPE_I64,
    [OPCODE_I64_TRUNC_F64_U] = VALUE_TYPE_I64,
    [OPCODE_F32_CONVERT_I32_S] = VALUE_TYPE_F32,
    [OPCODE_F32_CONVERT_I32_U] = VALUE_TYPE_F32,
    [OPCODE_F32_CONVERT_I64_S] = VALUE_TYPE_F32,
    [OPCODE_F32_CONVERT_I64_U] = VALUE_TYPE_F32,
    [OPCODE_F32_DEMOTE_F64] = VALUE_TYPE_F32,
    [OPCODE_F64_CONVERT_I32_S] = VALUE_TYPE_F64,
    [OPCODE_F64_CONVERT_I32_U] = VALUE_TYPE_F64,
    [OPCODE_F64_CONVERT_I64_S] = VALUE_TYPE_F64,
    [OPCODE_F64_CONVERT_I64_U] = VALUE_TYPE_F64,
    [OPCODE_F64_PROMOTE_F32] = VALUE_TYPE_F64,
    [OPCODE_I32_REINTERPRET_F32] = VALUE_TYPE_I32,
    [OPCODE_I64_REINTERPRET_F64] = VALUE_TYPE_I64,
    [OPCODE_F32_REINTERPRET_I32] = VALUE_TYPE_F32,
    [OPCODE_F64_REINTERPRET_I64] = VALUE_TYPE_F64,
    [OPCODE_I32_EXTEND8_S] = VALUE_TYPE_I32,
    [OPCODE_I32_EXTEND16_S] = VALUE_TYPE_I32,
    [OPCODE_I64_EXTEND8_S] = VALUE_TYPE_I64,
    [OPCODE_I64_EXTEND16_S] = VALUE_TYPE_I64,
    [OPCODE_I64_EXTEND32_S] = VALUE_TYPE_I64,
    [OPCODE_I32_TRUNC_SAT_F32_S] = VALUE_TYPE_I32,
    [OPCODE_I32_TRUNC_SAT_F32_U] = VALUE_TYPE_I32,
    [OPCODE_I32_TRUNC_SAT_F64_S] = VALUE_TYPE_I32,
    [OPCODE_I32_TRUNC_SAT_F64_U] = VALUE_TYPE_I32,
    [OPCODE_I64_TRUNC_SAT_F32_S] = VALUE_TYPE_I64,
    [OPCODE_I64_TRUNC_SAT_F32_U] = VALUE_TYPE_I64,
    [OPCODE_I64_TRUNC_SAT_F64_S] = VALUE_TYPE_I64,
    [OPCODE_I64_TRUNC_SAT_F64_U] = VALUE_TYPE_I64,
    [OPCODE_TABLE_SIZE] = VALUE_TYPE_I32,
    /* all others: VALUE_TYPE_UNKNOWN */
};
static const uint8_t FIXED[274] = {
    [OPCODE_NOP] = 1,
    [OPCODE_I32_LOAD] = 1,
    [OPCODE_I64_LOAD] = 1,
    [OPCODE_F32_LOAD] = 1,
    [OPCODE_F64_LOAD] = 1,
    [OPCODE_I32_LOAD8_S] = 1,
    [OPCODE_I32_LOAD8_U] = 1,
    [OPCODE_I32_LOAD16_S] = 1,
    [OPCODE_I32_LOAD16_U] = 1,
    [OPCODE_I64_LOAD8_S] = 1,
    [OPCODE_I64_LOAD8_U] = 1,
    [OPCODE_I64_LOAD16_S] = 1,
    [OPCODE_I64_LOAD16_U] = 1,
    [OPCODE_I64_LOAD32_S] = 1,
    [OPCODE_I64_LOAD32_U] = 1,
    [OPCODE_I32_STORE] = 1,
    [OPCODE_I64_STORE] = 1,
    [OPCODE_F32_STORE] = 1,
    [OPCODE_F64_STORE] = 1,
    [OPCODE_I32_STORE8] = 1,
    [OPCODE_I32_STORE16] = 1,
    [OPCODE_I64_STORE8] = 1,
    [OPCODE_I64_STORE16] = 1,
    [OPCODE_I64_STORE32] = 1,
    [OPCODE_MEMORY_SIZE] = 1,
    [OPCODE_MEMORY_GROW] = 1,
    [OPCODE_I32_CONST] = 1,
    [OPCODE_I64_CONST] = 1,
    [OPCODE_F32_CONST] = 1,
    [OPCODE_F64_CONST] = 1,
    [OPCODE_I32_EQZ] = 1,
    [OPCODE_I32_EQ] = 1,
    [OPCODE_I32_NE] = 1,
    [OPCODE_I32_LT_S] = 1,
    [OPCODE_I32_LT_U] = 1,
    [OPCODE_I32_GT_S] = 1,
    [OPCODE_I32_GT_U] = 1,
    [OPCODE_I32_LE_S] = 1,
    [OPCODE_I32_LE_U] = 1,
    [OPCODE_I32_GE_S] = 1,
    [OPCODE_I32_GE_U] = 1,
    [OPCODE_I64_EQZ] = 1,
    [OPCODE_I64_EQ] = 1,
    [OPCODE_I64_NE] = 1,
    [OPCODE_I64_LT_S] = 1,
    [OPCODE_I64_LT_U] = 1,
    [OPCODE_I64_GT_S] = 1,
    [OPCODE_I64_GT_U] = 1,
    [OPCODE_I64_LE_S] = 1,
    [OPCODE_I64_LE_U] = 1,
    [OPCODE_I64_GE_S] = 1,
    [OPCODE_I64_GE_U] = 1,
    [OPCODE_F32_EQ] = 1,
    [OPCODE_F32_NE] = 1,
    [OPCODE_F32_LT] = 1,
    [OPCODE_F32_GT] = 1,
    [OPCODE_F32_LE] = 1,
    [OPCODE_F32_GE] = 1,
    [OPCODE_F64_EQ] = 1,
    [OPCODE_F64_NE] = 1,
    [OPCODE_F64_LT] = 1,
    [OPCODE_F64_GT] = 1,
    [OPCODE_F64_LE] = 1,
    [OPCODE_F64_GE] = 1,
    [OPCODE_I32_CLZ] = 1,
    [OPCODE_I32_CTZ] = 1,
    [OPCODE_I32_POPCNT] = 1,
    [OPCODE_I32_ADD] = 1,
    [OPCODE_I32_SUB] = 1,
    [OPCODE_I32_MUL] = 1,
    [OPCODE_I32_DIV_S] = 1,
    [OPCODE_I32_DIV_U] = 1,
    [OPCODE_I32_REM_S] = 1,
    [OPCODE_I32_REM_U] = 1,
    [OPCODE_I32_AND] = 1,
    [OPCODE_I32_OR] = 1,
    [OPCODE_I32_XOR] = 1,
    [OPCODE_I32_SHL] = 1,
    [OPCODE_I32_SHR_S] = 1,
    [OPCODE_I32_SHR_U] = 1,
    [OPCODE_I32_ROTL] = 1,
    [OPCODE_I32_ROTR] = 1,
    [OPCODE_I64_CLZ] = 1,
    [OPCODE_I64_CTZ] = 1,
    [OPCODE_I64_POPCNT] = 1,
    [OPCODE_I64_ADD] = 1,
    [OPCODE_I64_SUB] = 1,
    [OPCODE_I64_MUL] = 1,
    [OPCODE_I64_DIV_S] = 1,
    [OPCODE_I64_DIV_U] = 1,
    [OPCODE_I64_REM_S] = 1,
    [OPCODE_I64_REM_U] = 1,
    [OPCODE_I64_AND] = 1,
    [OPCODE_I64_OR] = 1,
    [OPCODE_I64_XOR] = 1,
    [OPCODE_I64_SHL] = 1,
    [OPCODE_I64_SHR_S] = 1,
    [OPCODE_I64_SHR_U] = 1,
    [OPCODE_I64_ROTL] = 1,
    [OPCODE_I64_ROTR] = 1,
    [OPCODE_F32_ABS] = 1,
    [OPCODE_F32_NEG] = 1,
    [OPCODE_F32_CEIL] = 1,
    [OPCODE_F32_FLOOR] = 1,
    [OPCODE_F32_TRUNC] = 1,
    [OPCODE_F32_NEAREST] = 1,
    [OPCODE_F32_SQRT] = 1,
    [OPCODE_F32_ADD] = 1,
    [OPCODE_F32_SUB] = 1,
    [OPCODE_F32_MUL] = 1,
    [OPCODE_F32_DIV] = 1,
    [OPCODE_F32_MIN] = 1,
    [OPCODE_F32_MAX] = 1,
    [OPCODE_F32_COPYSIGN] = 1,
    [OPCODE_F64_ABS] = 1,
    [OPCODE_F64_NEG] = 1,
    [OPCODE_F64_CEIL] = 1,
    [OPCODE_F64_FLOOR] = 1,
    [OPCODE_F64_TRUNC] = 1,
    [OPCODE_F64_NEAREST] = 1,
    [OPCODE_F64_SQRT] = 1,
    [OPCODE_F64_ADD] = 1,
    [OPCODE_F64_SUB] = 1,
    [OPCODE_F64_MUL] = 1,
    [OPCODE_F64_DIV] = 1,
    [OPCODE_F64_MIN] = 1,
    [OPCODE_F64_MAX] = 1,
    [OPCODE_F64_COPYSIGN] = 1,
    [OPCODE_I32_WRAP_I64] = 1,
    [OPCODE_I32_TRUNC_F32_S] = 1,
    [OPCODE_I32_TRUNC_F32_U] = 1,
    [OPCODE_I32_TRUNC_F64_S] = 1,
    [OPCODE_I32_TRUNC_F64_U] = 1,
    [OPCODE_I64_EXTEND_I32_S] = 1,
    [OPCODE_I64_EXTEND_I32_U] = 1,
    [OPCODE_I64_TRUNC_F32_S] = 1,
    [OPCODE_I64_TRUNC_F32_U] = 1,
    [OPCODE_I64_TRUNC_F64_S] = 1,
    [OPCODE_I64_TRUNC_F64_U] = 1,
    [OPCODE_F32_CONVERT_I32_S] = 1,
    [OPCODE_F32_CONVERT_I32_U] = 1,
    [OPCODE_F32_CONVERT_I64_S] = 1,
    [OPCODE_F32_CONVERT_I64_U] = 1,
    [OPCODE_F32_DEMOTE_F64] = 1,
    [OPCODE_F64_CONVERT_I32_S] = 1,
    [OPCODE_F64_CONVERT_I32_U] = 1,
    [OPCODE_F64_CONVERT_I64_S] = 1,
    [OPCODE_F64_CONVERT_I64_U] = 1,
    [OPCODE_F64_PROMOTE_F32] = 1,
    [OPCODE_I32_REINTERPRET_F32] = 1,
    [OPCODE_I64_REINTERPRET_F64] = 1,
    [OPCODE_F32_REINTERPRET_I32] = 1,
    [OPCODE_F64_REINTERPRET_I64] = 1,
    [OPCODE_I32_EXTEND8_S] = 1,
    [OPCODE_I32_EXTEND16_S] = 1,
    [OPCODE_I64_EXTEND8_S] = 1,
    [OPCODE_I64_EXTEND16_S] = 1,
    [OPCODE_I64_EXTEND32_S] = 1,
    [OPCODE_I32_TRUNC_SAT_F32_S] = 1,
    [OPCODE_I32_TRUNC_SAT_F32_U] = 1,
    [OPCODE_I32_TRUNC_SAT_F64_S] = 1,
    [OPCODE_I32_TRUNC_SAT_F64_U] = 1,
    [OPCODE_I64_TRUNC_SAT_F32_S] = 1,
    [OPCODE_I64_TRUNC_SAT_F32_U] = 1,
    [OPCODE_I64_TRUNC_SAT_F64_S] = 1,
    [OPCODE_I64_TRUNC_SAT_F64_U] = 1,
    [OPCODE_MEMORY_INIT] = 1,
    [OPCODE_DATA_DROP] = 1,
    [OPCODE_MEMORY_COPY] = 1,
    [OPCODE_MEMORY_FILL] = 1,
    [OPCODE_TABLE_INIT] = 1,
    [OPCODE_ELEM_DROP] = 1,
    [OPCODE_TABLE_COPY] = 1,
    [OPCODE_TABLE_SIZE] = 1,
    /* all others: 0 */
};

/* Is the body of a function well typed? WebAssembly core 2.0, chapter 3 and the algorithm in its appendix. */

/* Validate the body of a function, which must leave its results. */
void bodies_body(struct module *m, struct validation *v, uint32_t position)
{
    REQUIRES(room_counted(m));
    REQUIRES(position < m->counts.functions);
    uint32_t type_ = m->functions.at[position].type;
    if (type_ >= m->counts.types) {
        reader_refuse(m, REFUSAL_UNKNOWN_TYPE, m->at);
        return;
    }
    m->at = m->functions.at[position].at;
    m->end = m->functions.at[position].end;
    bodies_declare_locals(m, v, &m->types.at[type_].parameters);
    if (v->labels.length == 0) {
        reader_refuse(m, REFUSAL_TOO_LARGE, m->at);
        return;
    }
    v->labels.at[0] = (struct label){0};
    v->labels.at[0].opcode = OPCODE_BLOCK;
    operand_types_copy_types(&m->types.at[type_].results, &v->labels.at[0].results);
    v->height = 0;
    v->depth = 1;
    struct decoded d = {0};
    uint32_t left = m->end;
    while (left > 0 && v->depth > 0 && !reader_refused(m)) {
        left--;
        instructions_instruction(m, &d);
        if (!reader_refused(m)) {
            bodies_check(m, v, &d);
        }
    }
}

/* Declare the types of all locals, parameters first. */
void bodies_declare_locals(struct module *m, struct validation *v, const struct types *parameters)
{
    reader_spend(m, parameters->count);
    v->local_count = 0;
    uint32_t position = 0;
    while (position < parameters->count && !reader_refused(m)) {
        value_type_t type_ = operand_types_type_at(m, parameters, position);
        bodies_add_locals(m, v, 1, type_);
        position++;
    }
    uint32_t left = reader_unsigned_32(m);
    while (left > 0 && !reader_refused(m)) {
        left--;
        uint32_t number = reader_unsigned_32(m);
        struct types code = {0};
        code.at = m->at;
        reader_skip(m, 1);
        value_type_t type_ = operand_types_type_at(m, &code, 0);
        bodies_add_locals(m, v, number, type_);
    }
}

/* Add locals of one type. */
void bodies_add_locals(struct module *m, struct validation *v, uint32_t number, value_type_t type_)
{
    if (number > LOCALS || v->local_count > LOCALS - number || LOCALS > v->locals.length) {
        reader_refuse(m, REFUSAL_TOO_LARGE, m->at);
        return;
    }
    __builtin_memset(v->locals.at + (uint64_t)v->local_count, type_, number);
    v->local_count += number;
}

/* Check that one instruction takes the operands that are there.

   Ensures: stacked. */
void bodies_check(struct module *m, struct validation *v, const struct decoded *d)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_within_block(v));
    if (FIXED[d->opcode] != 0) {
        bodies_fixed(m, v, d);
    } else if (d->opcode == OPCODE_BLOCK || d->opcode == OPCODE_LOOP) {
        labels_open_block(m, v, d);
    } else if (d->opcode == OPCODE_IF) {
        operand_types_expect(m, v, VALUE_TYPE_I32);
        labels_open_block(m, v, d);
    } else if (d->opcode == OPCODE_ELSE) {
        labels_other_branch(m, v, d);
    } else if (d->opcode == OPCODE_END) {
        labels_end(m, v);
    } else if (d->opcode == OPCODE_UNREACHABLE) {
        operand_types_unreachable(m, v);
    } else if (d->opcode == OPCODE_BR) {
        labels_branch(m, v, d, d->value, false);
        operand_types_unreachable(m, v);
    } else if (d->opcode == OPCODE_BR_IF) {
        operand_types_expect(m, v, VALUE_TYPE_I32);
        labels_branch(m, v, d, d->value, true);
    } else if (d->opcode == OPCODE_BR_TABLE) {
        labels_branch_table(m, v, d);
    } else if (d->opcode == OPCODE_RETURN) {
        labels_branch(m, v, d, saturating_sub(v->depth, 1), false);
        operand_types_unreachable(m, v);
    } else if (d->opcode == OPCODE_CALL) {
        bodies_call(m, v, d);
    } else if (d->opcode == OPCODE_CALL_INDIRECT) {
        bodies_call_indirect(m, v, d);
    } else if (d->opcode == OPCODE_DROP || d->opcode == OPCODE_SELECT || d->opcode == OPCODE_SELECT_TYPED) {
        bodies_parametric(m, v, d);
    } else if (d->opcode == OPCODE_LOCAL_GET || d->opcode == OPCODE_LOCAL_SET || d->opcode == OPCODE_LOCAL_TEE) {
        bodies_local_variable(m, v, d);
    } else if (d->opcode == OPCODE_GLOBAL_GET || d->opcode == OPCODE_GLOBAL_SET) {
        bodies_global_variable(m, v, d);
    } else if (d->opcode == OPCODE_REF_NULL || d->opcode == OPCODE_REF_IS_NULL || d->opcode == OPCODE_REF_FUNC) {
        bodies_reference(m, v, d);
    } else {
        bodies_table_access(m, v, d);
    }
}

/* Check an instruction with the types of its row. What it names must exist.

   Ensures: within_block. */
void bodies_fixed(struct module *m, struct validation *v, const struct decoded *d)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_within_block(v));
    uint8_t width = WIDTH[d->opcode];
    if ((width != 0 || bodies_uses_memory(d->opcode)) && m->counts.memories == 0) {
        reader_refuse(m, REFUSAL_UNKNOWN_MEMORY, d->at);
    }
    if (width != 0 && (d->value > 3 || shift_left_64(1, d->value) > width)) {
        reader_refuse(m, REFUSAL_ALIGNMENT, d->at);
    }
    bodies_named(m, d);
    if (OPERAND_COUNT[d->opcode] > 0) {
        operand_types_expect(m, v, LAST_OPERAND[d->opcode]);
    }
    if (OPERAND_COUNT[d->opcode] > 1) {
        operand_types_expect(m, v, FIRST_OPERAND[d->opcode]);
    }
    if (OPERAND_COUNT[d->opcode] > 2) {
        operand_types_expect(m, v, FIRST_OPERAND[d->opcode]);
    }
    if (RESULT[d->opcode] != 0) {
        operand_types_push(m, v, RESULT[d->opcode]);
    }
}

/* Is an instruction on the memory as a whole? */
bool bodies_uses_memory(opcode_t opcode)
{
    return opcode == OPCODE_MEMORY_SIZE || opcode == OPCODE_MEMORY_GROW || opcode == OPCODE_MEMORY_INIT ||
           opcode == OPCODE_MEMORY_COPY || opcode == OPCODE_MEMORY_FILL;
}

/* Check that the segments and tables that an instruction names exist and fit each other. */
void bodies_named(struct module *m, const struct decoded *d)
{
    REQUIRES(room_counted(m));
    if ((d->opcode == OPCODE_MEMORY_INIT || d->opcode == OPCODE_DATA_DROP) && d->value >= m->data_count) {
        reader_refuse(m, REFUSAL_UNKNOWN_DATA, d->at);
    }
    if (d->opcode == OPCODE_ELEM_DROP && d->value >= m->counts.elements) {
        reader_refuse(m, REFUSAL_UNKNOWN_ELEMENT, d->at);
    }
    if (d->opcode == OPCODE_TABLE_SIZE && d->value >= m->counts.tables) {
        reader_refuse(m, REFUSAL_UNKNOWN_TABLE, d->at);
    }
    if (d->opcode == OPCODE_TABLE_INIT) {
        value_type_t segment = bodies_element_type(m, d);
        value_type_t table = bodies_table_type(m, d->second, d->at);
        if (segment != table) {
            operand_types_mismatch(m);
        }
    }
    if (d->opcode == OPCODE_TABLE_COPY) {
        value_type_t target = bodies_table_type(m, d->value, d->at);
        value_type_t source = bodies_table_type(m, d->second, d->at);
        if (source != target) {
            operand_types_mismatch(m);
        }
    }
}

/* Return the type of the elements of a table, which must exist. */
value_type_t bodies_table_type(struct module *m, uint64_t table, uint32_t at)
{
    REQUIRES(room_counted(m));
    if (table >= m->counts.tables) {
        reader_refuse(m, REFUSAL_UNKNOWN_TABLE, at);
        return VALUE_TYPE_UNKNOWN;
    }
    return m->tables.at[table].element;
}

/* Return the type of the element segment that an instruction names, which must exist. */
value_type_t bodies_element_type(struct module *m, const struct decoded *d)
{
    REQUIRES(room_counted(m));
    if (d->value >= m->counts.elements) {
        reader_refuse(m, REFUSAL_UNKNOWN_ELEMENT, d->at);
        return VALUE_TYPE_UNKNOWN;
    }
    return m->elements.at[d->value].type;
}

/* Check a call: the function must exist; it takes its parameters and leaves its results.

   Ensures: within_block. */
void bodies_call(struct module *m, struct validation *v, const struct decoded *d)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_within_block(v));
    if (d->value >= m->counts.functions) {
        reader_refuse(m, REFUSAL_UNKNOWN_FUNCTION, d->at);
        return;
    }
    bodies_apply_type(m, v, d, m->functions.at[d->value].type);
}

/* Check a call to a function of a type, found in a table.

   Ensures: within_block. */
void bodies_call_indirect(struct module *m, struct validation *v, const struct decoded *d)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_within_block(v));
    value_type_t found = bodies_table_type(m, d->second, d->at);
    if (found != VALUE_TYPE_FUNCREF) {
        operand_types_mismatch(m);
    }
    operand_types_expect(m, v, VALUE_TYPE_I32);
    bodies_apply_type(m, v, d, d->value);
}

/* Pop and push operands as a function type says.

   Ensures: within_block. */
void bodies_apply_type(struct module *m, struct validation *v, const struct decoded *d, uint64_t type_)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_within_block(v));
    if (type_ >= m->counts.types) {
        reader_refuse(m, REFUSAL_UNKNOWN_TYPE, d->at);
        return;
    }
    operand_types_expect_all(m, v, &m->types.at[type_].parameters);
    operand_types_push_all(m, v, &m->types.at[type_].results);
}

/* Check `drop` and both forms of `select`.

   Ensures: within_block. */
void bodies_parametric(struct module *m, struct validation *v, const struct decoded *d)
{
    REQUIRES(room_within_block(v));
    if (d->opcode == OPCODE_DROP) {
        bodies_drop(m, v);
        return;
    }
    operand_types_expect(m, v, VALUE_TYPE_I32);
    if (d->opcode == OPCODE_SELECT_TYPED) {
        if (d->vector.count != 1) {
            reader_refuse(m, REFUSAL_RESULT_ARITY, d->at);
        }
        value_type_t type_ = operand_types_type_at(m, &d->vector, 0);
        operand_types_expect(m, v, type_);
        operand_types_expect(m, v, type_);
        operand_types_push(m, v, type_);
        return;
    }
    value_type_t one = operand_types_pop(m, v);
    value_type_t other = operand_types_pop(m, v);
    if (operand_types_is_reference(one) || operand_types_is_reference(other) ||
        (one != other && one != VALUE_TYPE_UNKNOWN && other != VALUE_TYPE_UNKNOWN)) {
        operand_types_mismatch(m);
    }
    operand_types_push(m, v, one == VALUE_TYPE_UNKNOWN ? other : one);
}

/* Pop the topmost operand, of any type.

   Ensures: within_block. */
void bodies_drop(struct module *m, struct validation *v)
{
    REQUIRES(room_within_block(v));
    operand_types_expect(m, v, VALUE_TYPE_UNKNOWN);
}

/* Check `local.get`, `local.set` and `local.tee`.

   Ensures: within_block. */
void bodies_local_variable(struct module *m, struct validation *v, const struct decoded *d)
{
    REQUIRES(room_within_block(v));
    if (d->value >= v->local_count || d->value >= v->locals.length) {
        reader_refuse(m, REFUSAL_UNKNOWN_LOCAL, d->at);
        return;
    }
    value_type_t type_ = v->locals.at[d->value];
    if (d->opcode != OPCODE_LOCAL_GET) {
        operand_types_expect(m, v, type_);
    }
    if (d->opcode != OPCODE_LOCAL_SET) {
        operand_types_push(m, v, type_);
    }
}

/* Check `global.get` and `global.set`.

   Ensures: within_block. */
void bodies_global_variable(struct module *m, struct validation *v, const struct decoded *d)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_within_block(v));
    if (d->value >= m->counts.globals) {
        reader_refuse(m, REFUSAL_UNKNOWN_GLOBAL, d->at);
        return;
    }
    if (d->opcode == OPCODE_GLOBAL_GET) {
        operand_types_push(m, v, m->globals.at[d->value].type);
        return;
    }
    if (!m->globals.at[d->value].mutable) {
        reader_refuse(m, REFUSAL_IMMUTABLE_GLOBAL, d->at);
    }
    operand_types_expect(m, v, m->globals.at[d->value].type);
}

/* Check `ref.null`, `ref.is_null` and `ref.func`.

   Ensures: within_block. */
void bodies_reference(struct module *m, struct validation *v, const struct decoded *d)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_within_block(v));
    if (d->opcode == OPCODE_REF_NULL) {
        operand_types_push(m, v, d->type);
    } else if (d->opcode == OPCODE_REF_IS_NULL) {
        value_type_t found = operand_types_pop(m, v);
        if (!operand_types_is_reference(found) && found != VALUE_TYPE_UNKNOWN) {
            operand_types_mismatch(m);
        }
        operand_types_push(m, v, VALUE_TYPE_I32);
    } else {
        if (d->value >= m->counts.functions) {
            reader_refuse(m, REFUSAL_UNKNOWN_FUNCTION, d->at);
        } else if (!m->functions.at[d->value].declared) {
            reader_refuse(m, REFUSAL_UNDECLARED_REFERENCE, d->at);
        }
        operand_types_push(m, v, VALUE_TYPE_FUNCREF);
    }
}

/* Check `table.get`, `table.set`, `table.grow` and `table.fill`.

   Ensures: within_block. */
void bodies_table_access(struct module *m, struct validation *v, const struct decoded *d)
{
    REQUIRES(room_counted(m));
    REQUIRES(room_within_block(v));
    value_type_t type_ = bodies_table_type(m, d->value, d->at);
    if (d->opcode == OPCODE_TABLE_GROW || d->opcode == OPCODE_TABLE_FILL) {
        operand_types_expect(m, v, VALUE_TYPE_I32);
    }
    if (d->opcode != OPCODE_TABLE_GET) {
        operand_types_expect(m, v, type_);
    }
    if (d->opcode != OPCODE_TABLE_GROW) {
        operand_types_expect(m, v, VALUE_TYPE_I32);
    }
    if (d->opcode == OPCODE_TABLE_GET) {
        operand_types_push(m, v, type_);
    }
    if (d->opcode == OPCODE_TABLE_GROW) {
        operand_types_push(m, v, VALUE_TYPE_I32);
    }
}
