import path from 'node:path';
import { type Diff, diffsIn } from '../../../shared/transcript/content';
import type { ToolCallEntry } from '../../../shared/transcript/entries';
import { mayResolve } from '../../files/paths';

/** Calls of these kinds change no file. */
const looking: readonly ToolCallEntry['toolKind'][] = ['read', 'search', 'think', 'fetch'];
const editing: readonly ToolCallEntry['toolKind'][] = ['edit', 'delete', 'move'];
/** Maximum number of files, of calls, and of diffs of one turn. */
export const mostReported = 10_000;

/** What an agent has said that it changed in a turn. */
export class Reports {
  readonly #files = new Set<string>();
  /** Completed calls; they may be updated again. */
  readonly #told = new Set<string>();

  /** Whether the agent has named the file as changed. */
  has(file: string): boolean {
    return this.#files.has(file);
  }

  add(file: string): void {
    if (this.#files.size < mostReported) {
      this.#files.add(file);
    }
  }

  /** The diffs of a completed call; `undefined` if it changes nothing, or is known. */
  diffsOf(call: ToolCallEntry): readonly Diff[] | undefined {
    const diffs = diffsIn(call.content).filter(({ path: file }) => isPlain(file));
    const told = `${call.toolCallId} ${diffs.length}`;
    const isKnown = this.#told.has(told) || this.#told.size >= mostReported;
    if (looking.includes(call.toolKind) || isKnown) {
      return undefined;
    }
    this.#told.add(told);
    const places = editing.includes(call.toolKind) ? call.locations : [];
    for (const file of [...diffs, ...places].map((place) => place.path).filter(isPlain)) {
      this.add(file);
    }
    return diffs;
  }
}

/** An agent can name anything; looking at it must not leave this machine. */
function isPlain(file: string): boolean {
  return mayResolve(file) && path.normalize(file) === file;
}
