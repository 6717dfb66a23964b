import * as l10n from '@vscode/l10n';
import { besideCommand } from '../../model/calls/besideCommand';
import { findCommand } from '../../model/calls/commandLine';
import { cleanText } from '../../model/text/titles';
import { literal, literalLine } from '../../shared/literal';
import { filesChangedIn } from '../../shared/transcript/content';
import type { Entry, PermissionEntry } from '../../shared/transcript/entries';

/** Splits a title into rows of at most 70 characters: a list cuts what is wider than itself. */
const wholeRow = /.{1,70}/gsu;
/** Longer requests are answered in the transcript only. */
const maxRows = 8;

/** Everything that the user decides about, each part on a line of its own. */
interface AskedParts {
  readonly what: readonly string[];
  /** In which folders. */
  readonly where: readonly string[];
}

/** The parts in a row; `undefined` as below. */
export function askedLines(entry: PermissionEntry): readonly string[] | undefined {
  const parts = askedParts(entry);
  return parts && [...parts.what, ...parts.where];
}

/**
 * What a request is about; `undefined` if it must be shown in its transcript because it is too long, or a plan, or
 * because something of its input may change what its command does.
 */
export function askedParts(entry: PermissionEntry): AskedParts | undefined {
  const { toolCall, own } = entry;
  const { title, toolKind, rawInput, content } = toolCall;
  if (toolKind === 'switch_mode' && (content.length > 0 || rawInput !== undefined)) {
    // A plan, which nobody should approve without having seen it.
    return undefined;
  }
  const isUntold = (text: string): boolean => !title.includes(text);
  const command = findCommand(rawInput);
  const beside = command === undefined ? undefined : besideCommand(rawInput);
  if (own === undefined && beside?.isHarmless === false) {
    return undefined;
  }
  const folders = own?.act === 'command' ? [own.folder] : (beside?.folders ?? []);
  const what = [
    ...ownWords(entry),
    literalLine(title),
    command !== undefined && isUntold(command) ? literalLine(command) : '',
    ...Object.entries(beside?.variables ?? {}).map((variable) =>
      l10n.t('It sets {0}.', literalLine(variable.join('='))),
    ),
    ...filesChangedIn(content).filter(isUntold).map(literalLine),
    own?.act === 'folder' ? l10n.t('Let it read and write files there?') : '',
  ]
    .map(asLine)
    .filter(Boolean);
  const where = folders.map((folder) => asLine(l10n.t('It runs in {0}.', literalLine(folder))));
  return [...what, ...where].flatMap(getRows).length > maxRows ? undefined : { what, where };
}

function asLine(text: string): string {
  return cleanText(text, 10_000);
}

/** What a request says itself, in words that could be about anything. */
function ownWords({ toolCall, title, description }: PermissionEntry): readonly string[] {
  const isTitle = title?.trim() === toolCall.title.trim();
  return [isTitle ? '' : literal(title ?? ''), literal(description ?? '')];
}

/** Rows that a list shows in full. */
export function getRows(line: string): readonly string[] {
  return line.match(wholeRow) ?? [];
}

/** A request in one line. */
export function askedLine(entry: Entry | undefined): string {
  switch (entry?.kind) {
    case 'permission':
      return cleanText(literalLine(entry.title || entry.toolCall.title), 200);
    case 'elicitation':
      return cleanText(entry.message, 200);
    default:
      return l10n.t('A question');
  }
}
