import v8 from 'node:v8';
import vm from 'node:vm';

/** Bytes of all buffers that something refers to. */
export function heldBytes(): number {
  return afterCollection().arrayBuffers;
}

/** Bytes of all objects that something refers to, without those of buffers. */
export function heldHeap(): number {
  return afterCollection().heapUsed;
}

function afterCollection(): NodeJS.MemoryUsage {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage();
}
