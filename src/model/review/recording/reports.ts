import path from 'node:path';
import { filesChangedIn, type ToolContent } from '../../../shared/transcript/content';
import type { ToolCallEntry } from '../../../shared/transcript/entries';
import { mayResolve } from '../../files/paths';
import type { Report } from './placing';

/** Calls of these kinds change no file. */
const looking: readonly ToolCallEntry['toolKind'][] = ['read', 'search', 'think', 'fetch'];
const editing: readonly ToolCallEntry['toolKind'][] = ['edit', 'delete', 'move'];
/** Maximum number of files, of calls, and of changes of one turn. */
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

  /** The changes of a completed call; `undefined` if it changes nothing, or is known. */
  changesOf(call: ToolCallEntry): readonly Report[] | undefined {
    const changes = call.content.flatMap(reportOf);
    const told = `${call.toolCallId} ${changes.length}`;
    const isKnown = this.#told.has(told) || this.#told.size >= mostReported;
    if (looking.includes(call.toolKind) || isKnown) {
      return undefined;
    }
    this.#told.add(told);
    const places = editing.includes(call.toolKind) ? call.locations.map((it) => it.path) : [];
    for (const file of [...filesChangedIn(changes), ...places].filter(isPlain)) {
      this.add(file);
    }
    return changes;
  }
}

function reportOf(part: ToolContent): readonly Report[] {
  if ((part.type !== 'diff' && part.type !== 'fileChange') || !isPlain(part.path)) {
    return [];
  }
  if (part.type === 'diff' || part.oldPath === undefined || isPlain(part.oldPath)) {
    return [part];
  }
  const { oldPath: _, ...known } = part;
  return [known];
}

/** An agent can name anything; looking at it must not leave this machine. */
function isPlain(file: string): boolean {
  return mayResolve(file) && path.normalize(file) === file;
}
