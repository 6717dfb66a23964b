import path from 'node:path';
import type { FileRename, TextEdit, WorkspaceEdit } from 'vscode-languageserver/node';
import { pathOfFileUri } from '../../../model/files/fileUri';
import { mentionPaths } from '../../../model/files/mentionPaths';
import { isInside } from '../../../model/files/roots';
import type { SegmentOf } from '../../../shared/prompt/promptDocument';
import { getSegments } from '../../../shared/prompt/promptDocument';
import { mentionText } from '../../../shared/prompt/promptMention';
import type { Prompt } from './openPrompts';
import { findFile, getFolders, getPlace, writtenPath } from './pathTargets';

interface Move {
  readonly from: string;
  readonly to: string;
}

/** The edits that keep mentions and images in the open prompts valid when files are moved. */
export async function renameEdits(
  prompts: readonly Prompt[],
  files: readonly FileRename[],
): Promise<WorkspaceEdit | null> {
  const moves = files.flatMap(({ oldUri, newUri }): Move[] => {
    const from = pathOfFileUri(oldUri);
    const to = pathOfFileUri(newUri);
    return from === undefined || to === undefined ? [] : [{ from, to }];
  });
  const changes: Record<string, TextEdit[]> = {};
  for (const prompt of prompts) {
    const edits = await getEdits(prompt, moves);
    if (edits.length > 0) {
      changes[prompt.document.uri] = edits;
    }
  }
  return Object.keys(changes).length === 0 ? null : { changes };
}

async function getEdits(prompt: Prompt, moves: readonly Move[]): Promise<TextEdit[]> {
  const { content, document, roots } = prompt;
  const named = [...getSegments(content, 'mention'), ...getSegments(content, 'image')];
  const edits: TextEdit[] = [];
  for (const segment of named) {
    const written = findFile(segment)?.path;
    const moved = written === undefined ? undefined : await movedTo(written, roots, moves);
    const newText = moved === undefined ? undefined : rewritten(segment, moved);
    if (newText !== undefined) {
      const start = document.positionAt(segment.start);
      edits.push({ range: { start, end: document.positionAt(segment.end) }, newText });
    }
  }
  return edits;
}

/** The path as it must be written after the move; `undefined` if it isn't moved. */
async function movedTo(
  written: string,
  roots: readonly string[],
  moves: readonly Move[],
): Promise<string | undefined> {
  // Most mentions aren't affected, so check this before accessing the disk.
  const mayBeMoved = mentionPaths(written, roots).some((file) =>
    moves.some(({ from }) => isInside(file, [from])),
  );
  if (!mayBeMoved) {
    return undefined;
  }
  const found = await getPlace(written, await getFolders(roots));
  const file = found.kind === 'found' ? found.path : mentionPaths(written, roots)[0];
  const move = file && moves.find(({ from }) => isInside(file, [from]));
  if (!move) {
    return undefined;
  }
  const target = path.join(move.to, path.relative(move.from, file));
  const isFolder = /[\\/]$/.test(written);
  const folders = path.isAbsolute(written) ? [] : roots;
  return `${writtenPath(target, folders)}${isFolder ? '/' : ''}`;
}

function rewritten(
  segment: SegmentOf<'mention'> | SegmentOf<'image'>,
  moved: string,
): string | undefined {
  if (segment.kind === 'mention') {
    return mentionText(moved, segment.target.kind === 'file' ? segment.target.lines : undefined);
  }
  if (/[<>\r\n]/.test(moved)) {
    return undefined;
  }
  return `![${segment.alt}](${/[\s()]/.test(moved) ? `<${moved}>` : moved})`;
}
