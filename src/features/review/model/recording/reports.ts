import path from 'node:path';
import { mayResolve } from '../../../../model/files/paths';
import type { ToolContent } from '../../../../shared/transcript/content';
import type { ToolCallEntry } from '../../../../shared/transcript/entries';
import { mayChange } from '../atWork/namedFiles';
import type { Report } from './placing';

/** Maximum number of files, of calls, and of changes of one turn. */
export const maxReports = 10_000;

/** The changes that an agent has reported in a turn. */
export class Reports {
  /** Completed calls; they may be updated again. */
  readonly #told = new Set<string>();

  /** The changes of a completed call; `undefined` if it changes nothing, or is known. */
  findChanges(call: ToolCallEntry): readonly Report[] | undefined {
    const changes = call.content.flatMap(getReport);
    const told = `${call.toolCallId} ${changes.length}`;
    const isKnown = this.#told.has(told) || this.#told.size >= maxReports;
    if (!mayChange(call) || isKnown) {
      return undefined;
    }
    this.#told.add(told);
    return changes;
  }
}

function getReport(part: ToolContent): readonly Report[] {
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
