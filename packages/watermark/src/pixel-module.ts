import { readFileSync } from "node:fs";

type FunctionName =
  | "brightness"
  | "reduce"
  | "resize"
  | "normalise"
  | "stretch"
  | "add"
  | "compress"
  | "addTiles"
  | "transform"
  | "sumPowers";

/** The module's memory, and the functions of the C files in `module`, which describe their arguments. */
export interface PixelModule {
  /** Pointers are offsets in the memory, as `reserve` and `place` return them. */
  readonly call: Readonly<Record<FunctionName, (...values: number[]) => number>>;
  /** Room for so many bytes. Vectors may be read up to 64 bytes beyond it. */
  reserve(bytes: number): number;
  /** Room that contains the values. */
  place(values: Float32Array | Int32Array | Uint8Array | Uint8ClampedArray): number;
  /** The numbers at a pointer: valid only until the next call of `reserve` or `place`. */
  floatsAt(at: number, count: number): Float32Array;
  /** A copy of the numbers at a pointer. */
  readFloats(at: number, count: number): Float32Array<ArrayBuffer>;
  /** The bytes at a pointer: valid only until the next call of `reserve` or `place`. */
  bytesAt(at: number, count: number): Uint8Array;
}

interface Exports extends Readonly<Record<FunctionName, (...values: number[]) => number>> {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly __heap_base: { readonly value: number };
}

/** The part of WebAssembly's interface that is used; the compiler's settings know none of it. */
interface WebAssemblyInterface {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
  readonly CompileError: new () => Error;
}
const { WebAssembly: assembly } = globalThis as unknown as { WebAssembly: WebAssemblyInterface };

const compiled = compileModule();

/** @returns null where the processor lacks the vector instructions (SSE 4.1 or NEON). */
function compileModule(): object | null {
  const bytes = readFileSync(new URL("pixels.wasm", import.meta.url));
  try {
    return new assembly.Module(bytes);
  } catch (error) {
    if (error instanceof assembly.CompileError) return null;
    throw error;
  }
}

/** Whether this processor can run the module. */
export const hasPixelModule = compiled !== null;

const pageBytes = 65_536;
const alignment = 16;
const readBeyond = 64;
/** Memory never shrinks, so that after a large image its instance is dropped. */
const maxKeptBytes = 64 << 20;

let kept: Exports | null = null;

/**
 * Runs work in the module. All memory is free again afterwards: results are copied out of it.
 *
 * @throws Error where the processor cannot run the module.
 */
export function usePixelModule<Result>(work: (module: PixelModule) => Result): Result {
  if (compiled === null) throw new Error("This processor cannot run the module for pixels.");
  kept ??= new assembly.Instance(compiled).exports as Exports;
  const { memory, __heap_base: heap, ...call } = kept;
  let top = heap.value;
  const reserve = (bytes: number) => {
    const at = Math.ceil(top / alignment) * alignment;
    top = at + bytes + readBeyond;
    const missing = top - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / pageBytes));
    return at;
  };
  try {
    return work({
      call,
      reserve,
      place(values) {
        const at = reserve(values.byteLength);
        const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
        new Uint8Array(memory.buffer).set(bytes, at);
        return at;
      },
      floatsAt: (at, count) => new Float32Array(memory.buffer, at, count),
      readFloats: (at, count) => new Float32Array(memory.buffer, at, count).slice(),
      bytesAt: (at, count) => new Uint8Array(memory.buffer, at, count),
    });
  } finally {
    if (memory.buffer.byteLength > maxKeptBytes) kept = null;
  }
}
