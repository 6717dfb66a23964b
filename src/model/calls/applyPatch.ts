import type { Diff, FileChange } from '../../shared/transcript/content';
import { copied } from '../../util/textParts';

/** A change that a call makes to a file. */
export type FilePart = Diff | FileChange;

/** The line with which such a patch begins. */
export const beginPatch = '*** Begin Patch';
const endPatch = '*** End Patch';
const header = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/;

/** A file of a patch, as far as it has been read. */
interface Section {
  readonly operation: 'add' | 'modify' | 'delete';
  readonly path: string;
  movedTo?: string;
  before: string[];
  after: string[];
}

/**
 * The changes in the patches of an `apply_patch` tool, which may be a part of a text, such as a shell's heredoc: one
 * `Diff` for each hunk. They are read when asked for, in time proportional to what is asked.
 */
export function* readApplyPatch(text: string): Generator<FilePart, void> {
  let at = nextPatch(text, 0);
  while (at !== undefined) {
    const end = getEnd(text, at);
    yield* sectionsIn(text, at, end);
    at = nextPatch(text, end);
  }
}

/** The place where the lines of the next patch begin: the whole text, or lines of its own, perhaps after a quote. */
function nextPatch(text: string, from: number): number | undefined {
  for (let at = text.indexOf(beginPatch, from); at !== -1; at = text.indexOf(beginPatch, at + 1)) {
    const lines = at + beginPatch.length;
    if (
      (at === 0 || /[\s"'`]/.test(text.charAt(at - 1))) &&
      /^[ \t]*\r?\n/.test(text.slice(lines, lines + 20))
    ) {
      return text.indexOf('\n', lines) + 1;
    }
  }
  return undefined;
}

function getEnd(text: string, from: number): number {
  if (text.startsWith(endPatch, from)) {
    return from;
  }
  const end = text.indexOf(`\n${endPatch}`, from);
  return end === -1 ? text.length : end + 1;
}

function* sectionsIn(text: string, start: number, end: number): Generator<FilePart, void> {
  let section: Section | undefined;
  for (let at = start; at < end; ) {
    const stop = text.indexOf('\n', at);
    const lineEnd = stop === -1 || stop > end ? end : stop;
    const line = text.slice(at, text[lineEnd - 1] === '\r' ? lineEnd - 1 : lineEnd);
    at = lineEnd + 1;
    const [, word, name = ''] = line.startsWith('*** ') ? (header.exec(line) ?? []) : [];
    const path = name === '' ? '' : copied(name.trimEnd());
    if (word === 'Move to' && section !== undefined) {
      section.movedTo = path;
      yield { type: 'fileChange', operation: 'move', path, oldPath: section.path };
    } else if (word !== undefined && word !== 'Move to') {
      yield* getHunk(section);
      section = getSection(word, path);
      if (section.operation === 'delete') {
        yield { type: 'fileChange', operation: 'delete', path };
      }
    } else if (line.startsWith('@@') && section?.operation === 'modify') {
      yield* getHunk(section);
    } else if (section !== undefined && !line.startsWith('*** ')) {
      addLine(section, line);
    }
  }
  yield* getHunk(section, true);
}

function getSection(word: string, path: string): Section {
  const operation = word === 'Add File' ? 'add' : word === 'Update File' ? 'modify' : 'delete';
  return { operation, path, before: [], after: [] };
}

function addLine(section: Section, line: string): void {
  const text = line.slice(1);
  if (line.startsWith('+')) {
    section.after.push(text);
  } else if (section.operation === 'modify' && line.startsWith('-')) {
    section.before.push(text);
  } else if (section.operation === 'modify') {
    section.before.push(text);
    section.after.push(text);
  }
}

/** The hunk that ends here; the next one begins empty. */
function* getHunk(section: Section | undefined, isLast = false): Generator<Diff, void> {
  if (section === undefined || section.operation === 'delete') {
    return;
  }
  const { operation, before, after, path, movedTo = path } = section;
  const [oldText, newText] = [before.join('\n'), after.join('\n')];
  section.before = [];
  section.after = [];
  if (operation === 'add') {
    yield { type: 'diff', path, oldText: null, newText: newText === '' ? '' : `${newText}\n` };
  } else if (oldText !== newText || (isLast && before.length !== after.length)) {
    yield { type: 'diff', path: movedTo, oldText, newText };
  }
}
