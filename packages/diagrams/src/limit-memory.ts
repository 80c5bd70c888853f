const pageBytes = 65_536;

/**
 * Limits the memory of each WebAssembly instance of this thread, which limits of the thread's heap
 * do not cover. An allocation beyond the limit fails inside of the instance.
 *
 * @param onExceeded called for each of these allocations.
 */
export function limitMemory(megabytes: number, onExceeded: () => void): void {
  const { prototype } = WebAssembly.Memory;
  const grow: (pages: number) => number = Reflect.get(prototype, "grow");
  prototype.grow = function growWithin(this: WebAssembly.Memory, pages: number): number {
    if (this.buffer.byteLength + pages * pageBytes > megabytes * 1_048_576) {
      onExceeded();
      throw new RangeError(`a WebAssembly instance has more than ${megabytes} MB`);
    }
    return grow.call(this, pages);
  };
}
