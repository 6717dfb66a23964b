import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { fileOfWindow } from '../../src/platform/files/windowFiles';
import type { FileSuggestion } from '../../src/shared/transcript/questions';
import { ExtensionBench, waitFor, workspaceFolder } from './harness/support';

describe('files of a session', () => {
  let bench: ExtensionBench;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
  });
  afterEach(() => bench.dispose());

  describe('to mention', () => {
    const place = (): string => path.join(workspaceFolder(), 'searched');
    const found = (): Promise<readonly FileSuggestion[]> => bench.api.fileSearch.search('findme');
    afterEach(() => rm(place(), { recursive: true, force: true }));

    it('leave out what .gitignore and files.exclude leave out', async () => {
      await mkdir(path.join(place(), 'made'), { recursive: true });
      await writeFile(path.join(place(), '.gitignore'), 'made/\n');
      await writeFile(path.join(place(), 'findme.ts'), '');
      await writeFile(path.join(place(), 'made', 'findme.ts'), '');
      await writeFile(path.join(place(), 'findme.ts.orig'), '');
      const files = vscode.workspace.getConfiguration('files');
      await files.update('exclude', { '**/*.orig': true }, vscode.ConfigurationTarget.Global);
      try {
        const suggestions = await waitFor(async () => {
          const now = await found();
          return now.length > 0 && now;
        }, 'the file');
        assert.deepEqual(suggestions, [
          {
            uri: pathToFileURL(path.join(place(), 'findme.ts')).href,
            name: 'findme.ts',
            detail: 'searched',
            isFolder: false,
          },
        ]);
        await writeFile(path.join(place(), 'findme.md'), '');
        await waitFor(async () => (await found()).length === 2, 'a file that came later');
      } finally {
        await files.update('exclude', undefined, vscode.ConfigurationTarget.Global);
      }
    });

    it('follow search.exclude, and a .gitignore that another program changes', async () => {
      await mkdir(place(), { recursive: true });
      const ignoreFile = path.join(place(), '.gitignore');
      await writeFile(ignoreFile, '');
      await writeFile(path.join(place(), 'findme.ts'), '');
      await writeFile(path.join(place(), 'findme.orig'), '');
      const settings = vscode.workspace.getConfiguration('search');
      const names = async (): Promise<string> =>
        (await found())
          .map(({ name }) => name)
          .sort()
          .join();
      try {
        await waitFor(async () => (await names()) === 'findme.orig,findme.ts', 'both files');
        const excluded = { ...settings.get<object>('exclude'), '**/*.orig': true };
        await settings.update('exclude', excluded, vscode.ConfigurationTarget.Global);
        await waitFor(async () => (await names()) === 'findme.ts', 'the excluded file to go');
        await writeFile(ignoreFile, 'findme.ts\n');
        await waitFor(async () => (await names()) === '', 'the ignored file to go');
      } finally {
        await settings.update('exclude', undefined, vscode.ConfigurationTarget.Global);
      }
    });

    it('CO-2, SEC-35: are told from those of other machines by a real page’s addresses', () => {
      const panel = vscode.window.createWebviewPanel('test', 'Test', vscode.ViewColumn.One);
      try {
        const file = vscode.Uri.file(bench.file('a.txt'));
        const other = file.with({ scheme: 'vscode-remote', authority: 'ssh-remote+other' });
        assert.equal(fileOfWindow(other, panel.webview).toString(), other.toString());
        const host = panel.webview.asWebviewUri(file).authority.split('.')[0]!;
        const [scheme, coded = ''] = host.split('+');
        // Only a remote window has an authority.
        const authority = coded.replace(/-([0-9a-f]{4})/g, (_, code: string) =>
          String.fromCodePoint(Number.parseInt(code, 16)),
        );
        const own = file.with({ scheme: 'vscode-remote', authority });
        assert.equal(
          fileOfWindow(own, panel.webview).scheme,
          scheme === 'file' ? own.scheme : 'file',
        );
      } finally {
        panel.dispose();
      }
    });
  });
});
