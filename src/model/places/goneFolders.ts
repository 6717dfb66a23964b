import { isElsewhere } from '../../util/elsewhere';
import { Emitter } from '../../util/emitter';
import { mayResolve } from '../files/paths';

/** Whether a path certainly has no folder; `false` when that can't be determined. */
export type FolderIsGone = (path: string) => Promise<boolean>;

/**
 * Further folders aren't looked up: evicting others for them would look all of them up again
 * without end.
 */
const maxKnownFolders = 2_000;

/** Remembers which folders are gone, for rows that are drawn synchronously. */
export class GoneFolders {
  readonly #look: FolderIsGone;
  readonly #changed = new Emitter<void>();
  /** A folder that was asked about has disappeared or reappeared. */
  readonly onDidChange = this.#changed.event;
  readonly #known = new Map<string, boolean>();

  constructor(look: FolderIsGone) {
    this.#look = look;
  }

  /**
   * The known answer. A folder that is new here is looked up in the background; `onDidChange`
   * reports the result.
   */
  has(folder: string): boolean {
    const known = this.#known.get(folder);
    if (known === undefined && this.#known.size < maxKnownFolders) {
      this.#known.set(folder, false);
      void this.check(folder);
    }
    return known ?? false;
  }

  /** Looks the folder up now. A lookup never leaves this machine, so a folder of another one isn't known to be gone. */
  async check(folder: string): Promise<boolean> {
    const isGone = mayResolve(folder) && !isElsewhere(folder) && (await this.#look(folder));
    if (this.#known.get(folder) !== isGone) {
      const before = this.#known.get(folder) ?? false;
      this.#known.set(folder, isGone);
      if (before !== isGone) {
        this.#changed.fire();
      }
    }
    return isGone;
  }

  /** Looks up again all folders that were asked about. */
  async refresh(): Promise<void> {
    await Promise.all([...this.#known.keys()].map((folder) => this.check(folder)));
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
