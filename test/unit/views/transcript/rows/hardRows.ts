import type { ToolContent } from '../../../../../src/shared/transcript/content';
import type { DrawnEntry } from '../../../../../src/shared/transcript/drawn';
import type { Entry, ToolCallEntry } from '../../../../../src/shared/transcript/entries';
import { Effort } from '../../../../../src/util/effort';
import { drawRow } from '../../../../../src/views/transcript/rows/draw';

/** The most that the rows of a message may cost. */
export const maxEffort = 500_000;

/** The row of an entry of a session in /project; throws what drawing it throws. */
export function rowOf(entry: Entry, effort = new Effort(maxEffort)): DrawnEntry {
  return drawRow(entry, '/project', effort, (error) => {
    throw error;
  });
}

export function callOf(call: Partial<ToolCallEntry>): ToolCallEntry {
  return {
    kind: 'toolCall',
    toolCallId: 'c',
    title: 'Edit',
    toolKind: 'edit',
    status: 'completed',
    content: [],
    locations: [],
    ...call,
  };
}

export function many<T>(count: number, make: (at: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

/** A diff between two texts without a common line. */
export function hardDiff(at: number): ToolContent {
  const lines = (word: string): string => many(3000, (line) => `${word} ${at} ${line}`).join('\n');
  return { type: 'diff', path: `/project/${at}.ts`, oldText: lines('old'), newText: lines('new') };
}
