import type * as vscode from 'vscode';
import { addCommand } from './commands';
import { openTextDocument, setTextDocumentLanguage } from './documents';
import { CancellationTokenSource, Disposable, never } from './events';

interface Lenses {
  readonly selector: vscode.DocumentFilter;
  readonly provider: vscode.CodeLensProvider;
}

const lenses = new Set<Lenses>();

export const languages = {
  registerCodeLensProvider: (selector, provider) => {
    if (typeof selector !== 'object' || !('language' in selector || 'pattern' in selector)) {
      throw new Error('Here lenses are for a language, or for names of files.');
    }
    const own = { selector, provider };
    lenses.add(own);
    return new Disposable(() => lenses.delete(own));
  },
  registerCodeActionsProvider: () => new Disposable(() => undefined),
  onDidChangeDiagnostics: never,
  getDiagnostics: (() => []) as unknown as typeof vscode.languages.getDiagnostics,
  setTextDocumentLanguage,
  getLanguages: () => Promise.resolve(['plaintext', 'markdown', 'typescript', 'json']),
} satisfies Partial<typeof vscode.languages>;

/** Tells whether a selector is for a document; of patterns, those for an ending are known. */
function isFor(
  { language, pattern }: vscode.DocumentFilter,
  { languageId, uri }: vscode.TextDocument,
): boolean {
  const ending = typeof pattern === 'string' ? pattern.replace(/^\*\*\/\*/, '') : '';
  return (language ?? languageId) === languageId && uri.path.endsWith(ending);
}

addCommand('vscode.executeCodeLensProvider', async (uri: vscode.Uri) => {
  const document = await openTextDocument(uri);
  const { token } = new CancellationTokenSource();
  const found = [...lenses]
    .filter(({ selector }) => isFor(selector, document))
    .map(async ({ provider }) => provider.provideCodeLenses(document, token));
  return (await Promise.all(found)).flatMap((own) => own ?? []);
});
