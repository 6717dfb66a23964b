import v8 from 'node:v8';
import vm from 'node:vm';

/** Bytes of all buffers that something refers to. */
export function heldBytes(): number {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().arrayBuffers;
}
