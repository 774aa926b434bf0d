/* Generated from model/wasm/decoder.py, spec/wasm/internal.py, spec/wasm/machine.py, spec/wasm/module.py,
   spec/wasm/opcodes.py, spec/wasm/refusals.py, spec/wasm/snapshot.py, spec/wasm/traps.py, spec/wasm/values.py
   with codegen/templates/types.h.j2: edit those, not this.
   Content: sha256 a390f8960dccba68 */

/* How large is everything, which names do all parts share, and what is the state? */

#ifndef VM_TYPES_H
#define VM_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits. */
#define PAGE 65536                      /* bytes of a page of memory */
#define NULL_REFERENCE 0                /* the null reference; that of a function is its number, counted from 1 */
#define MEMORY_PAGES 65536              /* the most that 32-bit addresses reach */
#define LOCALS 50000                    /* of one function, parameters included */
#define DEPTH 4096                      /* blocks within blocks */
#define OPERANDS 65536                  /* on the operand stack of one function */
#define ENTRIES 0x1000000               /* of any section */
#define NONE 0xffffffffu                /* no index */

/* The sections of a module. */
typedef uint8_t section_t;
enum {
    SECTION_CUSTOM = 0,
    SECTION_TYPE = 1,
    SECTION_IMPORT = 2,
    SECTION_FUNCTION = 3,
    SECTION_TABLE = 4,
    SECTION_MEMORY = 5,
    SECTION_GLOBAL = 6,
    SECTION_EXPORT = 7,
    SECTION_START = 8,
    SECTION_ELEMENT = 9,
    SECTION_CODE = 10,
    SECTION_DATA = 11,
    SECTION_DATA_COUNT = 12,
};

