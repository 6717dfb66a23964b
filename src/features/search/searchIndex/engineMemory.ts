/**
 * Limits the engine's memory, to which a worker's heap limits don't apply: at the limit, the engine
 * reports that it is out of memory. Must be imported before the engine.
 */

/**
 * 16 MB of pages, the words of a transaction, and the needs of one part and one row, several times
 * over.
 */
const maxBytes = 256 * 2 ** 20;

interface EngineMemory {
  readonly buffer: ArrayBuffer;
  grow: (pages: number) => number;
}

const { WebAssembly: engine } = globalThis as unknown as {
  readonly WebAssembly: { readonly Memory: { readonly prototype: EngineMemory } };
};
const { grow } = engine.Memory.prototype;
const pageBytes = 2 ** 16;

engine.Memory.prototype.grow = function growWithin(this: EngineMemory, pages: number): number {
  if (this.buffer.byteLength + pages * pageBytes > maxBytes) {
    throw new RangeError('The memory of the search index has reached its limit');
  }
  return grow.call(this, pages);
};
