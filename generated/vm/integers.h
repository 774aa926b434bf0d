/* Generated from spec/wasm/bytecodes.py, spec/wasm/internal.py, spec/wasm/opcodes.py, spec/wasm/integers.py,
   codegen/handlers.py
   with codegen/templates/integers.h.j2: edit those, not this.
   Content: sha256 0a52dcbea50e3a21 */

#ifndef VM_INTEGERS_H
#define VM_INTEGERS_H

#include "builtins.h"
#include "types.h"

/* Is it zero? */
static inline bool integers_i32_eqz(uint32_t a)
{
    return a == 0;
}

/* Are both equal? */
static inline bool integers_i32_eq(uint32_t a, uint32_t b)
{
    return a == b;
}

/* Do they differ? */
static inline bool integers_i32_ne(uint32_t a, uint32_t b)
{
    return a != b;
}

/* Is `a` less than `b`, in two's complement? */
static inline bool integers_i32_lt_s(uint32_t a, uint32_t b)
{
    return (int32_t)a < (int32_t)b;
}

/* Is `a` less than `b`? */
static inline bool integers_i32_lt_u(uint32_t a, uint32_t b)
{
    return a < b;
}

/* Is `a` greater than `b`, in two's complement? */
static inline bool integers_i32_gt_s(uint32_t a, uint32_t b)
{
    return (int32_t)b < (int32_t)a;
}

/* Is `a` greater than `b`? */
static inline bool integers_i32_gt_u(uint32_t a, uint32_t b)
{
    return a > b;
}

/* Is `a` less than or equal to `b`, in two's complement? */
static inline bool integers_i32_le_s(uint32_t a, uint32_t b)
{
    return !((int32_t)b < (int32_t)a);
}

/* Is `a` less than or equal to `b`? */
static inline bool integers_i32_le_u(uint32_t a, uint32_t b)
{
    return a <= b;
}

/* Is `a` greater than or equal to `b`, in two's complement? */
static inline bool integers_i32_ge_s(uint32_t a, uint32_t b)
{
    return !((int32_t)a < (int32_t)b);
}

/* Is `a` greater than or equal to `b`? */
static inline bool integers_i32_ge_u(uint32_t a, uint32_t b)
{
    return a >= b;
}

/* The number of leading zero bits. */
static inline uint32_t integers_i32_clz(uint32_t a)
{
    return leading_zeros_32(a);
}

/* The number of trailing zero bits. */
static inline uint32_t integers_i32_ctz(uint32_t a)
{
    return trailing_zeros_32(a);
}

/* The number of one bits. */
static inline uint32_t integers_i32_popcnt(uint32_t a)
{
    return ones_32(a);
}

/* The sum, modulo 2 to the power of the width. */
static inline uint32_t integers_i32_add(uint32_t a, uint32_t b)
{
    return a + b;
}

/* The difference, modulo 2 to the power of the width. */
static inline uint32_t integers_i32_sub(uint32_t a, uint32_t b)
{
    return a - b;
}

/* The product, modulo 2 to the power of the width. */
static inline uint32_t integers_i32_mul(uint32_t a, uint32_t b)
{
    return a * b;
}

/* The quotient in two's complement, rounded towards zero. */
static inline uint32_t integers_i32_div_s(uint32_t a, uint32_t b)
{
    return signed_divide_32(a, b);
}

/* Trap on division by zero, and on the least number by minus one: its quotient does not fit. */
static inline trap_t integers_i32_div_s_trap(uint32_t a, uint32_t b)
{
    if (b == 0) {
        return TRAP_DIVISION_BY_ZERO;
    }
    return signed_overflows_32(a, b) ? TRAP_INTEGER_OVERFLOW : TRAP_NONE;
}

/* The quotient, rounded down. */
static inline uint32_t integers_i32_div_u(uint32_t a, uint32_t b)
{
    return a / b;
}

/* Trap on division by zero. */
static inline trap_t integers_i32_div_u_trap(uint32_t a, uint32_t b)
{
    (void)a;
    return b == 0 ? TRAP_DIVISION_BY_ZERO : TRAP_NONE;
}

/* The remainder in two's complement, with the sign of the dividend. */
static inline uint32_t integers_i32_rem_s(uint32_t a, uint32_t b)
{
    return signed_remainder_32(a, b);
}

/* Trap on division by zero. */
static inline trap_t integers_i32_rem_s_trap(uint32_t a, uint32_t b)
{
    (void)a;
    return b == 0 ? TRAP_DIVISION_BY_ZERO : TRAP_NONE;
}

