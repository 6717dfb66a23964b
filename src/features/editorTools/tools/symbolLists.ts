import * as vscode from 'vscode';
import { type EditorTool, ToolRefusal, textArgument } from '../model/tool';
import { fileArgument, limitsOf, nameOf, readable } from './filePlaces';
import { ask, askSettled } from './languageAnswers';

const maxSymbols = 300;
const maxDepth = 5;

/** Lists the symbols of a file, or finds some by name. */
export const symbols: EditorTool = {
  name: 'symbols',
  description:
    'The outline of a file ("path"), or the symbols of the workspace that match a "query".',
  properties: {
    path: { type: 'string', description: 'The file.' },
    query: { type: 'string', description: 'A name or a part of it.' },
  },
  run: async (args, session, signal) => {
    const uri = await fileArgument(args, session);
    const query = textArgument(args, 'query');
    if (uri !== undefined) {
      const document = await vscode.workspace.openTextDocument(uri);
      const { items, doubt } = await askSettled(document, signal, () =>
        ask<vscode.DocumentSymbol | vscode.SymbolInformation>(
          'vscode.executeDocumentSymbolProvider',
          uri,
        ),
      );
      const lines = items.flatMap((item) => outline(item, 1));
      return list(`symbols of ${nameOf(uri, session)}`, lines) + doubt;
    }
    if (query === undefined) {
      throw new ToolRefusal('Say a "path" or a "query".');
    }
    const found = await ask<vscode.SymbolInformation>(
      'vscode.executeWorkspaceSymbolProvider',
      query,
    );
    const allowed = await readable(
      found.map(({ location }) => location.uri),
      session,
    );
    const lines = found
      .filter(({ location }) => allowed.has(location.uri.toString()))
      .map(({ name, kind, containerName, location }) => {
        const within = containerName ? ` in ${containerName.slice(0, 100)}` : '';
        const place = `${nameOf(location.uri, session)}:${location.range.start.line + 1}`;
        return `  ${kindName(kind)} ${name.slice(0, 200)}${within}: ${place}`;
      });
    return limitsOf(session) + list(`symbols match \`${query}\``, lines);
  },
};

function list(what: string, lines: readonly string[]): string {
  const left = lines.length - maxSymbols;
  return [
    `${lines.length} ${what}${lines.length > 0 ? ':' : '.'}`,
    ...lines.slice(0, maxSymbols),
    ...(left > 0 ? [`${left} more are left out.`] : []),
  ].join('\n');
}

function outline(
  symbol: vscode.DocumentSymbol | vscode.SymbolInformation,
  depth: number,
): readonly string[] {
  const range = 'location' in symbol ? symbol.location.range : symbol.range;
  const line = `${'  '.repeat(depth)}${kindName(symbol.kind)} ${symbol.name.slice(0, 200)}: ${range.start.line + 1}-${range.end.line + 1}`;
  const children = 'children' in symbol && depth < maxDepth ? symbol.children : [];
  return [line, ...children.flatMap((child) => outline(child, depth + 1))];
}

function kindName(kind: vscode.SymbolKind): string {
  return vscode.SymbolKind[kind].toLowerCase();
}