/* Every operation by its number. */
typedef uint16_t handler_t;
enum {
    HANDLER_EXIT = 0x000,
    HANDLER_CONST = 0x001,
    HANDLER_COPY = 0x002,
    HANDLER_COPY_TWO = 0x003,
    HANDLER_SELECT = 0x004,
    HANDLER_BR = 0x005,
    HANDLER_LOOP = 0x006,
    HANDLER_BR_TABLE = 0x007,
    HANDLER_CALL = 0x008,
    HANDLER_CALL_IMPORT = 0x009,
    HANDLER_CALL_INDIRECT = 0x00a,
    HANDLER_RETURN_NONE = 0x00b,
    HANDLER_RETURN_ONE = 0x00c,
    HANDLER_RETURN_MANY = 0x00d,
    HANDLER_TRAP_UNREACHABLE = 0x00e,
    HANDLER_GET_GLOBAL = 0x00f,
    HANDLER_SET_GLOBAL = 0x010,
    HANDLER_MEMORY_SIZE = 0x011,
    HANDLER_MEMORY_GROW = 0x012,
    HANDLER_MEMORY_COPY = 0x013,
    HANDLER_MEMORY_COPY_VALUE = 0x014,
    HANDLER_MEMORY_FILL = 0x015,
    HANDLER_MEMORY_INIT = 0x016,
    HANDLER_DATA_DROP = 0x017,
    HANDLER_TABLE_GET = 0x018,
    HANDLER_TABLE_SET = 0x019,
    HANDLER_TABLE_SIZE = 0x01a,
    HANDLER_TABLE_GROW = 0x01b,
    HANDLER_TABLE_FILL = 0x01c,
    HANDLER_TABLE_COPY = 0x01d,
    HANDLER_TABLE_INIT = 0x01e,
    HANDLER_ELEM_DROP = 0x01f,
    HANDLER_I32_LOAD = 0x020,
    HANDLER_I32_LOAD_FAR = 0x021,
    HANDLER_I32_LOAD_SUM = 0x022,
    HANDLER_I32_LOAD_SCALED = 0x023,
    HANDLER_I32_LOAD_SLOTS = 0x024,
    HANDLER_I64_LOAD = 0x025,
    HANDLER_I64_LOAD_FAR = 0x026,
    HANDLER_I64_LOAD_SUM = 0x027,
    HANDLER_I64_LOAD_SCALED = 0x028,
    HANDLER_I64_LOAD_SLOTS = 0x029,
    HANDLER_F32_LOAD = 0x02a,
    HANDLER_F32_LOAD_FAR = 0x02b,
    HANDLER_F32_LOAD_SUM = 0x02c,
    HANDLER_F32_LOAD_SCALED = 0x02d,
    HANDLER_F32_LOAD_SLOTS = 0x02e,
    HANDLER_F64_LOAD = 0x02f,
    HANDLER_F64_LOAD_FAR = 0x030,
    HANDLER_F64_LOAD_SUM = 0x031,
    HANDLER_F64_LOAD_SCALED = 0x032,
    HANDLER_F64_LOAD_SLOTS = 0x033,
    HANDLER_I32_LOAD8_S = 0x034,
    HANDLER_I32_LOAD8_S_FAR = 0x035,
    HANDLER_I32_LOAD8_S_SUM = 0x036,
    HANDLER_I32_LOAD8_S_SCALED = 0x037,
    HANDLER_I32_LOAD8_S_SLOTS = 0x038,
    HANDLER_I32_LOAD8_U = 0x039,
    HANDLER_I32_LOAD8_U_FAR = 0x03a,
    HANDLER_I32_LOAD8_U_SUM = 0x03b,
    HANDLER_I32_LOAD8_U_SCALED = 0x03c,
    HANDLER_I32_LOAD8_U_SLOTS = 0x03d,
    HANDLER_I32_LOAD16_S = 0x03e,
    HANDLER_I32_LOAD16_S_FAR = 0x03f,
    HANDLER_I32_LOAD16_S_SUM = 0x040,
    HANDLER_I32_LOAD16_S_SCALED = 0x041,
    HANDLER_I32_LOAD16_S_SLOTS = 0x042,
    HANDLER_I32_LOAD16_U = 0x043,
    HANDLER_I32_LOAD16_U_FAR = 0x044,
    HANDLER_I32_LOAD16_U_SUM = 0x045,
    HANDLER_I32_LOAD16_U_SCALED = 0x046,
    HANDLER_I32_LOAD16_U_SLOTS = 0x047,
    HANDLER_I64_LOAD8_S = 0x048,
    HANDLER_I64_LOAD8_S_FAR = 0x049,
    HANDLER_I64_LOAD8_S_SUM = 0x04a,
    HANDLER_I64_LOAD8_S_SCALED = 0x04b,
    HANDLER_I64_LOAD8_S_SLOTS = 0x04c,
    HANDLER_I64_LOAD8_U = 0x04d,
    HANDLER_I64_LOAD8_U_FAR = 0x04e,
    HANDLER_I64_LOAD8_U_SUM = 0x04f,
    HANDLER_I64_LOAD8_U_SCALED = 0x050,
    HANDLER_I64_LOAD8_U_SLOTS = 0x051,
    HANDLER_I64_LOAD16_S = 0x052,
    HANDLER_I64_LOAD16_S_FAR = 0x053,
    HANDLER_I64_LOAD16_S_SUM = 0x054,
    HANDLER_I64_LOAD16_S_SCALED = 0x055,
    HANDLER_I64_LOAD16_S_SLOTS = 0x056,
    HANDLER_I64_LOAD16_U = 0x057,
    HANDLER_I64_LOAD16_U_FAR = 0x058,
    HANDLER_I64_LOAD16_U_SUM = 0x059,
    HANDLER_I64_LOAD16_U_SCALED = 0x05a,
    HANDLER_I64_LOAD16_U_SLOTS = 0x05b,
    HANDLER_I64_LOAD32_S = 0x05c,
    HANDLER_I64_LOAD32_S_FAR = 0x05d,
    HANDLER_I64_LOAD32_S_SUM = 0x05e,
    HANDLER_I64_LOAD32_S_SCALED = 0x05f,
    HANDLER_I64_LOAD32_S_SLOTS = 0x060,
    HANDLER_I64_LOAD32_U = 0x061,
    HANDLER_I64_LOAD32_U_FAR = 0x062,
    HANDLER_I64_LOAD32_U_SUM = 0x063,
    HANDLER_I64_LOAD32_U_SCALED = 0x064,
    HANDLER_I64_LOAD32_U_SLOTS = 0x065,
    HANDLER_I32_STORE = 0x066,
    HANDLER_I32_STORE_FAR = 0x067,
    HANDLER_I32_STORE_SUM = 0x068,
    HANDLER_I32_STORE_SCALED = 0x069,
    HANDLER_I32_STORE_VALUE = 0x06a,
    HANDLER_I64_STORE = 0x06b,
    HANDLER_I64_STORE_FAR = 0x06c,
    HANDLER_I64_STORE_SUM = 0x06d,
    HANDLER_I64_STORE_SCALED = 0x06e,
    HANDLER_I64_STORE_VALUE = 0x06f,
    HANDLER_F32_STORE = 0x070,
    HANDLER_F32_STORE_FAR = 0x071,
    HANDLER_F32_STORE_SUM = 0x072,
    HANDLER_F32_STORE_SCALED = 0x073,
    HANDLER_F32_STORE_VALUE = 0x074,
    HANDLER_F64_STORE = 0x075,
    HANDLER_F64_STORE_FAR = 0x076,
    HANDLER_F64_STORE_SUM = 0x077,
    HANDLER_F64_STORE_SCALED = 0x078,
    HANDLER_F64_STORE_VALUE = 0x079,
    HANDLER_I32_STORE8 = 0x07a,
    HANDLER_I32_STORE8_FAR = 0x07b,
    HANDLER_I32_STORE8_SUM = 0x07c,
    HANDLER_I32_STORE8_SCALED = 0x07d,
    HANDLER_I32_STORE8_VALUE = 0x07e,
    HANDLER_I32_STORE16 = 0x07f,
    HANDLER_I32_STORE16_FAR = 0x080,
    HANDLER_I32_STORE16_SUM = 0x081,
    HANDLER_I32_STORE16_SCALED = 0x082,
    HANDLER_I32_STORE16_VALUE = 0x083,
    HANDLER_I64_STORE8 = 0x084,
    HANDLER_I64_STORE8_FAR = 0x085,
    HANDLER_I64_STORE8_SUM = 0x086,
    HANDLER_I64_STORE8_SCALED = 0x087,
    HANDLER_I64_STORE8_VALUE = 0x088,
    HANDLER_I64_STORE16 = 0x089,
    HANDLER_I64_STORE16_FAR = 0x08a,
    HANDLER_I64_STORE16_SUM = 0x08b,
    HANDLER_I64_STORE16_SCALED = 0x08c,
    HANDLER_I64_STORE16_VALUE = 0x08d,
    HANDLER_I64_STORE32 = 0x08e,
    HANDLER_I64_STORE32_FAR = 0x08f,
    HANDLER_I64_STORE32_SUM = 0x090,
    HANDLER_I64_STORE32_SCALED = 0x091,
    HANDLER_I64_STORE32_VALUE = 0x092,
    HANDLER_I32_EQZ = 0x093,
    HANDLER_I32_EQ_SLOTS = 0x094,
    HANDLER_I32_EQ_VALUE = 0x095,
    HANDLER_I32_EQ_IF_SLOTS = 0x096,
    HANDLER_I32_EQ_UNLESS_SLOTS = 0x097,
    HANDLER_I32_EQ_LOOP_SLOTS = 0x098,
    HANDLER_I32_EQ_IF_VALUE = 0x099,
    HANDLER_I32_EQ_UNLESS_VALUE = 0x09a,
    HANDLER_I32_EQ_LOOP_VALUE = 0x09b,
    HANDLER_I32_NE_SLOTS = 0x09c,
    HANDLER_I32_NE_VALUE = 0x09d,
    HANDLER_I32_NE_IF_SLOTS = 0x09e,
    HANDLER_I32_NE_UNLESS_SLOTS = 0x09f,
    HANDLER_I32_NE_LOOP_SLOTS = 0x0a0,
    HANDLER_I32_NE_IF_VALUE = 0x0a1,
    HANDLER_I32_NE_UNLESS_VALUE = 0x0a2,
    HANDLER_I32_NE_LOOP_VALUE = 0x0a3,
    HANDLER_I32_LT_S_SLOTS = 0x0a4,
    HANDLER_I32_LT_S_VALUE = 0x0a5,
    HANDLER_I32_LT_S_FROM = 0x0a6,
    HANDLER_I32_LT_S_IF_SLOTS = 0x0a7,
    HANDLER_I32_LT_S_UNLESS_SLOTS = 0x0a8,
    HANDLER_I32_LT_S_LOOP_SLOTS = 0x0a9,
    HANDLER_I32_LT_S_IF_VALUE = 0x0aa,
    HANDLER_I32_LT_S_UNLESS_VALUE = 0x0ab,
    HANDLER_I32_LT_S_LOOP_VALUE = 0x0ac,
    HANDLER_I32_LT_U_SLOTS = 0x0ad,
    HANDLER_I32_LT_U_VALUE = 0x0ae,
    HANDLER_I32_LT_U_FROM = 0x0af,
    HANDLER_I32_LT_U_IF_SLOTS = 0x0b0,
    HANDLER_I32_LT_U_UNLESS_SLOTS = 0x0b1,
    HANDLER_I32_LT_U_LOOP_SLOTS = 0x0b2,
    HANDLER_I32_LT_U_IF_VALUE = 0x0b3,
    HANDLER_I32_LT_U_UNLESS_VALUE = 0x0b4,
    HANDLER_I32_LT_U_LOOP_VALUE = 0x0b5,
    HANDLER_I32_GT_S_SLOTS = 0x0b6,
    HANDLER_I32_GT_S_VALUE = 0x0b7,
    HANDLER_I32_GT_S_FROM = 0x0b8,
    HANDLER_I32_GT_S_IF_SLOTS = 0x0b9,
    HANDLER_I32_GT_S_UNLESS_SLOTS = 0x0ba,
    HANDLER_I32_GT_S_LOOP_SLOTS = 0x0bb,
    HANDLER_I32_GT_S_IF_VALUE = 0x0bc,
    HANDLER_I32_GT_S_UNLESS_VALUE = 0x0bd,
    HANDLER_I32_GT_S_LOOP_VALUE = 0x0be,
    HANDLER_I32_GT_U_SLOTS = 0x0bf,
    HANDLER_I32_GT_U_VALUE = 0x0c0,
    HANDLER_I32_GT_U_FROM = 0x0c1,
    HANDLER_I32_GT_U_IF_SLOTS = 0x0c2,
    HANDLER_I32_GT_U_UNLESS_SLOTS = 0x0c3,
    HANDLER_I32_GT_U_LOOP_SLOTS = 0x0c4,
    HANDLER_I32_GT_U_IF_VALUE = 0x0c5,
    HANDLER_I32_GT_U_UNLESS_VALUE = 0x0c6,
    HANDLER_I32_GT_U_LOOP_VALUE = 0x0c7,
    HANDLER_I32_LE_S_SLOTS = 0x0c8,
    HANDLER_I32_LE_S_VALUE = 0x0c9,
    HANDLER_I32_LE_S_FROM = 0x0ca,
    HANDLER_I32_LE_S_IF_SLOTS = 0x0cb,
    HANDLER_I32_LE_S_UNLESS_SLOTS = 0x0cc,
    HANDLER_I32_LE_S_LOOP_SLOTS = 0x0cd,
    HANDLER_I32_LE_S_IF_VALUE = 0x0ce,
    HANDLER_I32_LE_S_UNLESS_VALUE = 0x0cf,
    HANDLER_I32_LE_S_LOOP_VALUE = 0x0d0,
    HANDLER_I32_LE_U_SLOTS = 0x0d1,
    HANDLER_I32_LE_U_VALUE = 0x0d2,
    HANDLER_I32_LE_U_FROM = 0x0d3,
    HANDLER_I32_LE_U_IF_SLOTS = 0x0d4,
    HANDLER_I32_LE_U_UNLESS_SLOTS = 0x0d5,
    HANDLER_I32_LE_U_LOOP_SLOTS = 0x0d6,
    HANDLER_I32_LE_U_IF_VALUE = 0x0d7,
    HANDLER_I32_LE_U_UNLESS_VALUE = 0x0d8,
    HANDLER_I32_LE_U_LOOP_VALUE = 0x0d9,
    HANDLER_I32_GE_S_SLOTS = 0x0da,
    HANDLER_I32_GE_S_VALUE = 0x0db,
    HANDLER_I32_GE_S_FROM = 0x0dc,
    HANDLER_I32_GE_S_IF_SLOTS = 0x0dd,
    HANDLER_I32_GE_S_UNLESS_SLOTS = 0x0de,
    HANDLER_I32_GE_S_LOOP_SLOTS = 0x0df,
    HANDLER_I32_GE_S_IF_VALUE = 0x0e0,
    HANDLER_I32_GE_S_UNLESS_VALUE = 0x0e1,
    HANDLER_I32_GE_S_LOOP_VALUE = 0x0e2,
    HANDLER_I32_GE_U_SLOTS = 0x0e3,
    HANDLER_I32_GE_U_VALUE = 0x0e4,
    HANDLER_I32_GE_U_FROM = 0x0e5,
    HANDLER_I32_GE_U_IF_SLOTS = 0x0e6,
    HANDLER_I32_GE_U_UNLESS_SLOTS = 0x0e7,
    HANDLER_I32_GE_U_LOOP_SLOTS = 0x0e8,
    HANDLER_I32_GE_U_IF_VALUE = 0x0e9,
    HANDLER_I32_GE_U_UNLESS_VALUE = 0x0ea,
    HANDLER_I32_GE_U_LOOP_VALUE = 0x0eb,
    HANDLER_I64_EQZ = 0x0ec,
    HANDLER_I64_EQ_SLOTS = 0x0ed,
    HANDLER_I64_EQ_VALUE = 0x0ee,
    HANDLER_I64_EQ_IF_SLOTS = 0x0ef,
    HANDLER_I64_EQ_UNLESS_SLOTS = 0x0f0,
    HANDLER_I64_EQ_LOOP_SLOTS = 0x0f1,
    HANDLER_I64_EQ_IF_VALUE = 0x0f2,
    HANDLER_I64_EQ_UNLESS_VALUE = 0x0f3,
    HANDLER_I64_EQ_LOOP_VALUE = 0x0f4,
    HANDLER_I64_NE_SLOTS = 0x0f5,
    HANDLER_I64_NE_VALUE = 0x0f6,
    HANDLER_I64_NE_IF_SLOTS = 0x0f7,
    HANDLER_I64_NE_UNLESS_SLOTS = 0x0f8,
    HANDLER_I64_NE_LOOP_SLOTS = 0x0f9,
    HANDLER_I64_NE_IF_VALUE = 0x0fa,
    HANDLER_I64_NE_UNLESS_VALUE = 0x0fb,
    HANDLER_I64_NE_LOOP_VALUE = 0x0fc,
    HANDLER_I64_LT_S_SLOTS = 0x0fd,
    HANDLER_I64_LT_S_VALUE = 0x0fe,
    HANDLER_I64_LT_S_FROM = 0x0ff,
    HANDLER_I64_LT_S_IF_SLOTS = 0x100,
    HANDLER_I64_LT_S_UNLESS_SLOTS = 0x101,
    HANDLER_I64_LT_S_LOOP_SLOTS = 0x102,
    HANDLER_I64_LT_S_IF_VALUE = 0x103,
    HANDLER_I64_LT_S_UNLESS_VALUE = 0x104,
    HANDLER_I64_LT_S_LOOP_VALUE = 0x105,
    HANDLER_I64_LT_U_SLOTS = 0x106,
    HANDLER_I64_LT_U_VALUE = 0x107,
    HANDLER_I64_LT_U_FROM = 0x108,
    HANDLER_I64_LT_U_IF_SLOTS = 0x109,
    HANDLER_I64_LT_U_UNLESS_SLOTS = 0x10a,
    HANDLER_I64_LT_U_LOOP_SLOTS = 0x10b,
    HANDLER_I64_LT_U_IF_VALUE = 0x10c,
    HANDLER_I64_LT_U_UNLESS_VALUE = 0x10d,
    HANDLER_I64_LT_U_LOOP_VALUE = 0x10e,
    HANDLER_I64_GT_S_SLOTS = 0x10f,
    HANDLER_I64_GT_S_VALUE = 0x110,
    HANDLER_I64_GT_S_FROM = 0x111,
    HANDLER_I64_GT_S_IF_SLOTS = 0x112,
    HANDLER_I64_GT_S_UNLESS_SLOTS = 0x113,
    HANDLER_I64_GT_S_LOOP_SLOTS = 0x114,
    HANDLER_I64_GT_S_IF_VALUE = 0x115,
    HANDLER_I64_GT_S_UNLESS_VALUE = 0x116,
    HANDLER_I64_GT_S_LOOP_VALUE = 0x117,
    HANDLER_I64_GT_U_SLOTS = 0x118,
    HANDLER_I64_GT_U_VALUE = 0x119,
    HANDLER_I64_GT_U_FROM = 0x11a,
    HANDLER_I64_GT_U_IF_SLOTS = 0x11b,
    HANDLER_I64_GT_U_UNLESS_SLOTS = 0x11c,
    HANDLER_I64_GT_U_LOOP_SLOTS = 0x11d,
    HANDLER_I64_GT_U_IF_VALUE = 0x11e,
    HANDLER_I64_GT_U_UNLESS_VALUE = 0x11f,
    HANDLER_I64_GT_U_LOOP_VALUE = 0x120,
    HANDLER_I64_LE_S_SLOTS = 0x121,
    HANDLER_I64_LE_S_VALUE = 0x122,
    HANDLER_I64_LE_S_FROM = 0x123,
    HANDLER_I64_LE_S_IF_SLOTS = 0x124,
    HANDLER_I64_LE_S_UNLESS_SLOTS = 0x125,
    HANDLER_I64_LE_S_LOOP_SLOTS = 0x126,
    HANDLER_I64_LE_S_IF_VALUE = 0x127,
    HANDLER_I64_LE_S_UNLESS_VALUE = 0x128,
    HANDLER_I64_LE_S_LOOP_VALUE = 0x129,
    HANDLER_I64_LE_U_SLOTS = 0x12a,
    HANDLER_I64_LE_U_VALUE = 0x12b,
    HANDLER_I64_LE_U_FROM = 0x12c,
    HANDLER_I64_LE_U_IF_SLOTS = 0x12d,
    HANDLER_I64_LE_U_UNLESS_SLOTS = 0x12e,
    HANDLER_I64_LE_U_LOOP_SLOTS = 0x12f,
    HANDLER_I64_LE_U_IF_VALUE = 0x130,
    HANDLER_I64_LE_U_UNLESS_VALUE = 0x131,
    HANDLER_I64_LE_U_LOOP_VALUE = 0x132,
    HANDLER_I64_GE_S_SLOTS = 0x133,
    HANDLER_I64_GE_S_VALUE = 0x134,
    HANDLER_I64_GE_S_FROM = 0x135,
    HANDLER_I64_GE_S_IF_SLOTS = 0x136,
    HANDLER_I64_GE_S_UNLESS_SLOTS = 0x137,
    HANDLER_I64_GE_S_LOOP_SLOTS = 0x138,
    HANDLER_I64_GE_S_IF_VALUE = 0x139,
    HANDLER_I64_GE_S_UNLESS_VALUE = 0x13a,
    HANDLER_I64_GE_S_LOOP_VALUE = 0x13b,
    HANDLER_I64_GE_U_SLOTS = 0x13c,
    HANDLER_I64_GE_U_VALUE = 0x13d,
    HANDLER_I64_GE_U_FROM = 0x13e,
    HANDLER_I64_GE_U_IF_SLOTS = 0x13f,
    HANDLER_I64_GE_U_UNLESS_SLOTS = 0x140,
    HANDLER_I64_GE_U_LOOP_SLOTS = 0x141,
    HANDLER_I64_GE_U_IF_VALUE = 0x142,
    HANDLER_I64_GE_U_UNLESS_VALUE = 0x143,
    HANDLER_I64_GE_U_LOOP_VALUE = 0x144,
    HANDLER_F32_EQ_SLOTS = 0x145,
    HANDLER_F32_EQ_VALUE = 0x146,
    HANDLER_F32_EQ_IF_SLOTS = 0x147,
    HANDLER_F32_EQ_UNLESS_SLOTS = 0x148,
    HANDLER_F32_EQ_LOOP_SLOTS = 0x149,
    HANDLER_F32_EQ_IF_VALUE = 0x14a,
    HANDLER_F32_EQ_UNLESS_VALUE = 0x14b,
    HANDLER_F32_EQ_LOOP_VALUE = 0x14c,
    HANDLER_F32_NE_SLOTS = 0x14d,
    HANDLER_F32_NE_VALUE = 0x14e,
    HANDLER_F32_NE_IF_SLOTS = 0x14f,
    HANDLER_F32_NE_UNLESS_SLOTS = 0x150,
    HANDLER_F32_NE_LOOP_SLOTS = 0x151,
    HANDLER_F32_NE_IF_VALUE = 0x152,
    HANDLER_F32_NE_UNLESS_VALUE = 0x153,
    HANDLER_F32_NE_LOOP_VALUE = 0x154,
    HANDLER_F32_LT_SLOTS = 0x155,
    HANDLER_F32_LT_VALUE = 0x156,
    HANDLER_F32_LT_FROM = 0x157,
    HANDLER_F32_LT_IF_SLOTS = 0x158,
    HANDLER_F32_LT_UNLESS_SLOTS = 0x159,
    HANDLER_F32_LT_LOOP_SLOTS = 0x15a,
    HANDLER_F32_LT_IF_VALUE = 0x15b,
    HANDLER_F32_LT_UNLESS_VALUE = 0x15c,
    HANDLER_F32_LT_LOOP_VALUE = 0x15d,
    HANDLER_F32_GT_SLOTS = 0x15e,
    HANDLER_F32_GT_VALUE = 0x15f,
    HANDLER_F32_GT_FROM = 0x160,
    HANDLER_F32_GT_IF_SLOTS = 0x161,
    HANDLER_F32_GT_UNLESS_SLOTS = 0x162,
    HANDLER_F32_GT_LOOP_SLOTS = 0x163,
    HANDLER_F32_GT_IF_VALUE = 0x164,
    HANDLER_F32_GT_UNLESS_VALUE = 0x165,
    HANDLER_F32_GT_LOOP_VALUE = 0x166,
    HANDLER_F32_LE_SLOTS = 0x167,
    HANDLER_F32_LE_VALUE = 0x168,
    HANDLER_F32_LE_FROM = 0x169,
    HANDLER_F32_LE_IF_SLOTS = 0x16a,
    HANDLER_F32_LE_UNLESS_SLOTS = 0x16b,
    HANDLER_F32_LE_LOOP_SLOTS = 0x16c,
    HANDLER_F32_LE_IF_VALUE = 0x16d,
    HANDLER_F32_LE_UNLESS_VALUE = 0x16e,
    HANDLER_F32_LE_LOOP_VALUE = 0x16f,
    HANDLER_F32_GE_SLOTS = 0x170,
    HANDLER_F32_GE_VALUE = 0x171,
    HANDLER_F32_GE_FROM = 0x172,
    HANDLER_F32_GE_IF_SLOTS = 0x173,
    HANDLER_F32_GE_UNLESS_SLOTS = 0x174,
    HANDLER_F32_GE_LOOP_SLOTS = 0x175,
    HANDLER_F32_GE_IF_VALUE = 0x176,
    HANDLER_F32_GE_UNLESS_VALUE = 0x177,
    HANDLER_F32_GE_LOOP_VALUE = 0x178,
    HANDLER_F64_EQ_SLOTS = 0x179,
    HANDLER_F64_EQ_VALUE = 0x17a,
    HANDLER_F64_EQ_IF_SLOTS = 0x17b,
    HANDLER_F64_EQ_UNLESS_SLOTS = 0x17c,
    HANDLER_F64_EQ_LOOP_SLOTS = 0x17d,
    HANDLER_F64_EQ_IF_VALUE = 0x17e,
    HANDLER_F64_EQ_UNLESS_VALUE = 0x17f,
    HANDLER_F64_EQ_LOOP_VALUE = 0x180,
    HANDLER_F64_NE_SLOTS = 0x181,
    HANDLER_F64_NE_VALUE = 0x182,
    HANDLER_F64_NE_IF_SLOTS = 0x183,
    HANDLER_F64_NE_UNLESS_SLOTS = 0x184,
    HANDLER_F64_NE_LOOP_SLOTS = 0x185,
    HANDLER_F64_NE_IF_VALUE = 0x186,
    HANDLER_F64_NE_UNLESS_VALUE = 0x187,
    HANDLER_F64_NE_LOOP_VALUE = 0x188,
    HANDLER_F64_LT_SLOTS = 0x189,
    HANDLER_F64_LT_VALUE = 0x18a,
    HANDLER_F64_LT_FROM = 0x18b,
    HANDLER_F64_LT_IF_SLOTS = 0x18c,
    HANDLER_F64_LT_UNLESS_SLOTS = 0x18d,
    HANDLER_F64_LT_LOOP_SLOTS = 0x18e,
    HANDLER_F64_LT_IF_VALUE = 0x18f,
    HANDLER_F64_LT_UNLESS_VALUE = 0x190,
    HANDLER_F64_LT_LOOP_VALUE = 0x191,
    HANDLER_F64_GT_SLOTS = 0x192,
    HANDLER_F64_GT_VALUE = 0x193,
    HANDLER_F64_GT_FROM = 0x194,
    HANDLER_F64_GT_IF_SLOTS = 0x195,
    HANDLER_F64_GT_UNLESS_SLOTS = 0x196,
    HANDLER_F64_GT_LOOP_SLOTS = 0x197,
    HANDLER_F64_GT_IF_VALUE = 0x198,
    HANDLER_F64_GT_UNLESS_VALUE = 0x199,
    HANDLER_F64_GT_LOOP_VALUE = 0x19a,
    HANDLER_F64_LE_SLOTS = 0x19b,
    HANDLER_F64_LE_VALUE = 0x19c,
    HANDLER_F64_LE_FROM = 0x19d,
    HANDLER_F64_LE_IF_SLOTS = 0x19e,
    HANDLER_F64_LE_UNLESS_SLOTS = 0x19f,
    HANDLER_F64_LE_LOOP_SLOTS = 0x1a0,
    HANDLER_F64_LE_IF_VALUE = 0x1a1,
    HANDLER_F64_LE_UNLESS_VALUE = 0x1a2,
    HANDLER_F64_LE_LOOP_VALUE = 0x1a3,
    HANDLER_F64_GE_SLOTS = 0x1a4,
    HANDLER_F64_GE_VALUE = 0x1a5,
    HANDLER_F64_GE_FROM = 0x1a6,
    HANDLER_F64_GE_IF_SLOTS = 0x1a7,
    HANDLER_F64_GE_UNLESS_SLOTS = 0x1a8,
    HANDLER_F64_GE_LOOP_SLOTS = 0x1a9,
    HANDLER_F64_GE_IF_VALUE = 0x1aa,
    HANDLER_F64_GE_UNLESS_VALUE = 0x1ab,
    HANDLER_F64_GE_LOOP_VALUE = 0x1ac,
    HANDLER_I32_CLZ = 0x1ad,
    HANDLER_I32_CTZ = 0x1ae,
    HANDLER_I32_POPCNT = 0x1af,
    HANDLER_I32_ADD_SLOTS = 0x1b0,
    HANDLER_I32_ADD_VALUE = 0x1b1,
    HANDLER_I32_SUB_SLOTS = 0x1b2,
    HANDLER_I32_SUB_VALUE = 0x1b3,
    HANDLER_I32_SUB_FROM = 0x1b4,
    HANDLER_I32_MUL_SLOTS = 0x1b5,
    HANDLER_I32_MUL_VALUE = 0x1b6,
    HANDLER_I32_DIV_S_SLOTS = 0x1b7,
    HANDLER_I32_DIV_S_VALUE = 0x1b8,
    HANDLER_I32_DIV_S_FROM = 0x1b9,
    HANDLER_I32_DIV_U_SLOTS = 0x1ba,
    HANDLER_I32_DIV_U_VALUE = 0x1bb,
    HANDLER_I32_DIV_U_FROM = 0x1bc,
    HANDLER_I32_REM_S_SLOTS = 0x1bd,
    HANDLER_I32_REM_S_VALUE = 0x1be,
    HANDLER_I32_REM_S_FROM = 0x1bf,
    HANDLER_I32_REM_U_SLOTS = 0x1c0,
    HANDLER_I32_REM_U_VALUE = 0x1c1,
    HANDLER_I32_REM_U_FROM = 0x1c2,
    HANDLER_I32_AND_SLOTS = 0x1c3,
    HANDLER_I32_AND_VALUE = 0x1c4,
    HANDLER_I32_OR_SLOTS = 0x1c5,
    HANDLER_I32_OR_VALUE = 0x1c6,
    HANDLER_I32_XOR_SLOTS = 0x1c7,
    HANDLER_I32_XOR_VALUE = 0x1c8,
    HANDLER_I32_SHL_SLOTS = 0x1c9,
    HANDLER_I32_SHL_VALUE = 0x1ca,
    HANDLER_I32_SHL_FROM = 0x1cb,
    HANDLER_I32_SHR_S_SLOTS = 0x1cc,
    HANDLER_I32_SHR_S_VALUE = 0x1cd,
    HANDLER_I32_SHR_S_FROM = 0x1ce,
    HANDLER_I32_SHR_U_SLOTS = 0x1cf,
    HANDLER_I32_SHR_U_VALUE = 0x1d0,
    HANDLER_I32_SHR_U_FROM = 0x1d1,
    HANDLER_I32_ROTL_SLOTS = 0x1d2,
    HANDLER_I32_ROTL_VALUE = 0x1d3,
    HANDLER_I32_ROTL_FROM = 0x1d4,
    HANDLER_I32_ROTR_SLOTS = 0x1d5,
    HANDLER_I32_ROTR_VALUE = 0x1d6,
    HANDLER_I32_ROTR_FROM = 0x1d7,
    HANDLER_I64_CLZ = 0x1d8,
    HANDLER_I64_CTZ = 0x1d9,
    HANDLER_I64_POPCNT = 0x1da,
    HANDLER_I64_ADD_SLOTS = 0x1db,
    HANDLER_I64_ADD_VALUE = 0x1dc,
    HANDLER_I64_SUB_SLOTS = 0x1dd,
    HANDLER_I64_SUB_VALUE = 0x1de,
    HANDLER_I64_SUB_FROM = 0x1df,
    HANDLER_I64_MUL_SLOTS = 0x1e0,
    HANDLER_I64_MUL_VALUE = 0x1e1,
    HANDLER_I64_DIV_S_SLOTS = 0x1e2,
    HANDLER_I64_DIV_S_VALUE = 0x1e3,
    HANDLER_I64_DIV_S_FROM = 0x1e4,
    HANDLER_I64_DIV_U_SLOTS = 0x1e5,
    HANDLER_I64_DIV_U_VALUE = 0x1e6,
    HANDLER_I64_DIV_U_FROM = 0x1e7,
    HANDLER_I64_REM_S_SLOTS = 0x1e8,
    HANDLER_I64_REM_S_VALUE = 0x1e9,
    HANDLER_I64_REM_S_FROM = 0x1ea,
    HANDLER_I64_REM_U_SLOTS = 0x1eb,
    HANDLER_I64_REM_U_VALUE = 0x1ec,
    HANDLER_I64_REM_U_FROM = 0x1ed,
    HANDLER_I64_AND_SLOTS = 0x1ee,
    HANDLER_I64_AND_VALUE = 0x1ef,
    HANDLER_I64_OR_SLOTS = 0x1f0,
    HANDLER_I64_OR_VALUE = 0x1f1,
    HANDLER_I64_XOR_SLOTS = 0x1f2,
    HANDLER_I64_XOR_VALUE = 0x1f3,
    HANDLER_I64_SHL_SLOTS = 0x1f4,
    HANDLER_I64_SHL_VALUE = 0x1f5,
    HANDLER_I64_SHL_FROM = 0x1f6,
    HANDLER_I64_SHR_S_SLOTS = 0x1f7,
    HANDLER_I64_SHR_S_VALUE = 0x1f8,
    HANDLER_I64_SHR_S_FROM = 0x1f9,
    HANDLER_I64_SHR_U_SLOTS = 0x1fa,
    HANDLER_I64_SHR_U_VALUE = 0x1fb,
    HANDLER_I64_SHR_U_FROM = 0x1fc,
    HANDLER_I64_ROTL_SLOTS = 0x1fd,
    HANDLER_I64_ROTL_VALUE = 0x1fe,
    HANDLER_I64_ROTL_FROM = 0x1ff,
    HANDLER_I64_ROTR_SLOTS = 0x200,
    HANDLER_I64_ROTR_VALUE = 0x201,
    HANDLER_I64_ROTR_FROM = 0x202,
    HANDLER_F32_ABS = 0x203,
    HANDLER_F32_NEG = 0x204,
    HANDLER_F32_CEIL = 0x205,
    HANDLER_F32_FLOOR = 0x206,
    HANDLER_F32_TRUNC = 0x207,
    HANDLER_F32_NEAREST = 0x208,
    HANDLER_F32_SQRT = 0x209,
    HANDLER_F32_ADD_SLOTS = 0x20a,
    HANDLER_F32_ADD_VALUE = 0x20b,
    HANDLER_F32_SUB_SLOTS = 0x20c,
    HANDLER_F32_SUB_VALUE = 0x20d,
    HANDLER_F32_SUB_FROM = 0x20e,
    HANDLER_F32_MUL_SLOTS = 0x20f,
    HANDLER_F32_MUL_VALUE = 0x210,
    HANDLER_F32_DIV_SLOTS = 0x211,
    HANDLER_F32_DIV_VALUE = 0x212,
    HANDLER_F32_DIV_FROM = 0x213,
    HANDLER_F32_MIN_SLOTS = 0x214,
    HANDLER_F32_MIN_VALUE = 0x215,
    HANDLER_F32_MIN_FROM = 0x216,
    HANDLER_F32_MAX_SLOTS = 0x217,
    HANDLER_F32_MAX_VALUE = 0x218,
    HANDLER_F32_MAX_FROM = 0x219,
    HANDLER_F32_COPYSIGN_SLOTS = 0x21a,
    HANDLER_F32_COPYSIGN_VALUE = 0x21b,
    HANDLER_F32_COPYSIGN_FROM = 0x21c,
    HANDLER_F64_ABS = 0x21d,
    HANDLER_F64_NEG = 0x21e,
    HANDLER_F64_CEIL = 0x21f,
    HANDLER_F64_FLOOR = 0x220,
    HANDLER_F64_TRUNC = 0x221,
    HANDLER_F64_NEAREST = 0x222,
    HANDLER_F64_SQRT = 0x223,
    HANDLER_F64_ADD_SLOTS = 0x224,
    HANDLER_F64_ADD_VALUE = 0x225,
    HANDLER_F64_SUB_SLOTS = 0x226,
    HANDLER_F64_SUB_VALUE = 0x227,
    HANDLER_F64_SUB_FROM = 0x228,
    HANDLER_F64_MUL_SLOTS = 0x229,
    HANDLER_F64_MUL_VALUE = 0x22a,
    HANDLER_F64_DIV_SLOTS = 0x22b,
    HANDLER_F64_DIV_VALUE = 0x22c,
    HANDLER_F64_DIV_FROM = 0x22d,
    HANDLER_F64_MIN_SLOTS = 0x22e,
    HANDLER_F64_MIN_VALUE = 0x22f,
    HANDLER_F64_MIN_FROM = 0x230,
    HANDLER_F64_MAX_SLOTS = 0x231,
    HANDLER_F64_MAX_VALUE = 0x232,
    HANDLER_F64_MAX_FROM = 0x233,
    HANDLER_F64_COPYSIGN_SLOTS = 0x234,
    HANDLER_F64_COPYSIGN_VALUE = 0x235,
    HANDLER_F64_COPYSIGN_FROM = 0x236,
    HANDLER_I32_WRAP_I64 = 0x237,
    HANDLER_I32_TRUNC_F32_S = 0x238,
    HANDLER_I32_TRUNC_F32_U = 0x239,
    HANDLER_I32_TRUNC_F64_S = 0x23a,
    HANDLER_I32_TRUNC_F64_U = 0x23b,
    HANDLER_I64_EXTEND_I32_S = 0x23c,
    HANDLER_I64_TRUNC_F32_S = 0x23d,
    HANDLER_I64_TRUNC_F32_U = 0x23e,
    HANDLER_I64_TRUNC_F64_S = 0x23f,
    HANDLER_I64_TRUNC_F64_U = 0x240,
    HANDLER_F32_CONVERT_I32_S = 0x241,
    HANDLER_F32_CONVERT_I32_U = 0x242,
    HANDLER_F32_CONVERT_I64_S = 0x243,
    HANDLER_F32_CONVERT_I64_U = 0x244,
    HANDLER_F32_DEMOTE_F64 = 0x245,
    HANDLER_F64_CONVERT_I32_S = 0x246,
    HANDLER_F64_CONVERT_I32_U = 0x247,
    HANDLER_F64_CONVERT_I64_S = 0x248,
    HANDLER_F64_CONVERT_I64_U = 0x249,
    HANDLER_F64_PROMOTE_F32 = 0x24a,
    HANDLER_I32_EXTEND8_S = 0x24b,
    HANDLER_I32_EXTEND16_S = 0x24c,
    HANDLER_I64_EXTEND8_S = 0x24d,
    HANDLER_I64_EXTEND16_S = 0x24e,
    HANDLER_I64_EXTEND32_S = 0x24f,
    HANDLER_I32_TRUNC_SAT_F32_S = 0x250,
    HANDLER_I32_TRUNC_SAT_F32_U = 0x251,
    HANDLER_I32_TRUNC_SAT_F64_S = 0x252,
    HANDLER_I32_TRUNC_SAT_F64_U = 0x253,
    HANDLER_I64_TRUNC_SAT_F32_S = 0x254,
    HANDLER_I64_TRUNC_SAT_F32_U = 0x255,
    HANDLER_I64_TRUNC_SAT_F64_S = 0x256,
    HANDLER_I64_TRUNC_SAT_F64_U = 0x257,
};

