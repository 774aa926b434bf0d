/* Generated from spec/wasm/floats.py, codegen/floats.py
   with codegen/templates/floats.h.j2: edit those, not this.
   Content: sha256 4085394da5abd139 */

/* What do the floating-point instructions of WebAssembly compute?
 *
 * No library is needed, and no flag but -ffp-contract=off: a product and a sum are rounded apart. The processor must
 * round to nearest, keep subnormal numbers and take no exceptions: MXCSR is 0x1f80, FPCR 0.
 */

#ifndef VECTORS_FLOATS_H
#define VECTORS_FLOATS_H

#include <float.h>
#include <stdbool.h>
#include <stdint.h>

#if FLT_EVAL_METHOD != 0
#error "every result must be rounded to its own format"
#endif

#define F32_SIGN 0x80000000
#define F64_SIGN 0x8000000000000000
#define F32_NAN 0x7fc00000
#define F64_NAN 0x7ff8000000000000

/* The number that a pattern stands for. */
static inline float f32_value(uint32_t a)
{
    float x;
    __builtin_memcpy(&x, &a, sizeof x);
    return x;
}

/* The pattern of a number: of every NaN, the canonical one. */
static inline uint32_t f32_bits(float x)
{
    uint32_t a;
    __builtin_memcpy(&a, &x, sizeof a);
    return x == x ? a : F32_NAN;
}

/* The number that a pattern stands for. */
static inline double f64_value(uint64_t a)
{
    double x;
    __builtin_memcpy(&x, &a, sizeof x);
    return x;
}

/* The pattern of a number: of every NaN, the canonical one. */
static inline uint64_t f64_bits(double x)
{
    uint64_t a;
    __builtin_memcpy(&a, &x, sizeof a);
    return x == x ? a : F64_NAN;
}

/* Rounding to integers; where the processor has no instruction for it, there must be no call of a library either. */
#if defined(__aarch64__) || defined(__SSE4_1__)

static inline float f32_whole_roundeven(float x)
{
    return __builtin_elementwise_roundeven(x);
}

static inline float f32_whole_floor(float x)
{
    return __builtin_elementwise_floor(x);
}

static inline float f32_whole_ceil(float x)
{
    return __builtin_elementwise_ceil(x);
}

static inline float f32_whole_trunc(float x)
{
    return __builtin_elementwise_trunc(x);
}

static inline double f64_whole_roundeven(double x)
{
    return __builtin_elementwise_roundeven(x);
}

static inline double f64_whole_floor(double x)
{
    return __builtin_elementwise_floor(x);
}

static inline double f64_whole_ceil(double x)
{
    return __builtin_elementwise_ceil(x);
}

static inline double f64_whole_trunc(double x)
{
    return __builtin_elementwise_trunc(x);
}

#else

/* Numbers from 1 / epsilon on are integers: adding it rounds the fraction away. The sign stays, also of a zero. */
static inline float f32_whole_roundeven(float x)
{
    float large = 1 / FLT_EPSILON, shift = __builtin_elementwise_copysign(large, x);
    float whole = __builtin_elementwise_copysign(x + shift - shift, x);
    return __builtin_elementwise_abs(x) < large ? whole : x;
}

static inline float f32_whole_floor(float x)
{
    float whole = f32_whole_roundeven(x);
    return whole > x ? whole - 1 : whole;
}

static inline float f32_whole_ceil(float x)
{
    return -f32_whole_floor(-x);
}

static inline float f32_whole_trunc(float x)
{
    return __builtin_elementwise_copysign(f32_whole_floor(__builtin_elementwise_abs(x)), x);
}

/* Numbers from 1 / epsilon on are integers: adding it rounds the fraction away. The sign stays, also of a zero. */
static inline double f64_whole_roundeven(double x)
{
    double large = 1 / DBL_EPSILON, shift = __builtin_elementwise_copysign(large, x);
    double whole = __builtin_elementwise_copysign(x + shift - shift, x);
    return __builtin_elementwise_abs(x) < large ? whole : x;
}

static inline double f64_whole_floor(double x)
{
    double whole = f64_whole_roundeven(x);
    return whole > x ? whole - 1 : whole;
}

static inline double f64_whole_ceil(double x)
{
    return -f64_whole_floor(-x);
}

static inline double f64_whole_trunc(double x)
{
    return __builtin_elementwise_copysign(f64_whole_floor(__builtin_elementwise_abs(x)), x);
}

#endif

/* Is a number without its fraction a signed integer of 32 bits? */
static inline bool i32_s_fits(double x)
{
    return x > -0x1p31 - 1 && x < 0x1p31;
}

