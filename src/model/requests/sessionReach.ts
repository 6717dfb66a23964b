import path from 'node:path';
import { AcpError } from '../../protocol/errors';
import { isRootLike } from '../files/paths';
import { isInside, resolveInside } from '../files/roots';
import type { RealPath, Workspace } from '../ports';

export interface SessionReachOptions {
  /** The session's folders as it was opened with them, the one that it works in first: the agent's word, mostly. */
  readonly folders: readonly string[];
  /** Those that a person has chosen: the window's, and what was sent when they made the session. */
  chosen(): readonly string[];
  readonly workspace: Pick<Workspace, 'folders' | 'trusted'>;
  readonly realPath: RealPath;
  /** Whether the agent may use a folder that it has only named; rejects with `cancelled` when nobody answered. */
  ask(folder: string, signal: AbortSignal): Promise<boolean>;
}

/** More folders than these aren't looked at. */
const mostFolders = 100;

/**
 * What the agent of one open session may read and write (DIR-10): of the session's folders those that a
 * person has chosen. The others are only named, and count once a person was asked. What the agent says
 * of the session later changes nothing here.
 */
export class SessionReach {
  readonly #options: SessionReachOptions;
  readonly #folders: readonly string[];
  /** Named folders that a person was asked about, by their real path. */
  readonly #answers = new Map<string, boolean | Promise<boolean>>();

  constructor(options: SessionReachOptions) {
    this.#options = options;
    this.#folders = [...new Set(options.folders)].slice(0, mostFolders);
  }

  /** Whether a person has let the agent into a folder that it named. */
  get hasGranted(): boolean {
    return [...this.#answers.values()].includes(true);
  }

  /** Asks again about all named folders. */
  forgetAnswers(): void {
    this.#answers.clear();
  }

  /** The folders to look for a file in; asks first when it lies in one that was only named. */
  async rootsFor(file: string, signal: AbortSignal): Promise<readonly string[]> {
    const { granted, named } = await this.#reach();
    if (!this.#options.workspace.trusted || (await this.#isIn(file, granted))) {
      return granted;
    }
    for (const folder of named) {
      if (await this.#isIn(file, [folder])) {
        await this.#mustBeLetInto(folder, signal);
        return [...granted, folder];
      }
    }
    return granted;
  }

  /** Whether a path lies in the granted folders; asks nobody. */
  async has(file: string): Promise<boolean> {
    return this.#isIn(file, (await this.#reach()).granted);
  }

  /** Real paths, found anew each time: a link may have come to lead elsewhere. */
  async #reach(): Promise<{ readonly granted: readonly string[]; readonly named: string[] }> {
    const { realPath } = this.#options;
    const real = async (folders: readonly string[]): Promise<readonly string[]> => {
      const near = folders.filter((folder) => path.isAbsolute(folder) && this.#mayLookAt(folder));
      const paths = await Promise.all(near.map((folder) => realPath(folder)));
      return paths.filter((folder) => folder !== undefined);
    };
    const chosen = await real(this.#options.chosen());
    const granted = new Set<string>();
    const named: string[] = [];
    for (const folder of await real(this.#folders)) {
      if (isInside(folder, chosen) || this.#answers.get(folder) === true) {
        granted.add(folder);
      } else if (!isRootLike(folder)) {
        named.push(folder);
        // The agent works above what a person has opened: that part is theirs.
        for (const inner of chosen.filter((own) => isInside(own, [folder]))) {
          granted.add(inner);
        }
      }
    }
    return { granted: [...granted], named };
  }

  /** Even looking at a network path tells its host who the person is. */
  #mayLookAt(folder: string): boolean {
    const own = this.#options.workspace.folders.map((other) => other.path);
    return !/^[\\/]{2}/.test(folder) || isInside(folder, own);
  }

  async #isIn(file: string, roots: readonly string[]): Promise<boolean> {
    const { workspace, realPath } = this.#options;
    const folders = workspace.folders.map((folder) => folder.path);
    try {
      await resolveInside(file, { roots, folders }, realPath);
      return true;
    } catch {
      return false;
    }
  }

  /** Requests that come while a person is being asked wait for the same answer. */
  async #mustBeLetInto(folder: string, signal: AbortSignal): Promise<void> {
    let answer = this.#answers.get(folder);
    if (answer === undefined) {
      answer = this.#options.ask(folder, signal);
      this.#answers.set(folder, answer);
      const settle = (value?: boolean): void => {
        // A person may have taken everything back meanwhile.
        if (this.#answers.get(folder) === answer) {
          this.#answers.delete(folder);
          if (value !== undefined) {
            this.#answers.set(folder, value);
          }
        }
      };
      answer.then(settle, () => settle());
    }
    if (!(await answer)) {
      throw new AcpError('cancelled', `The agent may not use ${folder}`);
    }
  }
}