/* Why a run came to its end. */
typedef uint8_t outcome_t;
enum {
    OUTCOME_RETURNED = 0,
    OUTCOME_SUSPENDED = 1,              /* the budget of safe points is spent; it goes on where it is */
    OUTCOME_HOST_CALL = 2,              /* an imported function is called; it goes on when its results are there */
    OUTCOME_TRAPPED = 3,
};

/* What may be imported and exported. */
typedef uint8_t external_t;
enum {
    EXTERNAL_FUNCTION = 0,
    EXTERNAL_TABLE = 1,
    EXTERNAL_MEMORY = 2,
    EXTERNAL_GLOBAL = 3,
};

/* What becomes of a segment. */
typedef uint8_t mode_t;
enum {
    MODE_ACTIVE = 0,
    MODE_PASSIVE = 1,
    MODE_DECLARATIVE = 2,
};

/* How the types of a block are given. */
typedef uint8_t block_type_t;
enum {
    BLOCK_TYPE_EMPTY = 0,
    BLOCK_TYPE_RESULT = 1,              /* one value type, by its byte */
    BLOCK_TYPE_INDEX = 2,               /* a function type */
};

/* Where an operand is while a body is translated. */
typedef uint8_t place_t;
enum {
    PLACE_SLOT = 0,                     /* in the slot of its height */
    PLACE_LOCAL = 1,                    /* in a local, still */
    PLACE_VALUE = 2,                    /* a constant */
};

