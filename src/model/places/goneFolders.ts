import { Emitter } from '../../util/emitter';
import { mayResolve } from '../files/paths';

/** Whether there is surely no folder at a path; not when that can't be found out. */
export type FolderIsGone = (path: string) => Promise<boolean>;

/** Of further folders nothing is known: to forget others for them would have all of them looked for without end. */
const mostKnown = 2_000;

/** Remembers which folders are gone, for rows that are drawn at once. */
export class GoneFolders {
  readonly #look: FolderIsGone;
  readonly #changed = new Emitter<void>();
  /** A folder that was asked about is gone, or there again. */
  readonly onDidChange = this.#changed.event;
  readonly #known = new Map<string, boolean>();

  constructor(look: FolderIsGone) {
    this.#look = look;
  }

  /** As far as is known: what was never asked about is looked for now, and told of with `onDidChange`. */
  has(folder: string): boolean {
    const known = this.#known.get(folder);
    if (known === undefined && this.#known.size < mostKnown) {
      this.#known.set(folder, false);
      void this.check(folder);
    }
    return known ?? false;
  }

  /** Looks now. Looking never leaves this machine. */
  async check(folder: string): Promise<boolean> {
    const isGone = mayResolve(folder) && (await this.#look(folder));
    if (this.#known.get(folder) !== isGone) {
      const before = this.#known.get(folder) ?? false;
      this.#known.set(folder, isGone);
      if (before !== isGone) {
        this.#changed.fire();
      }
    }
    return isGone;
  }

  /** Looks again at all that were asked about. */
  async refresh(): Promise<void> {
    await Promise.all([...this.#known.keys()].map((folder) => this.check(folder)));
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
