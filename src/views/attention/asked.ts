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

/**
 * Everything that the user decides about, each part on a line of its own; `undefined` if it must be shown in its
 * transcript because it is too long, or a plan, or because something of its input may change what its command does.
 */
export function askedLines(entry: PermissionEntry): readonly string[] | undefined {
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
  const lines = [
    ...ownWords(entry),
    literalLine(title),
    command !== undefined && isUntold(command) ? literalLine(command) : '',
    ...folders.map((folder) => l10n.t('It runs in {0}.', literalLine(folder))),
    ...Object.entries(beside?.variables ?? {}).map((variable) =>
      l10n.t('It sets {0}.', literalLine(variable.join('='))),
    ),
    ...filesChangedIn(content).filter(isUntold).map(literalLine),
    own?.act === 'folder' ? l10n.t('Let it read and write files there?') : '',
  ]
    .map((line) => cleanText(line, 10_000))
    .filter(Boolean);
  return lines.flatMap(getRows).length > maxRows ? undefined : lines;
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
