import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import type { ToWebview } from '../../src/shared/messages';
import { attachmentsOf, parseUris } from '../../src/views/transcript/attachments';
import { ChangedFiles } from '../../src/views/transcript/changedFiles';
import { FileSearch } from '../../src/views/transcript/fileSearch';
import { handleIntent, type IntentTarget } from '../../src/views/transcript/intents';
import { openChange, openChanges } from '../../src/views/transcript/openChanges';
import { Dialogs, replaceMember } from './dialogs';
import { Bench, waitFor, workspaceFolder } from './support';

describe('files of a session', () => {
  let bench: Bench;
  let dialogs: Dialogs;
  let context: { readonly cwd: string; readonly roots: readonly string[] };
  beforeEach(async () => {
    bench = await Bench.create();
    dialogs = new Dialogs();
    context = { cwd: bench.folder, roots: [bench.folder] };
  });
  afterEach(async () => {
    dialogs.dispose();
    await bench.dispose();
  });

  function change(name: string, newText: string, oldText: string | null = 'old\n') {
    return { path: bench.file(name), oldText, newText };
  }

  describe('changes', () => {
    it('say whether each file is still what the session made of it', async () => {
      await writeFile(bench.file('same.txt'), 'new\r\n');
      await writeFile(bench.file('other.txt'), 'by hand\n');
      await symlink('/etc/hostname', bench.file('outside.txt'));
      const recorded = ['same.txt', 'other.txt', 'gone.txt', 'outside.txt'].map((name) =>
        change(name, 'new\n'),
      );
      const files = new ChangedFiles(() => recorded, context);
      const states = (): unknown[] => files.files.map(({ label, state }) => [label, state]);
      await waitFor(() => files.files.some(({ state }) => state !== undefined), 'the states');
      assert.deepEqual(states(), [
        ['same.txt', 'same'],
        ['other.txt', 'changedSince'],
        ['gone.txt', 'missing'],
        ['outside.txt', undefined],
      ]);
      assert.deepEqual([files.files[0]?.added, files.files[0]?.removed], [1, 1]);
      await writeFile(bench.file('same.txt'), 'changed\n');
      files.lookAgain();
      await waitFor(() => files.files[0]?.state === 'changedSince', 'the change to be seen');
      recorded[1] = change('other.txt', 'by hand\n');
      files.refresh();
      await waitFor(() => files.files[1]?.state === 'same', 'the newer record');
      files.dispose();
    });

    it('open together, each as it was against the file as it is', async () => {
      await writeFile(bench.file('a.txt'), 'now\n');
      const opened: unknown[][] = [];
      const restore = replaceMember(vscode.commands, 'executeCommand', (...args: unknown[]) => {
        opened.push(args);
        return Promise.resolve();
      });
      const changes = [change('a.txt', 'new\n'), change('gone.txt', 'new\n')];
      await openChanges(bench.api.documents, changes, 'Title', context);
      restore();
      const [command, title, sides] = opened[0] ?? [];
      assert.deepEqual([command, title], ['vscode.changes', 'Changes: Title']);
      const [first = [], second = []] = sides as vscode.Uri[][];
      assert.equal(first[2]?.fsPath, bench.file('a.txt'));
      const text = async (uri: vscode.Uri | undefined): Promise<string | undefined> =>
        uri && (await vscode.workspace.openTextDocument(uri)).getText();
      assert.equal(await text(first[1]), 'old\n');
      assert.equal(await text(second[2]), '', 'a file that is gone is empty');
      assert.equal(first[1]?.path, first[2].path, 'one file, not one that was renamed');
    });

    it('really open in VS Code', async () => {
      await writeFile(bench.file('a.txt'), 'now\n');
      const changes = [change('a.txt', 'new\n'), change('b.txt', 'new\n', null)];
      await openChanges(bench.api.documents, changes, 'Title', context);
      await waitFor(
        () => vscode.window.tabGroups.activeTabGroup.activeTab?.label.startsWith('Changes: Title'),
        'the editor',
      );
      await openChange(bench.api.documents, change('a.txt', 'new\n'), context);
      const input = await waitFor(() => {
        const { input: shown } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
        return shown instanceof vscode.TabInputTextDiff && shown;
      }, 'the diff');
      assert.equal(input.modified.fsPath, bench.file('a.txt'));
    });

    it('show of a file outside of the session’s folders only what was recorded', async () => {
      const file = { path: '/etc/hostname', oldText: 'a', newText: 'b' };
      await openChange(bench.api.documents, file, context);
      const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      assert.ok(input instanceof vscode.TabInputTextDiff);
      assert.equal(input.modified.scheme, 'acp-session');
    });
  });

  describe('to mention', () => {
    const place = (): string => path.join(workspaceFolder(), 'searched');
    afterEach(() => rm(place(), { recursive: true, force: true }));

    it('leave out what .gitignore and files.exclude leave out', async () => {
      await mkdir(path.join(place(), 'made'), { recursive: true });
      await writeFile(path.join(place(), '.gitignore'), 'made/\n');
      await writeFile(path.join(place(), 'findme.ts'), '');
      await writeFile(path.join(place(), 'made', 'findme.ts'), '');
      await writeFile(path.join(place(), 'findme.ts.orig'), '');
      const files = vscode.workspace.getConfiguration('files');
      await files.update('exclude', { '**/*.orig': true }, vscode.ConfigurationTarget.Global);
      const search = new FileSearch();
      try {
        const found = await waitFor(async () => {
          const suggestions = await search.search('findme');
          return suggestions.length > 0 && suggestions;
        }, 'the file');
        assert.deepEqual(found, [
          {
            uri: pathToFileURL(path.join(place(), 'findme.ts')).href,
            name: 'findme.ts',
            detail: 'searched',
            isFolder: false,
          },
        ]);
        await writeFile(path.join(place(), 'findme.md'), '');
        await waitFor(
          async () => (await search.search('findme')).length === 2,
          'a file that came later',
        );
      } finally {
        search.dispose();
        await files.update('exclude', undefined, vscode.ConfigurationTarget.Global);
      }
    });

    it('CO-2: are files of this machine, and images only where the agent takes them', async () => {
      await writeFile(bench.file('a.png'), 'png');
      const uris = parseUris([
        pathToFileURL(bench.file('a.png')).href,
        pathToFileURL(bench.folder).href,
        pathToFileURL(bench.file('gone.txt')).href,
        'https://example.org/b.txt',
        'file://server/share/c.txt',
        '::: no address',
      ]);
      const read = await attachmentsOf(uris, true);
      assert.deepEqual(
        read.attachments.map(({ type }) => type),
        ['image', 'file'],
      );
      assert.deepEqual(read.refused, ['gone.txt', 'b.txt', 'c.txt']);
      const [file] = (await attachmentsOf(uris.slice(0, 1), false)).attachments;
      assert.equal(file?.type, 'file');
    });
  });

  describe('EL-11, EL-12: addresses that an agent wants opened', () => {
    const requestId = 7;

    async function accept(url: string, errors?: object) {
      const answers: unknown[] = [];
      const opened: string[] = [];
      const posted: ToWebview[] = [];
      const session = {
        transcript: {
          entries: [
            {
              kind: 'elicitation',
              requestId,
              message: 'Log in',
              ask: { mode: 'url', url, elicitationId: 'e' },
              state: { kind: 'waiting' },
            },
          ],
        },
        waiting: [0],
        answerElicitation: (...answer: unknown[]) => {
          assert.deepEqual(opened, [], 'nothing is opened before the answer');
          answers.push(answer);
          return errors;
        },
      };
      const target = {
        session,
        paths: context,
        post: (message: ToWebview) => posted.push(message),
      };
      const restore = replaceMember(vscode.env, 'openExternal', (uri: vscode.Uri) => {
        opened.push(uri.toString());
        return Promise.resolve(true);
      });
      const handle = (action: 'accept' | 'decline'): Promise<void> =>
        handleIntent(target as unknown as IntentTarget, {
          type: 'answerElicitation',
          requestId,
          action,
          values: {},
        });
      await handle('decline');
      assert.deepEqual(opened, []);
      answers.splice(0);
      await handle('accept');
      restore();
      return { answers, opened, posted };
    }

    it('open once, outside, after the person has agreed', async () => {
      const { answers, opened } = await accept('https://example.org/login');
      assert.equal(answers.length, 1);
      assert.deepEqual(opened, ['https://example.org/login']);
    });

    it('are web addresses or not opened, and not agreed to', async () => {
      for (const url of ['command:workbench.action.quit', 'file:///etc/passwd', 'javascript:0']) {
        const { answers, opened } = await accept(url);
        assert.deepEqual([answers, opened], [[], []], url);
      }
      assert.equal(dialogs.texts('warning').length, 3);
    });

    it('are not opened when the answer was not taken', async () => {
      const { opened, posted } = await accept('https://example.org/', { name: 'missing' });
      assert.deepEqual(opened, []);
      assert.deepEqual(
        posted.map(({ type }) => type),
        ['formErrors', 'formErrors'],
      );
    });
  });
});
