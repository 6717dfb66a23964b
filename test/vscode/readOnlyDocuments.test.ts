import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ExtensionBench } from './harness/support';

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
});
