import path from 'node:path';
import { Emitter } from '../../util/emitter';
import { asArray, asString, isObject } from '../../util/json';
import { comparablePath } from '../files/paths';
import type { KeyedStorage } from '../ports';

export const movedFoldersKey = 'sessions.movedFolders';
/** Maximum number of moves; beyond it the oldest are removed. */
const maxMoves = 200;

interface Move {
  readonly agentId: string;
  readonly from: string;
  readonly to: string;
}

/**
 * The current locations, set by the user, of folders that an agent knows by another path. They
 * apply to all sessions of such a folder and of the folders inside it, in all windows.
 */
export class MovedFolders {
  readonly #storage: KeyedStorage;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  #stored: unknown;
  #moves: readonly Move[] = [];

  constructor(storage: KeyedStorage) {
    this.#storage = storage;
  }

  /** The current location of a folder; the path itself unless it was moved. */
  getPlace(agentId: string, folder: string): string {
    const move = this.#findMove(agentId, folder);
    const below = move && findPathBelow(folder, move.from);
    return move === undefined || below === undefined ? folder : path.join(move.to, below);
  }

  /**
   * The path by which an agent knows a folder at this location; the path itself unless one was
   * moved here.
   */
  getOrigin(agentId: string, folder: string): string {
    const move = this.#all.findLast(
      (other) => other.agentId === agentId && findPathBelow(folder, other.to) !== undefined,
    );
    return move === undefined ? folder : path.join(move.from, findPathBelow(folder, move.to) ?? '');
  }

  /** The locations that the user set for folders of this agent. */
  chosen(agentId: string): readonly string[] {
    return this.#all.filter((move) => move.agentId === agentId).map(({ to }) => to);
  }

  /** The paths by which an agent knows a folder at this location. */
  movedTo(agentId: string, folder: string): readonly string[] {
    const here = comparablePath(folder);
    return this.#all.flatMap((move) =>
      move.agentId === agentId && comparablePath(move.to) === here ? [move.from] : [],
    );
  }

  /** Folders that were moved to `from` earlier move on with it. */
  async move(agentId: string, from: string, to: string): Promise<void> {
    const others = this.#all.filter((move) => !isOfTurn(move, agentId, from));
    const carried = others.map((move) => {
      const below = move.agentId === agentId ? findPathBelow(move.to, from) : undefined;
      return below === undefined ? move : { ...move, to: path.join(to, below) };
    });
    const isMoved = comparablePath(from) !== comparablePath(to);
    const all = isMoved ? [...carried, { agentId, from, to }] : carried;
    await this.#write(all.slice(-maxMoves));
  }

  /** Removes the location of the folder, or of the folder around it. */
  async forget(agentId: string, folder: string): Promise<void> {
    const move = this.#findMove(agentId, folder);
    if (move !== undefined) {
      await this.#write(this.#all.filter((other) => other !== move));
    }
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** The most specific move: one of the folder itself before one of a folder around it. */
  #findMove(agentId: string, folder: string): Move | undefined {
    return this.#all
      .filter((move) => move.agentId === agentId && findPathBelow(folder, move.from) !== undefined)
      .sort((a, b) => b.from.length - a.from.length)[0];
  }

  get #all(): readonly Move[] {
    const stored = this.#storage.get(movedFoldersKey);
    if (stored !== this.#stored) {
      this.#stored = stored;
      this.#moves = asArray(stored).flatMap((value) => readMove(value) ?? []);
    }
    return this.#moves;
  }

  async #write(moves: readonly Move[]): Promise<void> {
    await this.#storage.update(movedFoldersKey, moves);
    this.#changed.fire();
  }
}

function isOfTurn(move: Move, agentId: string, from: string): boolean {
  return move.agentId === agentId && comparablePath(move.from) === comparablePath(from);
}

/**
 * The relative path from `above` to the folder, empty if they are the same; `undefined` if it is
 * outside.
 */
function findPathBelow(folder: string, above: string): string | undefined {
  const [inner, outer] = [comparablePath(folder), comparablePath(above)];
  if (inner === outer) {
    return '';
  }
  const separator = outer.includes('\\') ? '\\' : '/';
  const start = outer.endsWith(separator) ? outer : `${outer}${separator}`;
  // In the folder's original spelling, if that has the same length as the comparable one.
  const spelled = folder.length === inner.length ? folder : inner;
  return inner.startsWith(start) ? spelled.slice(start.length) : undefined;
}

function readMove(value: unknown): Move | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const [agentId, from, to] = ['agentId', 'from', 'to'].map((key) => asString(value[key]));
  return agentId !== undefined && from && to && path.isAbsolute(to)
    ? { agentId, from, to }
    : undefined;
}