/* What follows an opcode. */
typedef uint8_t immediates_t;
enum {
    IMMEDIATES_UNKNOWN = 0,             /* there is no such instruction */
    IMMEDIATES_NONE = 1,
    IMMEDIATES_BLOCK_TYPE = 2,          /* none, a value type, or the index of a function type */
    IMMEDIATES_INDEX = 3,
    IMMEDIATES_TWO_INDICES = 4,
    IMMEDIATES_LABELS = 5,              /* a vector of labels, and one more */
    IMMEDIATES_MEMORY_ARGUMENT = 6,     /* alignment, offset */
    IMMEDIATES_ZERO = 7,                /* a zero byte, for a memory */
    IMMEDIATES_TWO_ZEROS = 8,
    IMMEDIATES_INDEX_ZERO = 9,
    IMMEDIATES_NUMBER_32 = 10,          /* an i32, signed */
    IMMEDIATES_NUMBER_64 = 11,          /* an i64, signed */
    IMMEDIATES_BITS_32 = 12,            /* an f32 */
    IMMEDIATES_BITS_64 = 13,            /* an f64 */
    IMMEDIATES_REFERENCE_TYPE = 14,
    IMMEDIATES_VALUE_TYPES = 15,        /* a vector of value types */
};

/* Every instruction by its opcode; those behind the prefix are counted from EXTENDED on. */
typedef uint16_t opcode_t;
enum {
    OPCODE_UNREACHABLE = 0x000,
    OPCODE_NOP = 0x001,
    OPCODE_BLOCK = 0x002,
    OPCODE_LOOP = 0x003,
    OPCODE_IF = 0x004,
    OPCODE_ELSE = 0x005,
    OPCODE_END = 0x00b,
    OPCODE_BR = 0x00c,
    OPCODE_BR_IF = 0x00d,
    OPCODE_BR_TABLE = 0x00e,
    OPCODE_RETURN = 0x00f,
    OPCODE_CALL = 0x010,
    OPCODE_CALL_INDIRECT = 0x011,
    OPCODE_DROP = 0x01a,
    OPCODE_SELECT = 0x01b,
    OPCODE_SELECT_TYPED = 0x01c,
    OPCODE_LOCAL_GET = 0x020,
    OPCODE_LOCAL_SET = 0x021,
    OPCODE_LOCAL_TEE = 0x022,
    OPCODE_GLOBAL_GET = 0x023,
    OPCODE_GLOBAL_SET = 0x024,
    OPCODE_TABLE_GET = 0x025,
    OPCODE_TABLE_SET = 0x026,
    OPCODE_I32_LOAD = 0x028,
    OPCODE_I64_LOAD = 0x029,
    OPCODE_F32_LOAD = 0x02a,
    OPCODE_F64_LOAD = 0x02b,
    OPCODE_I32_LOAD8_S = 0x02c,
    OPCODE_I32_LOAD8_U = 0x02d,
    OPCODE_I32_LOAD16_S = 0x02e,
    OPCODE_I32_LOAD16_U = 0x02f,
    OPCODE_I64_LOAD8_S = 0x030,
    OPCODE_I64_LOAD8_U = 0x031,
    OPCODE_I64_LOAD16_S = 0x032,
    OPCODE_I64_LOAD16_U = 0x033,
    OPCODE_I64_LOAD32_S = 0x034,
    OPCODE_I64_LOAD32_U = 0x035,
    OPCODE_I32_STORE = 0x036,
    OPCODE_I64_STORE = 0x037,
    OPCODE_F32_STORE = 0x038,
    OPCODE_F64_STORE = 0x039,
    OPCODE_I32_STORE8 = 0x03a,
    OPCODE_I32_STORE16 = 0x03b,
    OPCODE_I64_STORE8 = 0x03c,
    OPCODE_I64_STORE16 = 0x03d,
    OPCODE_I64_STORE32 = 0x03e,
    OPCODE_MEMORY_SIZE = 0x03f,
    OPCODE_MEMORY_GROW = 0x040,
    OPCODE_I32_CONST = 0x041,
    OPCODE_I64_CONST = 0x042,
    OPCODE_F32_CONST = 0x043,
    OPCODE_F64_CONST = 0x044,
    OPCODE_I32_EQZ = 0x045,
    OPCODE_I32_EQ = 0x046,
    OPCODE_I32_NE = 0x047,
    OPCODE_I32_LT_S = 0x048,
    OPCODE_I32_LT_U = 0x049,
    OPCODE_I32_GT_S = 0x04a,
    OPCODE_I32_GT_U = 0x04b,
    OPCODE_I32_LE_S = 0x04c,
    OPCODE_I32_LE_U = 0x04d,
    OPCODE_I32_GE_S = 0x04e,
    OPCODE_I32_GE_U = 0x04f,
    OPCODE_I64_EQZ = 0x050,
    OPCODE_I64_EQ = 0x051,
    OPCODE_I64_NE = 0x052,
    OPCODE_I64_LT_S = 0x053,
    OPCODE_I64_LT_U = 0x054,
    OPCODE_I64_GT_S = 0x055,
    OPCODE_I64_GT_U = 0x056,
    OPCODE_I64_LE_S = 0x057,
    OPCODE_I64_LE_U = 0x058,
    OPCODE_I64_GE_S = 0x059,
    OPCODE_I64_GE_U = 0x05a,
    OPCODE_F32_EQ = 0x05b,
    OPCODE_F32_NE = 0x05c,
    OPCODE_F32_LT = 0x05d,
    OPCODE_F32_GT = 0x05e,
    OPCODE_F32_LE = 0x05f,
    OPCODE_F32_GE = 0x060,
    OPCODE_F64_EQ = 0x061,
    OPCODE_F64_NE = 0x062,
    OPCODE_F64_LT = 0x063,
    OPCODE_F64_GT = 0x064,
    OPCODE_F64_LE = 0x065,
    OPCODE_F64_GE = 0x066,
    OPCODE_I32_CLZ = 0x067,
    OPCODE_I32_CTZ = 0x068,
    OPCODE_I32_POPCNT = 0x069,
    OPCODE_I32_ADD = 0x06a,
    OPCODE_I32_SUB = 0x06b,
    OPCODE_I32_MUL = 0x06c,
    OPCODE_I32_DIV_S = 0x06d,
    OPCODE_I32_DIV_U = 0x06e,
    OPCODE_I32_REM_S = 0x06f,
    OPCODE_I32_REM_U = 0x070,
    OPCODE_I32_AND = 0x071,
    OPCODE_I32_OR = 0x072,
    OPCODE_I32_XOR = 0x073,
    OPCODE_I32_SHL = 0x074,
    OPCODE_I32_SHR_S = 0x075,
    OPCODE_I32_SHR_U = 0x076,
    OPCODE_I32_ROTL = 0x077,
    OPCODE_I32_ROTR = 0x078,
    OPCODE_I64_CLZ = 0x079,
    OPCODE_I64_CTZ = 0x07a,
    OPCODE_I64_POPCNT = 0x07b,
    OPCODE_I64_ADD = 0x07c,
    OPCODE_I64_SUB = 0x07d,
    OPCODE_I64_MUL = 0x07e,
    OPCODE_I64_DIV_S = 0x07f,
    OPCODE_I64_DIV_U = 0x080,
    OPCODE_I64_REM_S = 0x081,
    OPCODE_I64_REM_U = 0x082,
    OPCODE_I64_AND = 0x083,
    OPCODE_I64_OR = 0x084,
    OPCODE_I64_XOR = 0x085,
    OPCODE_I64_SHL = 0x086,
    OPCODE_I64_SHR_S = 0x087,
    OPCODE_I64_SHR_U = 0x088,
    OPCODE_I64_ROTL = 0x089,
    OPCODE_I64_ROTR = 0x08a,
    OPCODE_F32_ABS = 0x08b,
    OPCODE_F32_NEG = 0x08c,
    OPCODE_F32_CEIL = 0x08d,
    OPCODE_F32_FLOOR = 0x08e,
    OPCODE_F32_TRUNC = 0x08f,
    OPCODE_F32_NEAREST = 0x090,
    OPCODE_F32_SQRT = 0x091,
    OPCODE_F32_ADD = 0x092,
    OPCODE_F32_SUB = 0x093,
    OPCODE_F32_MUL = 0x094,
    OPCODE_F32_DIV = 0x095,
    OPCODE_F32_MIN = 0x096,
    OPCODE_F32_MAX = 0x097,
    OPCODE_F32_COPYSIGN = 0x098,
    OPCODE_F64_ABS = 0x099,
    OPCODE_F64_NEG = 0x09a,
    OPCODE_F64_CEIL = 0x09b,
    OPCODE_F64_FLOOR = 0x09c,
    OPCODE_F64_TRUNC = 0x09d,
    OPCODE_F64_NEAREST = 0x09e,
    OPCODE_F64_SQRT = 0x09f,
    OPCODE_F64_ADD = 0x0a0,
    OPCODE_F64_SUB = 0x0a1,
    OPCODE_F64_MUL = 0x0a2,
    OPCODE_F64_DIV = 0x0a3,
    OPCODE_F64_MIN = 0x0a4,
    OPCODE_F64_MAX = 0x0a5,
    OPCODE_F64_COPYSIGN = 0x0a6,
    OPCODE_I32_WRAP_I64 = 0x0a7,
    OPCODE_I32_TRUNC_F32_S = 0x0a8,
    OPCODE_I32_TRUNC_F32_U = 0x0a9,
    OPCODE_I32_TRUNC_F64_S = 0x0aa,
    OPCODE_I32_TRUNC_F64_U = 0x0ab,
    OPCODE_I64_EXTEND_I32_S = 0x0ac,
    OPCODE_I64_EXTEND_I32_U = 0x0ad,
    OPCODE_I64_TRUNC_F32_S = 0x0ae,
    OPCODE_I64_TRUNC_F32_U = 0x0af,
    OPCODE_I64_TRUNC_F64_S = 0x0b0,
    OPCODE_I64_TRUNC_F64_U = 0x0b1,
    OPCODE_F32_CONVERT_I32_S = 0x0b2,
    OPCODE_F32_CONVERT_I32_U = 0x0b3,
    OPCODE_F32_CONVERT_I64_S = 0x0b4,
    OPCODE_F32_CONVERT_I64_U = 0x0b5,
    OPCODE_F32_DEMOTE_F64 = 0x0b6,
    OPCODE_F64_CONVERT_I32_S = 0x0b7,
    OPCODE_F64_CONVERT_I32_U = 0x0b8,
    OPCODE_F64_CONVERT_I64_S = 0x0b9,
    OPCODE_F64_CONVERT_I64_U = 0x0ba,
    OPCODE_F64_PROMOTE_F32 = 0x0bb,
    OPCODE_I32_REINTERPRET_F32 = 0x0bc,
    OPCODE_I64_REINTERPRET_F64 = 0x0bd,
    OPCODE_F32_REINTERPRET_I32 = 0x0be,
    OPCODE_F64_REINTERPRET_I64 = 0x0bf,
    OPCODE_I32_EXTEND8_S = 0x0c0,
    OPCODE_I32_EXTEND16_S = 0x0c1,
    OPCODE_I64_EXTEND8_S = 0x0c2,
    OPCODE_I64_EXTEND16_S = 0x0c3,
    OPCODE_I64_EXTEND32_S = 0x0c4,
    OPCODE_REF_NULL = 0x0d0,
    OPCODE_REF_IS_NULL = 0x0d1,
    OPCODE_REF_FUNC = 0x0d2,
    OPCODE_I32_TRUNC_SAT_F32_S = 0x100,
    OPCODE_I32_TRUNC_SAT_F32_U = 0x101,
    OPCODE_I32_TRUNC_SAT_F64_S = 0x102,
    OPCODE_I32_TRUNC_SAT_F64_U = 0x103,
    OPCODE_I64_TRUNC_SAT_F32_S = 0x104,
    OPCODE_I64_TRUNC_SAT_F32_U = 0x105,
    OPCODE_I64_TRUNC_SAT_F64_S = 0x106,
    OPCODE_I64_TRUNC_SAT_F64_U = 0x107,
    OPCODE_MEMORY_INIT = 0x108,
    OPCODE_DATA_DROP = 0x109,
    OPCODE_MEMORY_COPY = 0x10a,
    OPCODE_MEMORY_FILL = 0x10b,
    OPCODE_TABLE_INIT = 0x10c,
    OPCODE_ELEM_DROP = 0x10d,
    OPCODE_TABLE_COPY = 0x10e,
    OPCODE_TABLE_GROW = 0x10f,
    OPCODE_TABLE_SIZE = 0x110,
    OPCODE_TABLE_FILL = 0x111,
};

