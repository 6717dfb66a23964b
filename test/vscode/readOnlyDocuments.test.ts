import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ExtensionBench, waitFor } from './harness/support';

describe('read-only documents', () => {
  let bench: ExtensionBench;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
  });
  afterEach(() => bench.dispose());

  it('keeps the text of a document whose language is changed', async () => {
    const { documents } = bench.api;
    const uri = documents.add('message.md', '# Title');
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    await vscode.languages.setTextDocumentLanguage(document, 'plaintext');
    assert.equal(documents.provideTextDocumentContent(uri), '# Title');
  });

  it('PL-4: a live document follows its text while it is open', async () => {
    const { documents } = bench.api;
    let text = '# One';
    let changed: () => void = () => undefined;
    const uri = documents.addLive('plan.md', {
      read: () => text,
      listen: (listener) => {
        changed = listener;
        return { dispose: () => undefined };
      },
    });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    assert.equal(document.languageId, 'markdown');
    text = '# Two';
    changed();
    await waitFor(() => document.getText() === '# Two', 'the change');
  });
});