/* The signed integer of 32 bits nearest to a number without its fraction; of NaN, 0. */
static inline uint32_t i32_s_saturated(double x)
{
    if (i32_s_fits(x)) {
        return (uint32_t)(int32_t)x;
    }
    return x < 0 ? (uint32_t)INT32_MIN : x > 0 ? INT32_MAX : 0;
}

/* Is a number without its fraction an unsigned integer of 32 bits? */
static inline bool i32_u_fits(double x)
{
    return x > -1 && x < 0x1p32;
}

/* The unsigned integer of 32 bits nearest to a number without its fraction; of NaN, 0. */
static inline uint32_t i32_u_saturated(double x)
{
    if (i32_u_fits(x)) {
        return (uint32_t)x;
    }
    return x > 0 ? UINT32_MAX : 0;
}

/* Is a number without its fraction a signed integer of 64 bits? */
static inline bool i64_s_fits(double x)
{
    return x >= -0x1p63 && x < 0x1p63;
}

/* The signed integer of 64 bits nearest to a number without its fraction; of NaN, 0. */
static inline uint64_t i64_s_saturated(double x)
{
    if (i64_s_fits(x)) {
        return (uint64_t)(int64_t)x;
    }
    return x < 0 ? (uint64_t)INT64_MIN : x > 0 ? INT64_MAX : 0;
}

/* Is a number without its fraction an unsigned integer of 64 bits? */
static inline bool i64_u_fits(double x)
{
    return x > -1 && x < 0x1p64;
}

/* The unsigned integer of 64 bits nearest to a number without its fraction; of NaN, 0. */
static inline uint64_t i64_u_saturated(double x)
{
    if (i64_u_fits(x)) {
        return (uint64_t)x;
    }
    return x > 0 ? UINT64_MAX : 0;
}

/* The sum. */
static inline uint32_t f32_add(uint32_t a, uint32_t b)
{
    return f32_bits(f32_value(a) + f32_value(b));
}

/* The difference. */
static inline uint32_t f32_sub(uint32_t a, uint32_t b)
{
    return f32_bits(f32_value(a) - f32_value(b));
}

/* The product. */
static inline uint32_t f32_mul(uint32_t a, uint32_t b)
{
    return f32_bits(f32_value(a) * f32_value(b));
}

/* The quotient. Division by zero gives an infinity, or NaN for 0 / 0. */
static inline uint32_t f32_div(uint32_t a, uint32_t b)
{
    return f32_bits(f32_value(a) / f32_value(b));
}

/* The square root, or NaN for a number less than zero. */
static inline uint32_t f32_sqrt(uint32_t a)
{
    return f32_bits(__builtin_elementwise_sqrt(f32_value(a)));
}

/* The smaller number, with -0 less than +0, or NaN if either is NaN. */
static inline uint32_t f32_min(uint32_t a, uint32_t b)
{
    return f32_bits(__builtin_elementwise_minimum(f32_value(a), f32_value(b)));
}

/* The larger number, with -0 less than +0, or NaN if either is NaN. */
static inline uint32_t f32_max(uint32_t a, uint32_t b)
{
    return f32_bits(__builtin_elementwise_maximum(f32_value(a), f32_value(b)));
}

/* The least integer that is not less. The sign is kept, even on zero. */
static inline uint32_t f32_ceil(uint32_t a)
{
    return f32_bits(f32_whole_ceil(f32_value(a)));
}

/* The greatest integer that is not greater. The sign is kept, even on zero. */
static inline uint32_t f32_floor(uint32_t a)
{
    return f32_bits(f32_whole_floor(f32_value(a)));
}

/* The number without its fraction. The sign is kept, even on zero. */
static inline uint32_t f32_trunc(uint32_t a)
{
    return f32_bits(f32_whole_trunc(f32_value(a)));
}

/* The nearest integer, ties to even. The sign is kept, even on zero. */
static inline uint32_t f32_nearest(uint32_t a)
{
    return f32_bits(f32_whole_roundeven(f32_value(a)));
}

/* The same with a positive sign. */
static inline uint32_t f32_abs(uint32_t a)
{
    return a & ~F32_SIGN;
}

/* The same with the opposite sign. */
static inline uint32_t f32_neg(uint32_t a)
{
    return a ^ F32_SIGN;
}

/* `a` with the sign of `b`. */
static inline uint32_t f32_copysign(uint32_t a, uint32_t b)
{
    return (a & ~F32_SIGN) | (b & F32_SIGN);
}

/* Are they equal? */
static inline bool f32_eq(uint32_t a, uint32_t b)
{
    return f32_value(a) == f32_value(b);
}