/* The remainder. */
static inline uint32_t integers_i32_rem_u(uint32_t a, uint32_t b)
{
    return a % b;
}

/* Trap on division by zero. */
static inline trap_t integers_i32_rem_u_trap(uint32_t a, uint32_t b)
{
    (void)a;
    return b == 0 ? TRAP_DIVISION_BY_ZERO : TRAP_NONE;
}

/* The bits that are set in both. */
static inline uint32_t integers_i32_and(uint32_t a, uint32_t b)
{
    return a & b;
}

/* The bits that are set in either. */
static inline uint32_t integers_i32_or(uint32_t a, uint32_t b)
{
    return a | b;
}

/* The bits that are set in exactly one. */
static inline uint32_t integers_i32_xor(uint32_t a, uint32_t b)
{
    return a ^ b;
}

/* `a` shifted left, by a count modulo the width. */
static inline uint32_t integers_i32_shl(uint32_t a, uint32_t b)
{
    return shift_left_32(a, b);
}

/* `a` shifted right by a count modulo the width, filled with copies of the sign. */
static inline uint32_t integers_i32_shr_s(uint32_t a, uint32_t b)
{
    return shift_right_signed_32(a, b);
}

/* `a` shifted right, by a count modulo the width. */
static inline uint32_t integers_i32_shr_u(uint32_t a, uint32_t b)
{
    return shift_right_32(a, b);
}

/* `a` rotated left. */
static inline uint32_t integers_i32_rotl(uint32_t a, uint32_t b)
{
    return rotated_left_32(a, b);
}

/* `a` rotated right. */
static inline uint32_t integers_i32_rotr(uint32_t a, uint32_t b)
{
    return rotated_right_32(a, b);
}

/* The low 8 bits, sign-extended. */
static inline uint32_t integers_i32_extend8_s(uint32_t a)
{
    return sign_extend_32(a, 8);
}

/* The low 16 bits, sign-extended. */
static inline uint32_t integers_i32_extend16_s(uint32_t a)
{
    return sign_extend_32(a, 16);
}

/* Is it zero? */
static inline bool integers_i64_eqz(uint64_t a)
{
    return a == 0;
}

/* Are both equal? */
static inline bool integers_i64_eq(uint64_t a, uint64_t b)
{
    return a == b;
}

/* Do they differ? */
static inline bool integers_i64_ne(uint64_t a, uint64_t b)
{
    return a != b;
}

/* Is `a` less than `b`, in two's complement? */
static inline bool integers_i64_lt_s(uint64_t a, uint64_t b)
{
    return (int64_t)a < (int64_t)b;
}

/* Is `a` less than `b`? */
static inline bool integers_i64_lt_u(uint64_t a, uint64_t b)
{
    return a < b;
}

/* Is `a` greater than `b`, in two's complement? */
static inline bool integers_i64_gt_s(uint64_t a, uint64_t b)
{
    return (int64_t)b < (int64_t)a;
}

/* Is `a` greater than `b`? */
static inline bool integers_i64_gt_u(uint64_t a, uint64_t b)
{
    return a > b;
}

/* Is `a` less than or equal to `b`, in two's complement? */
static inline bool integers_i64_le_s(uint64_t a, uint64_t b)
{
    return !((int64_t)b < (int64_t)a);
}

/* Is `a` less than or equal to `b`? */
static inline bool integers_i64_le_u(uint64_t a, uint64_t b)
{
    return a <= b;
}

/* Is `a` greater than or equal to `b`, in two's complement? */
static inline bool integers_i64_ge_s(uint64_t a, uint64_t b)
{
    return !((int64_t)a < (int64_t)b);
}

/* Is `a` greater than or equal to `b`? */
static inline bool integers_i64_ge_u(uint64_t a, uint64_t b)
{
    return a >= b;
}

/* The number of leading zero bits. */
static inline uint64_t integers_i64_clz(uint64_t a)
{
    return leading_zeros_64(a);
}

/* The number of trailing zero bits. */
static inline uint64_t integers_i64_ctz(uint64_t a)
{
    return trailing_zeros_64(a);
}

/* The number of one bits. */
static inline uint64_t integers_i64_popcnt(uint64_t a)
{
    return ones_64(a);
}

/* The sum, modulo 2 to the power of the width. */
static inline uint64_t integers_i64_add(uint64_t a, uint64_t b)
{
    return a + b;
}

