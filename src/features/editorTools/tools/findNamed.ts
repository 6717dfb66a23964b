import * as vscode from 'vscode';
import type { ServedSession } from '../../../model/session/ownServers';
import { bareName } from '../../../platform/files/fileSymbols';
import type { JsonObject } from '../../../util/json';
import { numberArgument, ToolRefusal, textArgument } from '../model/tool';
import { fileArgument, linesOf, nameOf, readable } from './filePlaces';
import { ask } from './languageAnswers';

/** A place in a file, and the word there. */
export interface Named {
  readonly document: vscode.TextDocument;
  readonly position: vscode.Position;
  readonly word: string;
}

/** The arguments by which a tool takes a symbol. */
export const namedProperties = {
  symbol: { type: 'string', description: 'Its name. Enough alone if it is unique.' },
  path: { type: 'string', description: 'A file that has it.' },
  line: { type: 'integer', description: 'A line of the file that has it, from 1.' },
  column: { type: 'integer', description: 'Its column, from 1, in place of the name.' },
};

const maxCandidates = 20;

/** The symbol that the arguments name, by a place, or by its name. */
export async function findNamed(args: JsonObject, session: ServedSession): Promise<Named> {
  const uri = await fileArgument(args, session);
  const symbol = textArgument(args, 'symbol');
  const line = numberArgument(args, 'line');
  const column = numberArgument(args, 'column');
  if (uri === undefined) {
    if (symbol === undefined) {
      throw new ToolRefusal('Name a "symbol", or a "path" with a "line".');
    }
    return findInWorkspace(symbol, session);
  }
  if (line !== undefined && column !== undefined) {
    return namedAt(uri, new vscode.Position(line - 1, column - 1), symbol);
  }
  if (symbol === undefined) {
    throw new ToolRefusal('Name the "symbol", or its "line" and "column".');
  }
  const lines = await linesOf(uri);
  const from = line === undefined ? 0 : line - 1;
  const to = line === undefined ? lines.length : line;
  for (let at = from; at < Math.min(to, lines.length); at++) {
    const found = indexOfWord(lines[at] ?? '', symbol);
    if (found >= 0) {
      return namedAt(uri, new vscode.Position(at, found), symbol);
    }
  }
  const where = line === undefined ? '' : ` in line ${line}`;
  throw new ToolRefusal(`"${symbol}" isn't in ${nameOf(uri, session)}${where}.`);
}

async function findInWorkspace(symbol: string, session: ServedSession): Promise<Named> {
  const found = await ask<vscode.SymbolInformation>(
    'vscode.executeWorkspaceSymbolProvider',
    symbol,
  );
  const exact = found.filter(({ name }) => bareName(name) === symbol);
  const allowed = await readable(
    exact.map(({ location }) => location.uri),
    session,
  );
  const own = exact.filter(({ location }) => allowed.has(location.uri.toString()));
  const [only, another] = own;
  if (only === undefined) {
    throw new ToolRefusal(
      `No symbol "${symbol}" was found by its name alone. Say the "path" of a file that has it.`,
    );
  }
  if (another !== undefined) {
    const list = own
      .slice(0, maxCandidates)
      .map(({ location }) => `  ${nameOf(location.uri, session)}:${location.range.start.line + 1}`);
    throw new ToolRefusal(
      [`${own.length} symbols are called "${symbol}". Say "path" and "line":`, ...list].join('\n'),
    );
  }
  const { uri, range } = only.location;
  const lines = await linesOf(uri);
  const { line, character } = range.start;
  const at = indexOfWord(lines[line] ?? '', symbol, character);
  return namedAt(uri, at < 0 ? range.start : new vscode.Position(line, at), symbol);
}

async function namedAt(
  uri: vscode.Uri,
  position: vscode.Position,
  symbol: string | undefined,
): Promise<Named> {
  const document = await vscode.workspace.openTextDocument(uri);
  if (position.line >= document.lineCount) {
    throw new ToolRefusal(`The file has only ${document.lineCount} lines.`);
  }
  const range = document.getWordRangeAtPosition(position);
  const word = symbol ?? (range === undefined ? '' : document.getText(range));
  return { document, position, word };
}

/** Where a whole word begins in a line, or -1. */
function indexOfWord(line: string, word: string, from = 0): number {
  for (let at = line.indexOf(word, from); at >= 0; at = line.indexOf(word, at + 1)) {
    const isWhole = !isWordPart(line.charAt(at - 1)) && !isWordPart(line.charAt(at + word.length));
    if (isWhole) {
      return at;
    }
  }
  return -1;
}

function isWordPart(character: string): boolean {
  return /[\p{L}\p{N}_$]/u.test(character);
}
