import path from 'node:path';
import { refusal } from '../../protocol/refusal';
import { mapAtOnce } from '../../util/async';
import { isNetworkPath } from '../../util/networkPath';
import { comparablePath, isRootLike } from '../files/paths';
import { checkPath, isInside, realPathOfNew, resolveInside } from '../files/roots';
import type { RealPath, Workspace } from '../ports';
import type { RealPlace } from '../rules/permissionRule';

export interface SessionReachOptions {
  /** The folders that the session was opened with, the working directory first; most are the agent's. */
  readonly folders: readonly string[];
  /** The folders that the user has chosen: the window's, and those sent on creation of the session. */
  chosen(): readonly string[];
  readonly workspace: Pick<Workspace, 'folders' | 'trusted'>;
  readonly realPath: RealPath;
  /** Asks whether the agent may use a named folder; rejects with `cancelled` without an answer. */
  ask(folder: string, signal: AbortSignal): Promise<boolean>;
}

/** Maximum number of folders; the rest is ignored. */
const maxFolders = 100;
/** Files whose real paths are found out at once. */
const filesAtOnce = 32;

/**
 * The folders that the agent of an open session may read and write (DIR-10): those of the session that
 * the user has chosen. The others are only named, and are granted once the user agrees. Later reports
 * of the agent change nothing here.
 */
export class SessionReach {
  readonly #options: SessionReachOptions;
  readonly #folders: readonly string[];
  /** The answers for named folders, by real path. */
  readonly #answers = new Map<string, boolean | Promise<boolean>>();

  constructor(options: SessionReachOptions) {
    this.#options = options;
    this.#folders = [...new Set(options.folders)].slice(0, maxFolders);
  }

  /** Whether the user has granted a named folder. */
  get hasGranted(): boolean {
    return [...this.#answers.values()].includes(true);
  }

  /** Forgets all answers, so that the user is asked again. */
  forgetAnswers(): void {
    this.#answers.clear();
  }

  /** The roots in which a file may be used; asks the user first when it is in a named folder. */
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

  /** Whether a path is inside the granted folders; doesn't ask the user. */
  async has(file: string): Promise<boolean> {
    return this.#isIn(file, (await this.#reach()).granted);
  }

  /**
   * The real paths of those files that are inside the granted folders, by their paths as named; doesn't ask the user. The
   * folders are resolved once for all of them.
   */
  async hasAll(files: Iterable<string>): Promise<ReadonlyMap<string, string>> {
    const { workspace, realPath } = this.#options;
    const folders = workspace.folders.map((folder) => folder.path);
    const { granted } = await this.#reach();
    const places = await mapAtOnce([...new Set(files)], filesAtOnce, async (file) => {
      try {
        checkPath(file, folders);
        const real = await realPathOfNew(path.normalize(file), realPath);
        return isInside(real, granted) ? ([file, real] as const) : undefined;
      } catch {
        return undefined;
      }
    });
    return new Map(places.filter((place) => place !== undefined));
  }

  /** Whether a path names a real file itself, with no link on the way but to a folder of the session. */
  async isWithoutLinks(file: string, real: string): Promise<boolean> {
    const text = path.normalize(file);
    if (comparablePath(text) === comparablePath(real)) {
      return true;
    }
    const around = this.#folders.filter((folder) => isInside(text, [folder]));
    const folders = await Promise.all(around.map((folder) => this.#options.realPath(folder)));
    return folders.some((folder, at) => {
      const inside = path.relative(around[at] ?? '', text);
      return (
        folder !== undefined && comparablePath(path.join(folder, inside)) === comparablePath(real)
      );
    });
  }

  /** The place where a file, which may not exist yet, really is; rejects if that can't be found out. */
  async getPlace(file: string): Promise<RealPlace> {
    const { workspace, realPath } = this.#options;
    checkPath(
      file,
      workspace.folders.map((folder) => folder.path),
    );
    const real = await realPathOfNew(path.normalize(file), realPath);
    const { granted } = await this.#reach();
    const around = granted.filter((folder) => isInside(real, [folder]));
    return { real, names: around.map((folder) => path.relative(folder, real)) };
  }

  /** Resolves the real paths on each call: a symbolic link may have a new target. */
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
        // The agent works in a parent of a chosen folder: only the chosen part is granted.
        for (const inner of chosen.filter((own) => isInside(own, [folder]))) {
          granted.add(inner);
        }
      }
    }
    return { granted: [...granted], named };
  }

  #mayLookAt(folder: string): boolean {
    const own = this.#options.workspace.folders.map((other) => other.path);
    return !isNetworkPath(folder) || isInside(folder, own);
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

  /** Concurrent requests for a folder share one question. */
  async #mustBeLetInto(folder: string, signal: AbortSignal): Promise<void> {
    let answer = this.#answers.get(folder);
    if (answer === undefined) {
      answer = this.#options.ask(folder, signal);
      this.#answers.set(folder, answer);
      const settle = (value?: boolean): void => {
        // The user may have revoked all answers meanwhile.
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
      throw refusal('refusedByUser', `The agent may not use ${folder}`);
    }
  }
}