/* The difference, modulo 2 to the power of the width. */
static inline uint64_t integers_i64_sub(uint64_t a, uint64_t b)
{
    return a - b;
}

/* The product, modulo 2 to the power of the width. */
static inline uint64_t integers_i64_mul(uint64_t a, uint64_t b)
{
    return a * b;
}

/* The quotient in two's complement, rounded towards zero. */
static inline uint64_t integers_i64_div_s(uint64_t a, uint64_t b)
{
    return signed_divide_64(a, b);
}

/* Trap on division by zero, and on the least number by minus one: its quotient does not fit. */
static inline trap_t integers_i64_div_s_trap(uint64_t a, uint64_t b)
{
    if (b == 0) {
        return TRAP_DIVISION_BY_ZERO;
    }
    return signed_overflows_64(a, b) ? TRAP_INTEGER_OVERFLOW : TRAP_NONE;
}

/* The quotient, rounded down. */
static inline uint64_t integers_i64_div_u(uint64_t a, uint64_t b)
{
    return a / b;
}

/* Trap on division by zero. */
static inline trap_t integers_i64_div_u_trap(uint64_t a, uint64_t b)
{
    (void)a;
    return b == 0 ? TRAP_DIVISION_BY_ZERO : TRAP_NONE;
}

/* The remainder in two's complement, with the sign of the dividend. */
static inline uint64_t integers_i64_rem_s(uint64_t a, uint64_t b)
{
    return signed_remainder_64(a, b);
}

/* Trap on division by zero. */
static inline trap_t integers_i64_rem_s_trap(uint64_t a, uint64_t b)
{
    (void)a;
    return b == 0 ? TRAP_DIVISION_BY_ZERO : TRAP_NONE;
}

/* The remainder. */
static inline uint64_t integers_i64_rem_u(uint64_t a, uint64_t b)
{
    return a % b;
}

/* Trap on division by zero. */
static inline trap_t integers_i64_rem_u_trap(uint64_t a, uint64_t b)
{
    (void)a;
    return b == 0 ? TRAP_DIVISION_BY_ZERO : TRAP_NONE;
}

/* The bits that are set in both. */
static inline uint64_t integers_i64_and(uint64_t a, uint64_t b)
{
    return a & b;
}

/* The bits that are set in either. */
static inline uint64_t integers_i64_or(uint64_t a, uint64_t b)
{
    return a | b;
}

/* The bits that are set in exactly one. */
static inline uint64_t integers_i64_xor(uint64_t a, uint64_t b)
{
    return a ^ b;
}

/* `a` shifted left, by a count modulo the width. */
static inline uint64_t integers_i64_shl(uint64_t a, uint64_t b)
{
    return shift_left_64(a, b);
}

/* `a` shifted right by a count modulo the width, filled with copies of the sign. */
static inline uint64_t integers_i64_shr_s(uint64_t a, uint64_t b)
{
    return shift_right_signed_64(a, b);
}

/* `a` shifted right, by a count modulo the width. */
static inline uint64_t integers_i64_shr_u(uint64_t a, uint64_t b)
{
    return shift_right_64(a, b);
}

/* `a` rotated left. */
static inline uint64_t integers_i64_rotl(uint64_t a, uint64_t b)
{
    return rotated_left_64(a, b);
}

/* `a` rotated right. */
static inline uint64_t integers_i64_rotr(uint64_t a, uint64_t b)
{
    return rotated_right_64(a, b);
}

/* The low 8 bits, sign-extended. */
static inline uint64_t integers_i64_extend8_s(uint64_t a)
{
    return sign_extend_64(a, 8);
}

/* The low 16 bits, sign-extended. */
static inline uint64_t integers_i64_extend16_s(uint64_t a)
{
    return sign_extend_64(a, 16);
}

/* The low 32 bits, sign-extended. */
static inline uint64_t integers_i64_extend32_s(uint64_t a)
{
    return sign_extend_64(a, 32);
}

/* The low 32 bits. */
static inline uint32_t integers_i32_wrap_i64(uint64_t a)
{
    return (uint32_t)a;
}

/* The same number, sign-extended. */
static inline uint64_t integers_i64_extend_i32_s(uint32_t a)
{
    return sign_extend_64(a, 32);
}

/* The same number. */
static inline uint64_t integers_i64_extend_i32_u(uint32_t a)
{
    return a;
}

#endif
