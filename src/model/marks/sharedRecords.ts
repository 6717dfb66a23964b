import type { Disposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import { isObject } from '../../util/json';
import type { KeyedStorage, Log } from '../ports';

/** What a kind of records is stored as, and how those of two windows become one. */
export interface RecordFormat<R> {
  readonly key: string;
  /** Stored data with a higher version is never overwritten. */
  readonly version: number;
  /** Names the records in the log, as the beginning of a sentence. */
  readonly name: string;
  /** The valid records in the stored data; ignores everything else. */
  read(stored: unknown): R;
  /** The stored form: JSON, identical for equal records. */
  write(records: R): unknown;
  /** Merges field by field; commutative. */
  merge(a: R, b: R): R;
  /** Without the oldest records beyond the limits. */
  bound(records: R): R;
  /** The latest stamp of all. */
  lastStamp(records: R): number;
}

/**
 * Records that all windows share as one stored value, which is written as a whole: each write first merges the
 * currently stored value, field by field.
 */
export class SharedRecords<R> implements Disposable {
  readonly #storage: KeyedStorage;
  readonly #log: Log;
  readonly #now: () => number;
  readonly #format: RecordFormat<R>;
  readonly #changed = new Emitter<void>();
  #records: R | undefined;
  #lastStamp = 0;
  #warned = false;

  /** A record has changed, in this window or another one. */
  readonly onDidChange = this.#changed.event;

  /** `now` in ms since the epoch. */
  constructor(storage: KeyedStorage, log: Log, now: () => number, format: RecordFormat<R>) {
    this.#storage = storage;
    this.#log = log;
    this.#now = now;
    this.#format = format;
  }

  /** Read on first use, which may never come; the same object until something changes. */
  get known(): R {
    return this.#records ?? this.#take(this.#stored());
  }

  /** Changes the records, with a stamp that is later than all others; rejects if they can't be stored. */
  async change(edit: (records: R, stamp: number) => R): Promise<void> {
    const records = this.#take(this.#format.merge(this.#stored(), this.known));
    // Clocks jump, and windows on other machines have different ones: the latest change must win.
    this.#lastStamp = Math.max(this.#now(), this.#lastStamp + 1);
    this.#take(edit(records, this.#lastStamp));
    this.#changed.fire();
    await this.#write();
  }

  /** Merges the records of other windows, and writes again any that one of them has overwritten. */
  async refresh(): Promise<void> {
    if (this.#records === undefined) {
      return;
    }
    const stored = this.#stored();
    const before = this.#getText(this.#records);
    const after = this.#getText(this.#take(this.#format.merge(stored, this.#records)));
    if (after !== before) {
      this.#changed.fire();
    }
    if (after !== this.#getText(stored)) {
      await this.#write();
    }
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #stored(): R {
    return this.#format.read(this.#storage.get(this.#format.key));
  }

  #take(records: R): R {
    const bounded = this.#format.bound(records);
    this.#records = bounded;
    this.#lastStamp = Math.max(this.#lastStamp, this.#format.lastStamp(bounded));
    return bounded;
  }

  async #write(): Promise<void> {
    const { key, name } = this.#format;
    if (!this.#isNewer(this.#storage.get(key))) {
      await this.#storage.update(key, this.#format.write(this.known));
    } else if (!this.#warned) {
      this.#warned = true;
      this.#log.warn(
        `${name} were saved by a newer version of ACP Sessions. Changes last only as long as this window; update the extension to keep them.`,
      );
    }
  }

  #isNewer(stored: unknown): boolean {
    const version = isObject(stored) ? stored['version'] : undefined;
    return typeof version === 'number' && version > this.#format.version;
  }

  #getText(records: R): string {
    return JSON.stringify(this.#format.write(records));
  }
}