/* What is wrong with the bytes of a module. */
typedef uint8_t refusal_t;
enum {
    REFUSAL_NONE = 0x00,
    REFUSAL_UNEXPECTED_END = 0x01,      /* unexpected end */
    REFUSAL_MAGIC = 0x02,               /* magic header not detected */
    REFUSAL_VERSION = 0x03,             /* unknown binary version */
    REFUSAL_SECTION_ID = 0x04,          /* malformed section id */
    REFUSAL_SECTION_ORDER = 0x05,       /* unexpected content after last section */
    REFUSAL_LENGTH = 0x06,              /* length out of bounds */
    REFUSAL_SECTION_SIZE = 0x07,        /* section size mismatch */
    REFUSAL_NUMBER_LENGTH = 0x08,       /* integer representation too long */
    REFUSAL_NUMBER_RANGE = 0x09,        /* integer too large */
    REFUSAL_UTF8 = 0x0a,                /* malformed UTF-8 encoding */
    REFUSAL_TYPE_FORM = 0x0b,           /* malformed functype */
    REFUSAL_VALUE_TYPE = 0x0c,          /* malformed value type */
    REFUSAL_REFERENCE_TYPE = 0x0d,      /* malformed reference type */
    REFUSAL_LIMITS_FLAG = 0x0e,         /* malformed limits flags */
    REFUSAL_IMPORT_KIND = 0x0f,         /* malformed import kind */
    REFUSAL_EXPORT_KIND = 0x10,         /* malformed export kind */
    REFUSAL_MUTABILITY = 0x11,          /* malformed mutability */
    REFUSAL_SEGMENT_FLAG = 0x12,        /* malformed segment flag */
    REFUSAL_ELEMENT_KIND = 0x13,        /* malformed element kind */
    REFUSAL_FUNCTION_COUNT = 0x14,      /* function and code section have inconsistent lengths */
    REFUSAL_DATA_COUNT = 0x15,          /* data count and data section have inconsistent lengths */
    REFUSAL_DATA_COUNT_MISSING = 0x16,  /* data count section required */
    REFUSAL_OPCODE = 0x17,              /* illegal opcode */
    REFUSAL_ZERO_BYTE = 0x18,           /* zero byte expected */
    REFUSAL_END_MISSING = 0x19,         /* END opcode expected */
    REFUSAL_ELSE_STRAY = 0x1a,          /* unexpected token */
    REFUSAL_TOO_MANY_LOCALS = 0x1b,     /* too many locals */
    REFUSAL_ACCESS_FLAGS = 0x1c,        /* malformed memop flags */
    REFUSAL_TYPE_MISMATCH = 0x40,       /* type mismatch */
    REFUSAL_UNKNOWN_TYPE = 0x41,        /* unknown type */
    REFUSAL_UNKNOWN_FUNCTION = 0x42,    /* unknown function */
    REFUSAL_UNKNOWN_TABLE = 0x43,       /* unknown table */
    REFUSAL_UNKNOWN_MEMORY = 0x44,      /* unknown memory */
    REFUSAL_UNKNOWN_GLOBAL = 0x45,      /* unknown global */
    REFUSAL_UNKNOWN_LOCAL = 0x46,       /* unknown local */
    REFUSAL_UNKNOWN_LABEL = 0x47,       /* unknown label */
    REFUSAL_UNKNOWN_ELEMENT = 0x48,     /* unknown elem segment */
    REFUSAL_UNKNOWN_DATA = 0x49,        /* unknown data segment */
    REFUSAL_UNDECLARED_REFERENCE = 0x4a, /* undeclared function reference */
    REFUSAL_IMMUTABLE_GLOBAL = 0x4b,    /* global is immutable */
    REFUSAL_ALIGNMENT = 0x4c,           /* alignment must not be larger than natural */
    REFUSAL_CONSTANT_REQUIRED = 0x4d,   /* constant expression required */
    REFUSAL_DUPLICATE_EXPORT = 0x4e,    /* duplicate export name */
    REFUSAL_START_FUNCTION = 0x4f,      /* start function */
    REFUSAL_MULTIPLE_MEMORIES = 0x50,   /* multiple memories */
    REFUSAL_MEMORY_SIZE = 0x51,         /* memory size must be at most 65536 pages (4GiB) */
    REFUSAL_LIMITS_ORDER = 0x52,        /* size minimum must not be greater than maximum */
    REFUSAL_RESULT_ARITY = 0x53,        /* invalid result arity */
    REFUSAL_TOO_LARGE = 0x80,           /* beyond a limit of this implementation */
};

