import v8 from 'node:v8';
import vm from 'node:vm';

/** Bytes by which memory in use varies while nothing happens. */
const noise = 300_000;

/** Memory in use after a garbage collection, once nothing is done in the background any more: that leaves garbage. */
export async function usedMemory(): Promise<number> {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  for (let before = Infinity; ; ) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    collect();
    const { heapUsed, external } = process.memoryUsage();
    const used = heapUsed + external;
    if (Math.abs(used - before) < noise) {
      return used;
    }
    before = used;
  }
}
