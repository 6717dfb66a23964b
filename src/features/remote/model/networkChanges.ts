import os from 'node:os';
import type { Disposable } from '../../../util/disposable';

/** How often this machine's addresses are looked at, in ms. */
const pause = 2_000;
/** A look that comes so much too late, in ms, shows that the machine has slept. */
const maxDelayMs = 10_000;

/**
 * Tells when the network may have come back: this machine has other addresses than before, or has slept. Node has no
 * event for either (https://github.com/libuv/help/issues/129), so it looks again and again until it is disposed.
 */
export function watchNetwork(changed: () => void, addresses = ownAddresses): Disposable {
  let before = addresses();
  let lookedAt = Date.now();
  const timer = setInterval(() => {
    const [now, at] = [addresses(), Date.now()];
    const isChanged = now !== before || at - lookedAt > pause + maxDelayMs;
    [before, lookedAt] = [now, at];
    if (isChanged) {
      changed();
    }
  }, pause);
  return { dispose: () => clearInterval(timer) };
}

function ownAddresses(): string {
  return Object.entries(os.networkInterfaces())
    .flatMap(([name, all = []]) =>
      all.filter(({ internal }) => !internal).map(({ address }) => `${name} ${address}`),
    )
    .sort()
    .join();
}
