import path from 'node:path';
import * as vscode from 'vscode';
import type {
  ContextPart,
  ContextReader,
  ContextSession,
} from '../../model/session/providedContext';
import { fileSymbols } from '../../platform/files/fileSymbols';
import { readMention } from '../../shared/prompt/promptMention';
import type { ContextSuggestion } from '../../shared/transcript/questions';
import { withTimeout } from '../../util/async';
import { fileUri } from '../../views/transcript/composer/attachments';
import { aboutSymbol, readAboutSymbol } from './model/aboutSymbol';

const source = 'symbol';
/** Symbols that VS Code finds of which it is looked up whether the session may read them. */
const maxChecked = 200;
const maxSuggestions = 20;
const searchMs = 5000;
const mark = /^[#＃]/;

/**
 * `@#name`: the lines of a symbol in the session's folders. VS Code can't give up a search, so there is one at a time,
 * and what was typed in the meantime but isn't any more is never searched for.
 */
export function workspaceSymbols(): ContextReader {
  let searching: Promise<unknown> = Promise.resolve();
  let latest = '';

  async function search(typed: string): Promise<readonly vscode.SymbolInformation[]> {
    latest = typed;
    await searching;
    if (typed !== latest) {
      return [];
    }
    const found = withTimeout(fileSymbols(typed.replace(mark, '')), searchMs, () => new Error());
    searching = found.catch(() => undefined);
    return found;
  }

  return {
    async read(about, session): Promise<readonly ContextPart[]> {
      const wanted = readAboutSymbol(about);
      if (wanted === undefined) {
        return [];
      }
      const named = (await fileSymbols(wanted.name)).filter(({ name }) => name === wanted.name);
      const known = await reachable(named, session);
      // It may be in another file by now.
      const found = known.find(({ location }) => location.uri.fsPath === wanted.path) ?? known[0];
      return found === undefined ? [] : [await read(found, session)];
    },

    async suggest(typed, session): Promise<readonly ContextSuggestion[]> {
      if (!mark.test(typed)) {
        return [];
      }
      const all = (await search(typed)).filter(({ name }) => canBeMentioned(name));
      const isWhole = ({ name }: vscode.SymbolInformation): boolean =>
        name === typed.replace(mark, '');
      const found = [...all.filter(isWhole), ...all.filter((each) => !isWhole(each))];
      const known = await reachable(found, session);
      return known.slice(0, maxSuggestions).map(({ name, containerName, location }) => ({
        source,
        about: aboutSymbol({ name, path: location.uri.fsPath }),
        ...{ mention: `@#${name}`, name },
        detail: [placeOf(location, session), containerName].filter((each) => each).join(' · '),
      }));
    },
  };
}

function canBeMentioned(name: string): boolean {
  const mention = `@#${name}`;
  return readMention(mention, 0)?.end === mention.length;
}

async function reachable(
  symbols: readonly vscode.SymbolInformation[],
  session: ContextSession,
): Promise<readonly vscode.SymbolInformation[]> {
  const first = symbols.slice(0, maxChecked);
  const files = [...new Set(first.map(({ location }) => location.uri.fsPath))];
  const known = await Promise.all(files.map((file) => session.has(file)));
  const allowed = new Set(files.filter((_, index) => known[index]));
  return first.filter(({ location }) => allowed.has(location.uri.fsPath));
}

/** `src/cart.ts:12` */
function placeOf({ uri, range }: vscode.Location, { cwd }: ContextSession): string {
  return `${path.relative(cwd, uri.fsPath)}:${range.start.line + 1}`;
}

/** The symbol's whole lines, as in the editor, saved or not. */
async function read(
  { name, location }: vscode.SymbolInformation,
  session: ContextSession,
): Promise<ContextPart> {
  const { uri, range } = location;
  const document = await vscode.workspace.openTextDocument(uri);
  const last = Math.min(range.end.line, document.lineCount - 1);
  const first = Math.min(range.start.line, last);
  const lines = new vscode.Range(first, 0, last, document.lineAt(last).text.length);
  return {
    uri: `${fileUri(uri)}#L${first + 1}-L${last + 1}`,
    name: `${name} (${placeOf(location, session)})`,
    text: document.getText(lines),
  };
}
