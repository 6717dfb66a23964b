/**
 * The engine's memory, which no limit of a worker's heap bounds: beyond it the engine says that it has none left.
 * Imported before the engine.
 */

/** 16 MB of pages, the words of a transaction, and what one part and one row need, several times over. */
const mostBytes = 256 * 2 ** 20;

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
  if (this.buffer.byteLength + pages * pageBytes > mostBytes) {
    throw new RangeError('The memory of the search index has reached its limit');
  }
  return grow.call(this, pages);
};