/* Are they different, or is either NaN? */
static inline bool f32_ne(uint32_t a, uint32_t b)
{
    return f32_value(a) != f32_value(b);
}

/* Is `a` less than `b`? */
static inline bool f32_lt(uint32_t a, uint32_t b)
{
    return f32_value(a) < f32_value(b);
}

/* Is `a` greater than `b`? */
static inline bool f32_gt(uint32_t a, uint32_t b)
{
    return f32_value(a) > f32_value(b);
}

/* Is `a` less than or equal to `b`? */
static inline bool f32_le(uint32_t a, uint32_t b)
{
    return f32_value(a) <= f32_value(b);
}

/* Is `a` greater than or equal to `b`? */
static inline bool f32_ge(uint32_t a, uint32_t b)
{
    return f32_value(a) >= f32_value(b);
}

/* The sum. */
static inline uint64_t f64_add(uint64_t a, uint64_t b)
{
    return f64_bits(f64_value(a) + f64_value(b));
}

/* The difference. */
static inline uint64_t f64_sub(uint64_t a, uint64_t b)
{
    return f64_bits(f64_value(a) - f64_value(b));
}

/* The product. */
static inline uint64_t f64_mul(uint64_t a, uint64_t b)
{
    return f64_bits(f64_value(a) * f64_value(b));
}

/* The quotient. Division by zero gives an infinity, or NaN for 0 / 0. */
static inline uint64_t f64_div(uint64_t a, uint64_t b)
{
    return f64_bits(f64_value(a) / f64_value(b));
}

/* The square root, or NaN for a number less than zero. */
static inline uint64_t f64_sqrt(uint64_t a)
{
    return f64_bits(__builtin_elementwise_sqrt(f64_value(a)));
}

/* The smaller number, with -0 less than +0, or NaN if either is NaN. */
static inline uint64_t f64_min(uint64_t a, uint64_t b)
{
    return f64_bits(__builtin_elementwise_minimum(f64_value(a), f64_value(b)));
}

/* The larger number, with -0 less than +0, or NaN if either is NaN. */
static inline uint64_t f64_max(uint64_t a, uint64_t b)
{
    return f64_bits(__builtin_elementwise_maximum(f64_value(a), f64_value(b)));
}

/* The least integer that is not less. The sign is kept, even on zero. */
static inline uint64_t f64_ceil(uint64_t a)
{
    return f64_bits(f64_whole_ceil(f64_value(a)));
}

/* The greatest integer that is not greater. The sign is kept, even on zero. */
static inline uint64_t f64_floor(uint64_t a)
{
    return f64_bits(f64_whole_floor(f64_value(a)));
}

/* The number without its fraction. The sign is kept, even on zero. */
static inline uint64_t f64_trunc(uint64_t a)
{
    return f64_bits(f64_whole_trunc(f64_value(a)));
}

/* The nearest integer, ties to even. The sign is kept, even on zero. */
static inline uint64_t f64_nearest(uint64_t a)
{
    return f64_bits(f64_whole_roundeven(f64_value(a)));
}

/* The same with a positive sign. */
static inline uint64_t f64_abs(uint64_t a)
{
    return a & ~F64_SIGN;
}

/* The same with the opposite sign. */
static inline uint64_t f64_neg(uint64_t a)
{
    return a ^ F64_SIGN;
}

/* `a` with the sign of `b`. */
static inline uint64_t f64_copysign(uint64_t a, uint64_t b)
{
    return (a & ~F64_SIGN) | (b & F64_SIGN);
}

/* Are they equal? */
static inline bool f64_eq(uint64_t a, uint64_t b)
{
    return f64_value(a) == f64_value(b);
}

/* Are they different, or is either NaN? */
static inline bool f64_ne(uint64_t a, uint64_t b)
{
    return f64_value(a) != f64_value(b);
}

/* Is `a` less than `b`? */
static inline bool f64_lt(uint64_t a, uint64_t b)
{
    return f64_value(a) < f64_value(b);
}

/* Is `a` greater than `b`? */
static inline bool f64_gt(uint64_t a, uint64_t b)
{
    return f64_value(a) > f64_value(b);
}

/* Is `a` less than or equal to `b`? */
static inline bool f64_le(uint64_t a, uint64_t b)
{
    return f64_value(a) <= f64_value(b);
}

/* Is `a` greater than or equal to `b`? */
static inline bool f64_ge(uint64_t a, uint64_t b)
{
    return f64_value(a) >= f64_value(b);
}

/* The nearest f32. */
static inline uint32_t f32_demote_f64(uint64_t a)
{
    return f32_bits((float)f64_value(a));
}

