import { type ReadonlySignal, signal } from '@preact/signals';
import { nextFrame } from './nextFrame';

/** The newest of the states that the host tells, of which each frame draws one at most. */
export function newestState<T extends object>(): {
  readonly told: ReadonlySignal<T | undefined>;
  readonly take: (state: T) => void;
} {
  const told = signal<T | undefined>(undefined);
  let newest: T | undefined;
  const take = (state: T): void => {
    if (newest === undefined) {
      nextFrame(() => {
        told.value = newest;
        newest = undefined;
      });
    }
    newest = state;
  };
  return { told, take };
}