/* What is wrong with the content of a snapshot. */
typedef uint8_t fault_t;
enum {
    FAULT_NONE = 0,
    FAULT_PLACE = 1,                    /* execution cannot be resumed at the operation that it is at */
    FAULT_RETURN = 2,                   /* a call returns to where no call was made */
    FAULT_FRAMES = 3,                   /* the frames of its calls do not add up */
    FAULT_STACK = 4,                    /* a frame of its calls does not fit the stack */
    FAULT_HOST_CALL = 5,                /* it wants another function of the host than the operation calls */
    FAULT_MEMORY = 6,                   /* the size of its memory is no whole number of pages, or beyond the maximum */
    FAULT_TABLE = 7,                    /* the size of a table is beyond the maximum */
    FAULT_REFERENCE = 8,                /* a table or a global refers to what is no function of the instance */
    FAULT_LAYOUT = 9,                   /* it has not the parts that an instance of the module has */
};

/* Why an instance stopped for good; nothing it did before is undone. */
typedef uint8_t trap_t;
enum {
    TRAP_NONE = 0,
    TRAP_UNREACHABLE = 1,               /* unreachable */
    TRAP_DIVISION_BY_ZERO = 2,          /* integer divide by zero */
    TRAP_INTEGER_OVERFLOW = 3,          /* integer overflow */
    TRAP_INVALID_CONVERSION = 4,        /* invalid conversion to integer */
    TRAP_MEMORY_OUT_OF_BOUNDS = 5,      /* out of bounds memory access */
    TRAP_TABLE_OUT_OF_BOUNDS = 6,       /* out of bounds table access */
    TRAP_UNDEFINED_ELEMENT = 7,         /* undefined element */
    TRAP_UNINITIALIZED_ELEMENT = 8,     /* uninitialized element */
    TRAP_INDIRECT_CALL_TYPE = 9,        /* indirect call type mismatch */
    TRAP_STACK_EXHAUSTED = 10,          /* call stack exhausted */
};