/* The same number. */
static inline uint64_t f64_promote_f32(uint32_t a)
{
    return f64_bits(f32_value(a));
}

/* The f32 nearest to a signed integer. */
static inline uint32_t f32_convert_i32_s(uint32_t a)
{
    return f32_bits((float)(int32_t)a);
}

/* The f32 nearest to an unsigned integer. */
static inline uint32_t f32_convert_i32_u(uint32_t a)
{
    return f32_bits((float)(uint32_t)a);
}

/* The f32 nearest to a signed integer. */
static inline uint32_t f32_convert_i64_s(uint64_t a)
{
    return f32_bits((float)(int64_t)a);
}

/* The f32 nearest to an unsigned integer. */
static inline uint32_t f32_convert_i64_u(uint64_t a)
{
    return f32_bits((float)(uint64_t)a);
}

/* The f64 nearest to a signed integer. */
static inline uint64_t f64_convert_i32_s(uint32_t a)
{
    return f64_bits((double)(int32_t)a);
}

/* The f64 nearest to an unsigned integer. */
static inline uint64_t f64_convert_i32_u(uint32_t a)
{
    return f64_bits((double)(uint32_t)a);
}

/* The f64 nearest to a signed integer. */
static inline uint64_t f64_convert_i64_s(uint64_t a)
{
    return f64_bits((double)(int64_t)a);
}

/* The f64 nearest to an unsigned integer. */
static inline uint64_t f64_convert_i64_u(uint64_t a)
{
    return f64_bits((double)(uint64_t)a);
}

/* The signed integer nearest to the truncated number; for NaN, 0. */
static inline uint32_t i32_trunc_sat_f32_s(uint32_t a)
{
    return i32_s_saturated(f32_value(a));
}

/* Does the truncated number fit a signed 32-bit integer? */
static inline bool i32_trunc_f32_s_fits(uint32_t a)
{
    return i32_s_fits(f32_value(a));
}

/* The unsigned integer nearest to the truncated number; for NaN, 0. */
static inline uint32_t i32_trunc_sat_f32_u(uint32_t a)
{
    return i32_u_saturated(f32_value(a));
}

/* Does the truncated number fit an unsigned 32-bit integer? */
static inline bool i32_trunc_f32_u_fits(uint32_t a)
{
    return i32_u_fits(f32_value(a));
}

/* The signed integer nearest to the truncated number; for NaN, 0. */
static inline uint32_t i32_trunc_sat_f64_s(uint64_t a)
{
    return i32_s_saturated(f64_value(a));
}

/* Does the truncated number fit a signed 32-bit integer? */
static inline bool i32_trunc_f64_s_fits(uint64_t a)
{
    return i32_s_fits(f64_value(a));
}

/* The unsigned integer nearest to the truncated number; for NaN, 0. */
static inline uint32_t i32_trunc_sat_f64_u(uint64_t a)
{
    return i32_u_saturated(f64_value(a));
}

/* Does the truncated number fit an unsigned 32-bit integer? */
static inline bool i32_trunc_f64_u_fits(uint64_t a)
{
    return i32_u_fits(f64_value(a));
}

/* The signed integer nearest to the truncated number; for NaN, 0. */
static inline uint64_t i64_trunc_sat_f32_s(uint32_t a)
{
    return i64_s_saturated(f32_value(a));
}

/* Does the truncated number fit a signed 64-bit integer? */
static inline bool i64_trunc_f32_s_fits(uint32_t a)
{
    return i64_s_fits(f32_value(a));
}

/* The unsigned integer nearest to the truncated number; for NaN, 0. */
static inline uint64_t i64_trunc_sat_f32_u(uint32_t a)
{
    return i64_u_saturated(f32_value(a));
}

/* Does the truncated number fit an unsigned 64-bit integer? */
static inline bool i64_trunc_f32_u_fits(uint32_t a)
{
    return i64_u_fits(f32_value(a));
}

/* The signed integer nearest to the truncated number; for NaN, 0. */
static inline uint64_t i64_trunc_sat_f64_s(uint64_t a)
{
    return i64_s_saturated(f64_value(a));
}

/* Does the truncated number fit a signed 64-bit integer? */
static inline bool i64_trunc_f64_s_fits(uint64_t a)
{
    return i64_s_fits(f64_value(a));
}

/* The unsigned integer nearest to the truncated number; for NaN, 0. */
static inline uint64_t i64_trunc_sat_f64_u(uint64_t a)
{
    return i64_u_saturated(f64_value(a));
}

/* Does the truncated number fit an unsigned 64-bit integer? */
static inline bool i64_trunc_f64_u_fits(uint64_t a)
{
    return i64_u_fits(f64_value(a));
}

#endif
