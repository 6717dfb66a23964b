import path from 'node:path';
import { type Json, type Step, update } from './scenario';

/**
 * The ways in which agents change files, as steps of a turn. None of them ends the turn: add
 * `endOfTurn`. All paths are absolute.
 */

export const endOfTurn: Step = { result: { stopReason: 'end_turn' } };

/** The agent writes a file by itself; its call names the file and has no diff. */
export function writesAlone(id: string, file: string, text: string): readonly Step[] {
  return ownCall(id, `Write ${path.basename(file)}`, 'edit', file, { writeFile: file, text });
}

/** Writes bytes that are no text as `writesAlone` does. */
export function writesBytesAlone(id: string, file: string, bytes: Uint8Array): readonly Step[] {
  const base64 = Buffer.from(bytes).toString('base64');
  return ownCall(id, `Write ${path.basename(file)}`, 'edit', file, {
    writeFile: file,
    bytes: base64,
  });
}

/**
 * The agent edits a file by itself and reports fragments, as Claude does: before the edit the old
 * and new text alone; afterwards `hunk`, the same with the lines around it.
 */
export function editsLikeClaude(
  id: string,
  file: string,
  texts: { readonly oldText: string; readonly newText: string },
  hunk: { readonly above: string; readonly below: string; readonly line: number },
): readonly Step[] {
  const { oldText, newText } = texts;
  const around = (text: string): string => `${hunk.above}${text}${hunk.below}`;
  const title = `Edit ${path.basename(file)}`;
  const diff = (before: string, after: string): Json => [
    { type: 'diff', path: file, oldText: before, newText: after },
  ];
  return [
    {
      update: update.toolCall(id, title, {
        kind: 'edit',
        status: 'pending',
        rawInput: { file_path: file, old_string: oldText, new_string: newText },
        content: diff(oldText, newText),
        locations: [{ path: file }],
      }),
    },
    { editFile: file, oldText, newText },
    {
      update: update.toolCallUpdate(id, {
        content: diff(around(oldText), around(newText)),
        locations: [{ path: file, line: hunk.line }],
      }),
    },
    { update: update.toolCallUpdate(id, { status: 'completed' }) },
  ];
}

/** The agent runs a program by itself, in a folder; nothing says which files it changes. */
export function runsCommand(id: string, folder: string, program: string): readonly Step[] {
  return [
    {
      update: update.toolCall(id, 'node script', {
        kind: 'execute',
        status: 'in_progress',
        rawInput: { command: 'node', args: ['-e', program] },
      }),
    },
    { runNode: program, in: folder },
    { update: update.toolCallUpdate(id, { status: 'completed' }) },
  ];
}

export function movesFile(id: string, from: string, to: string): readonly Step[] {
  const title = `Move ${path.basename(from)} to ${path.basename(to)}`;
  return ownCall(id, title, 'move', to, { moveFile: from, to });
}

export function deletesFile(id: string, file: string): readonly Step[] {
  return ownCall(id, `Delete ${path.basename(file)}`, 'delete', file, { deleteFile: file });
}

/** The agent writes through the client; the call has no diff. */
export function writesThroughClient(id: string, file: string, text: string): readonly Step[] {
  return [
    { update: update.toolCall(id, `Write ${path.basename(file)}`, { kind: 'edit' }) },
    {
      request: 'fs/write_text_file',
      params: { sessionId: '$sessionId', path: file, content: text },
      wait: true,
    },
    { update: update.toolCallUpdate(id, { status: 'completed' }) },
  ];
}

/** The agent works on ten files `file-1.txt`… of a folder, one after the other, with pauses. */
export function worksOnTenFiles(folder: string, pause: number): readonly Step[] {
  return Array.from({ length: 10 }, (_, index) => {
    const file = path.join(folder, `file-${index + 1}.txt`);
    const text = Array.from({ length: 20 }, (_line, at) => `Line ${at + 1} of ${index + 1}\n`);
    return [...writesAlone(`ten-${index + 1}`, file, text.join('')), { waitMs: pause }];
  }).flat();
}

function ownCall(
  id: string,
  title: string,
  kind: 'edit' | 'move' | 'delete',
  file: string,
  act: Step,
): readonly Step[] {
  const start = { kind, status: 'in_progress', locations: [{ path: file }] } as const;
  return [
    { update: update.toolCall(id, title, start) },
    act,
    { update: update.toolCallUpdate(id, { status: 'completed' }) },
  ];
}