/* A value type by its byte in binaries: WebAssembly core 2.0, 5.3. */
typedef uint8_t value_type_t;
enum {
    VALUE_TYPE_UNKNOWN = 0x00,          /* of an operand in unreachable code */
    VALUE_TYPE_EXTERNREF = 0x6f,
    VALUE_TYPE_FUNCREF = 0x70,
    VALUE_TYPE_F64 = 0x7c,
    VALUE_TYPE_F32 = 0x7d,
    VALUE_TYPE_I64 = 0x7e,
    VALUE_TYPE_I32 = 0x7f,
};

struct u8_slice {
    uint8_t *at;
    uint64_t length;
};

struct function_type_slice {
    struct function_type *at;
    uint64_t length;
};

struct import_slice {
    struct import *at;
    uint64_t length;
};

struct function_slice {
    struct function *at;
    uint64_t length;
};

struct table_type_slice {
    struct table_type *at;
    uint64_t length;
};

struct limits_slice {
    struct limits *at;
    uint64_t length;
};

struct global_slice {
    struct global *at;
    uint64_t length;
};

struct export_slice {
    struct export *at;
    uint64_t length;
};

struct u64_slice {
    uint64_t *at;
    uint64_t length;
};

struct element_slice {
    struct element *at;
    uint64_t length;
};

struct constant_slice {
    struct constant *at;
    uint64_t length;
};

struct data_slice {
    struct data *at;
    uint64_t length;
};

struct u32_slice {
    uint32_t *at;
    uint64_t length;
};

struct value_type_slice {
    value_type_t *at;
    uint64_t length;
};

struct label_slice {
    struct label *at;
    uint64_t length;
};

struct operand_slice {
    struct operand *at;
    uint64_t length;
};

struct target_slice {
    struct target *at;
    uint64_t length;
};

struct memory_slice {
    struct memory *at;
    uint64_t length;
};

struct module_slice {
    struct module *at;
    uint64_t length;
};

struct table_slice {
    struct table *at;
    uint64_t length;
};

struct table_of_slice {
    struct table_of *at;
    uint64_t length;
};

struct global_of_slice {
    struct global_of *at;
    uint64_t length;
};

/* Some value types, one byte each, as they lie in the module. */
struct types {
    uint32_t at;
    uint32_t count;
};

/* The types of parameters and results. */
struct function_type {
    struct types parameters;
    struct types results;
    uint32_t same;                      /* the first type that is equal */
    uint32_t next;                      /* the type before it with the same hash */
};

/* A text of the module, in UTF-8. */
struct name {
    uint32_t at;
    uint32_t size;
};

/* What a module needs from others, and its index among its kind. */
struct import {
    struct name module;
    struct name name;
    external_t kind;
    uint8_t padding_17[3];
    uint32_t index;
};

/* A function: imported ones have no body. */
struct function {
    uint32_t type;
    uint32_t same;                      /* the first type that is equal to its own */
    uint32_t at;                        /* of its body: locals, then instructions */
    uint32_t end;
    bool declared;                      /* may `ref.func` name it? */
    uint8_t padding_17[3];
    uint32_t entry;                     /* its first operation, once it is translated */
    uint32_t calls;                     /* the last call of it that does not know its entry yet */
};

/* Sizes of a memory in pages, or of a table in elements. */
struct limits {
    uint32_t minimum;
    uint32_t maximum;
    bool bounded;                       /* is there a maximum? */
    uint8_t padding_9[3];
};

/* A table. */
struct table_type {
    value_type_t element;
    uint8_t padding_1[3];
    struct limits limits;
};

/* A constant expression: one instruction, and its immediate. */
struct constant {
    opcode_t opcode;
    uint8_t padding_2[6];
    uint64_t value;
    value_type_t type;                  /* of a null reference */
    uint8_t padding_17[3];
    uint32_t at;
    refusal_t wrong;                    /* why it is none, if so */
    uint8_t padding_25[7];
};

/* A global; imported ones have no value yet. */
struct global {
    value_type_t type;
    bool mutable;
    uint8_t padding_2[6];
    struct constant value;
};

/* What a module offers. */
struct export {
    struct name name;
    external_t kind;
    uint8_t padding_9[3];
    uint32_t index;
    uint32_t next;                      /* the export before it with the same hash of its name */
};

/* A segment of references for a table. */
struct element {
    mode_t mode;
    value_type_t type;
    uint8_t padding_2[2];
    uint32_t table;
    struct constant offset;
    uint32_t first;                     /* of its items in `items` */
    uint32_t count;
};

/* A segment of bytes for the memory. */
struct data {
    mode_t mode;
    uint8_t padding_1[3];
    uint32_t memory;
    struct constant offset;
    uint32_t at;
    uint32_t size;
};

/* How many there are of each. */
struct counts {
    uint32_t types;
    uint32_t imports;
    uint32_t functions;
    uint32_t tables;
    uint32_t memories;
    uint32_t globals;
    uint32_t exports;
    uint32_t elements;
    uint32_t items;
    uint32_t data;
    uint32_t codes;                     /* bodies of functions */
};

/* A module, and how far it has been read. */
struct module {
    struct u8_slice bytes;
    struct function_type_slice types;
    struct import_slice imports;
    struct function_slice functions;
    struct table_type_slice tables;
    struct limits_slice memories;
    struct global_slice globals;
    struct export_slice exports;
    struct u64_slice entries;           /* of each function: its first operation, 0 of an imported one, and its type */
    struct element_slice elements;
    struct constant_slice items;
    struct data_slice data;
    struct u32_slice buckets;           /* the last export, or type, with a hash, counted from 1 */
    struct counts counts;
    uint32_t imported_functions;
    uint32_t imported_globals;
    uint32_t start;                     /* the index of a function, or NONE */
    uint32_t data_count;                /* what its own section says of the number of data segments, or NONE */
    uint32_t at;                        /* the next byte to read */
    uint32_t end;                       /* the first byte not to read */
    refusal_t refusal;
    uint8_t padding_277[3];
    uint32_t offset;                    /* where the reason of the refusal stands */
    uint8_t padding_284[4];
};

/* One instruction with its immediates. */
struct decoded {
    opcode_t opcode;
    block_type_t block;
    value_type_t type;                  /* of the result of a block, or of a null reference */
    uint8_t padding_4[4];
    uint64_t value;                     /* the first number, or the bits of a constant */
    uint64_t second;
    uint32_t at;                        /* of the instruction */
    struct types vector;                /* of labels in LEB128, or of value types */
    uint8_t padding_36[4];
};

/* A block that is open while a body is validated. */
struct label {
    opcode_t opcode;
    uint8_t padding_2[2];
    struct types parameters;
    struct types results;
    uint32_t height;                    /* of the operand stack below the block */
    bool unreachable;                   /* is the rest of the block never run? */
    uint8_t padding_25[3];
};

/* What the validator keeps while it goes through a body. */
struct validation {
    struct value_type_slice operands;
    struct label_slice labels;
    struct value_type_slice locals;
    uint32_t height;                    /* of the operand stack */
    uint32_t depth;                     /* of open blocks */
    uint32_t local_count;
    uint8_t padding_60[4];
};

