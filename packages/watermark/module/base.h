// Short names for what all files of the module use. Pointers are offsets in the module's memory.
#pragma once
#include <stdint.h>
#include <wasm_simd128.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t i32;
typedef float f32;

#define EXPORT(name) __attribute__((export_name(#name))) name

static inline i32 least(i32 one, i32 other) { return one < other ? one : other; }
static inline i32 largest(i32 one, i32 other) { return one > other ? one : other; }