/* An operand while a body is translated. */
struct operand {
    place_t place;
    uint8_t padding_1[7];
    uint64_t value;                     /* the number of the local, or the constant */
    uint32_t shift;                     /* by how much it is yet to be moved up, as an i32 */
    uint32_t addend;                    /* and then what is yet to be added to it */
};

/* A block that is open while a body is translated. */
struct target {
    opcode_t opcode;
    uint8_t padding_2[2];
    uint32_t height;                    /* of the operand stack below the block */
    uint32_t parameters;
    uint32_t results;
    uint32_t start;                     /* its first operation, of a loop */
    uint32_t pending;                   /* the last branch to its end, which is not known yet */
    uint32_t otherwise;                 /* the branch to the `else` of an `if` */
};

/* What the translator keeps: the operations so far, and the body that it is in. */
struct translation {
    struct u64_slice code;
    struct u8_slice marks;              /* of each word: may execution be resumed there? */
    struct operand_slice operands;
    struct target_slice targets;
    uint32_t at;                        /* the next word */
    uint32_t height;                    /* of the operand stack */
    uint32_t depth;                     /* of open blocks */
    uint32_t locals;
    uint32_t most;                      /* the greatest height */
    uint32_t lowest;                    /* no operand below is in a local */
    handler_t condition;                /* the comparison that a branch takes, with its first word and its constant */
    uint8_t padding_90[6];
    uint64_t fields;
    uint64_t value;
    uint8_t next_mark;
    uint8_t padding_113[3];
    uint32_t last;                      /* the operation that made the uppermost operand just now, or NONE */
    uint32_t skipped;                   /* blocks that are open in code that never runs */
    bool reachable;
    uint8_t padding_125[3];
};

/* A memory: room for all that it may become, and how much of that it is. */
struct memory {
    struct u8_slice bytes;
    uint64_t size;                      /* in bytes */
    uint32_t maximum;                   /* in pages */
    uint8_t padding_28[4];
};

/* A table of references: room for all that it may become, and how much of that it is. */
struct table {
    struct u64_slice elements;
    uint32_t size;
    uint32_t maximum;
};

/* A table of an instance, which others may share. */
struct table_of {
    struct table_slice table;
    struct u64_slice elements;          /* all that it has room for; null beyond its size */
};

/* A global of an instance, which others may share. */
struct global_of {
    struct u64_slice cell;
};

/* An instance, and where it is. */
struct machine {
    struct module_slice module;
    struct u64_slice code;
    struct u64_slice entries;           /* of the module */
    struct u64_slice stack;
    struct u64_slice beyond;            /* nothing: what follows the stack */
    struct u32_slice control;           /* as long as the stack: every call begins a frame at a slot of its own */
    struct memory_slice memory;         /* one at most */
    struct table_of_slice tables;
    struct global_of_slice globals;
    struct u64_slice items;             /* of element segments, as references */
    struct u8_slice dropped_elements;
    struct u8_slice dropped_data;
    uint64_t base;                      /* what references of this instance count from where they are shared */
    uint32_t at;                        /* the next operation */
    uint32_t frame;                     /* the slot at which the frame begins */
    uint32_t depth;                     /* calls on the control stack */
    uint8_t padding_212[4];
    uint64_t budget;                    /* safe points until it is suspended */
    outcome_t outcome;
    trap_t trap;
    uint8_t padding_226[6];
    uint64_t callee;                    /* of a host call: the function, or a reference to one of another instance */
    bool foreign;                       /* is it such a reference? */
    uint8_t padding_241[3];
    uint32_t type;                      /* the type that it must have then */
    uint32_t arguments;                 /* the slot where its arguments are, and its results are wanted */
    uint32_t top;                       /* the first slot that is free then */
};

/* The layout that the proofs, the decoder and the assembly rely on. */
#define PIN(record, field, offset) \
    _Static_assert(offsetof(struct record, field) == (offset), #record "." #field " has moved")
#define PIN_SIZE(record, size) _Static_assert(sizeof(struct record) == (size), #record " has another size")
PIN_SIZE(types, 8);
PIN(types, at, 0);
PIN(types, count, 4);
PIN_SIZE(function_type, 24);
PIN(function_type, parameters, 0);
PIN(function_type, results, 8);
PIN(function_type, same, 16);
PIN(function_type, next, 20);
PIN_SIZE(name, 8);
PIN(name, at, 0);
PIN(name, size, 4);
PIN_SIZE(import, 24);
PIN(import, module, 0);
PIN(import, name, 8);
PIN(import, kind, 16);
PIN(import, index, 20);
PIN_SIZE(function, 28);
PIN(function, type, 0);
PIN(function, same, 4);
PIN(function, at, 8);
PIN(function, end, 12);
PIN(function, declared, 16);
PIN(function, entry, 20);
PIN(function, calls, 24);
PIN_SIZE(limits, 12);
PIN(limits, minimum, 0);
PIN(limits, maximum, 4);
PIN(limits, bounded, 8);
PIN_SIZE(table_type, 16);
PIN(table_type, element, 0);
PIN(table_type, limits, 4);
PIN_SIZE(constant, 32);
PIN(constant, opcode, 0);
PIN(constant, value, 8);
PIN(constant, type, 16);
PIN(constant, at, 20);
PIN(constant, wrong, 24);
PIN_SIZE(global, 40);
PIN(global, type, 0);
PIN(global, mutable, 1);
PIN(global, value, 8);
PIN_SIZE(export, 20);
PIN(export, name, 0);
PIN(export, kind, 8);
PIN(export, index, 12);
PIN(export, next, 16);
PIN_SIZE(element, 48);
PIN(element, mode, 0);
PIN(element, type, 1);
PIN(element, table, 4);
PIN(element, offset, 8);
PIN(element, first, 40);
PIN(element, count, 44);
PIN_SIZE(data, 48);
PIN(data, mode, 0);
PIN(data, memory, 4);
PIN(data, offset, 8);
PIN(data, at, 40);
PIN(data, size, 44);
PIN_SIZE(counts, 44);
PIN(counts, types, 0);
PIN(counts, imports, 4);
PIN(counts, functions, 8);
PIN(counts, tables, 12);
PIN(counts, memories, 16);
PIN(counts, globals, 20);
PIN(counts, exports, 24);
PIN(counts, elements, 28);
PIN(counts, items, 32);
PIN(counts, data, 36);
PIN(counts, codes, 40);
PIN_SIZE(module, 288);
PIN(module, bytes, 0);
PIN(module, types, 16);
PIN(module, imports, 32);
PIN(module, functions, 48);
PIN(module, tables, 64);
PIN(module, memories, 80);
PIN(module, globals, 96);
PIN(module, exports, 112);
PIN(module, entries, 128);
PIN(module, elements, 144);
PIN(module, items, 160);
PIN(module, data, 176);
PIN(module, buckets, 192);
PIN(module, counts, 208);
PIN(module, imported_functions, 252);
PIN(module, imported_globals, 256);
PIN(module, start, 260);
PIN(module, data_count, 264);
PIN(module, at, 268);
PIN(module, end, 272);
PIN(module, refusal, 276);
PIN(module, offset, 280);
PIN_SIZE(decoded, 40);
PIN(decoded, opcode, 0);
PIN(decoded, block, 2);
PIN(decoded, type, 3);
PIN(decoded, value, 8);
PIN(decoded, second, 16);
PIN(decoded, at, 24);
PIN(decoded, vector, 28);
PIN_SIZE(label, 28);
PIN(label, opcode, 0);
PIN(label, parameters, 4);
PIN(label, results, 12);
PIN(label, height, 20);
PIN(label, unreachable, 24);
PIN_SIZE(validation, 64);
PIN(validation, operands, 0);
PIN(validation, labels, 16);
PIN(validation, locals, 32);
PIN(validation, height, 48);
PIN(validation, depth, 52);
PIN(validation, local_count, 56);
PIN_SIZE(operand, 24);
PIN(operand, place, 0);
PIN(operand, value, 8);
PIN(operand, shift, 16);
PIN(operand, addend, 20);
PIN_SIZE(target, 28);
PIN(target, opcode, 0);
PIN(target, height, 4);
PIN(target, parameters, 8);
PIN(target, results, 12);
PIN(target, start, 16);
PIN(target, pending, 20);
PIN(target, otherwise, 24);
PIN_SIZE(translation, 128);
PIN(translation, code, 0);
PIN(translation, marks, 16);
PIN(translation, operands, 32);
PIN(translation, targets, 48);
PIN(translation, at, 64);
PIN(translation, height, 68);
PIN(translation, depth, 72);
PIN(translation, locals, 76);
PIN(translation, most, 80);
PIN(translation, lowest, 84);
PIN(translation, condition, 88);
PIN(translation, fields, 96);
PIN(translation, value, 104);
PIN(translation, next_mark, 112);
PIN(translation, last, 116);
PIN(translation, skipped, 120);
PIN(translation, reachable, 124);
PIN_SIZE(memory, 32);
PIN(memory, bytes, 0);
PIN(memory, size, 16);
PIN(memory, maximum, 24);
PIN_SIZE(table, 24);
PIN(table, elements, 0);
PIN(table, size, 16);
PIN(table, maximum, 20);
PIN_SIZE(table_of, 32);
PIN(table_of, table, 0);
PIN(table_of, elements, 16);
PIN_SIZE(global_of, 16);
PIN(global_of, cell, 0);
PIN_SIZE(machine, 256);
PIN(machine, module, 0);
PIN(machine, code, 16);
PIN(machine, entries, 32);
PIN(machine, stack, 48);
PIN(machine, beyond, 64);
PIN(machine, control, 80);
PIN(machine, memory, 96);
PIN(machine, tables, 112);
PIN(machine, globals, 128);
PIN(machine, items, 144);
PIN(machine, dropped_elements, 160);
PIN(machine, dropped_data, 176);
PIN(machine, base, 192);
PIN(machine, at, 200);
PIN(machine, frame, 204);
PIN(machine, depth, 208);
PIN(machine, budget, 216);
PIN(machine, outcome, 224);
PIN(machine, trap, 225);
PIN(machine, callee, 232);
PIN(machine, foreign, 240);
PIN(machine, type, 244);
PIN(machine, arguments, 248);
PIN(machine, top, 252);

#endif
