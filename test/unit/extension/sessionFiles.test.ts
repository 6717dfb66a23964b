import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import type { SessionChange } from '../../../src/model/transcript/changes';
import type { Diff } from '../../../src/shared/transcript/content';
import type { ToWebview } from '../../../src/shared/transcript/webviewMessages';
import { getAttachments, parseUris } from '../../../src/views/transcript/composer/attachments';
import { FileSearch } from '../../../src/views/transcript/composer/fileSearch';
import { handleIntent, type IntentTarget } from '../../../src/views/transcript/tabs/intents';
import { ChangedFiles } from '../../../src/views/transcript/text/changedFiles';
import { openAllChanges, openChange } from '../../../src/views/transcript/text/openChanges';
import { Dialogs, replaceMember } from '../../vscode/harness/dialogs';
import { ExtensionBench, waitFor, workspaceFolder } from '../../vscode/harness/support';

describe('files of a session', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  let context: { readonly cwd: string; readonly roots: readonly string[] };
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    dialogs = new Dialogs();
    context = { cwd: bench.folder, roots: [bench.folder] };
  });
  afterEach(async () => {
    dialogs.dispose();
    await bench.dispose();
  });

  function edit(name: string, oldText: string | null, newText: string): Diff {
    return { type: 'diff', path: bench.file(name), oldText, newText };
  }

  /** A session of the only agent with these changes. */
  function changing(files: readonly SessionChange[]): Parameters<typeof openAllChanges>[1] {
    return {
      title: 'Title',
      agent: { title: 'Gull', isOnly: true },
      changes: { files, filesIn: () => files },
      shown: { entries: [] },
      info: { cwd: bench.folder },
    };
  }

  function change(name: string, newText: string, oldText: string | null = 'old\n'): SessionChange {
    return { path: bench.file(name), edits: [edit(name, oldText, newText)] };
  }

  /** The arguments of the diff commands that were run; VS Code's own commands are intercepted. */
  async function openedBy(open: () => Promise<void>): Promise<unknown[][]> {
    const opened: unknown[][] = [];
    const restore = replaceMember(vscode.commands, 'executeCommand', (...args: unknown[]) => {
      opened.push(args);
      return Promise.resolve();
    });
    try {
      await open();
    } finally {
      restore();
    }
    return opened;
  }

  const textOf = async (uri: vscode.Uri | undefined): Promise<string | undefined> =>
    uri && (await vscode.workspace.openTextDocument(uri)).getText();

  describe('changes', () => {
    const original = 'alpha\nbeta\ngamma\ndelta\nepsilon\nzeta\neta\ntheta\n';
    const edited = original.replace('beta', 'BETA').replace('theta', 'THETA');
    /**
     * Two edits of one line each, in the shapes that Claude sends before and after they are made.
     */
    const shapes = (name: string): Record<string, readonly Diff[]> => ({
      fragments: [edit(name, 'beta', 'BETA'), edit(name, 'theta', 'THETA')],
      'hunks with context': [
        edit(name, 'alpha\nbeta\ngamma\ndelta', 'alpha\nBETA\ngamma\ndelta'),
        edit(name, 'epsilon\nzeta\neta\ntheta', 'epsilon\nzeta\neta\nTHETA'),
      ],
    });

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

    it('are counted edit by edit, and fragments are looked for in the file', async () => {
      await writeFile(bench.file('edited.txt'), edited);
      await writeFile(bench.file('new.txt'), 'one\ntwo\n');
      await writeFile(bench.file('less.txt'), 'kept\n');
      await writeFile(bench.file('untouched.txt'), original);
      const of = (name: string, ...edits: readonly Diff[]): SessionChange => ({
        path: bench.file(name),
        edits,
      });
      for (const [shape, edits] of Object.entries(shapes('edited.txt'))) {
        const recorded = [
          of('edited.txt', ...edits),
          of('new.txt', edit('new.txt', '', 'one\ntwo\n')),
          of('less.txt', edit('less.txt', 'gone\n', '')),
          of('untouched.txt', edit('untouched.txt', 'delta', 'delta')),
        ];
        const files = new ChangedFiles(() => recorded, context);
        await waitFor(() => files.files[0]?.state !== undefined, 'the states');
        assert.deepEqual(
          files.files.map(({ added, removed, state }) => [added, removed, state]),
          [
            [2, 2, 'same'],
            [2, 0, 'same'],
            [0, 1, undefined],
            [0, 0, 'same'],
          ],
          shape,
        );
        files.dispose();
      }
    });

    it('open together, each as it was against the file as it is', async () => {
      await writeFile(bench.file('a.txt'), edited);
      for (const [shape, edits] of Object.entries(shapes('a.txt'))) {
        const changes = [
          { path: bench.file('a.txt'), edits },
          change('gone.txt', '', 'all of it\n'),
        ];
        const opened = await openedBy(() =>
          openAllChanges(bench.api, changing(changes), undefined, context),
        );
        const [command, title, sides] = opened[0] ?? [];
        assert.deepEqual([command, title], ['vscode.changes', 'Changes: Title']);
        const [first = [], second = []] = sides as vscode.Uri[][];
        assert.equal(first[2]?.fsPath, bench.file('a.txt'));
        assert.equal(await textOf(first[1]), original, shape);
        assert.equal(await textOf(second[1]), 'all of it\n');
        assert.equal(await textOf(second[2]), '', 'a file that is gone is empty');
        assert.equal(first[1]?.path, first[2].path, 'one file, not one that was renamed');
      }
    });

    it('are left out of all changes if the text before them is unknown', async () => {
      await writeFile(bench.file('a.txt'), edited);
      await writeFile(bench.file('b.txt'), 'by hand\n');
      const changes = [change('a.txt', edited, original), change('b.txt', 'new\n')];
      const opened = await openedBy(() =>
        openAllChanges(bench.api, changing(changes), undefined, context),
      );
      assert.deepEqual(
        opened.map(([command, title, sides]) => [command, title, (sides as unknown[]).length]),
        [['vscode.changes', 'Changes: Title (1 of 2 files)', 1]],
      );
      assert.match(dialogs.texts('information').join(), /left out: 1 of 2\..*one by one/);
      const none = await openedBy(() =>
        openAllChanges(bench.api, changing(changes.slice(1)), undefined, context),
      );
      assert.deepEqual(none, []);
      assert.match(
        dialogs.texts('information').at(-1) ?? '',
        /what the changed files contained before the session/,
      );
    });

    it('open as the file at the last edit if the text before it is unknown', async () => {
      await writeFile(bench.file('a.txt'), 'x = 0\nx = 1\nx = 1\n');
      await openChange(bench.api.documents, change('a.txt', 'x = 1', 'x = 2'), 'Gull', context);
      const editor = vscode.window.activeTextEditor;
      assert.equal(editor?.document.uri.fsPath, bench.file('a.txt'));
      assert.equal(editor.selection.active.line, 1);
      assert.match(dialogs.texts('information').join(), /what a\.txt contained before the session/);
    });

    it('open one by one as the file before the session against the file as it is', async () => {
      await writeFile(bench.file('a.txt'), 'new\n');
      await openChange(bench.api.documents, change('a.txt', 'new\n'), 'Gull', context);
      const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      assert.ok(input instanceof vscode.TabInputTextDiff);
      assert.equal(input.modified.fsPath, bench.file('a.txt'));
      assert.equal(await textOf(input.original), 'old\n');
      const before = { file: bench.file('a.txt'), side: 'before' };
      assert.deepEqual(bench.api.documents.stateOf(input.original), before, 'for comments on it');
    });

    it('show only the recorded text of a file outside the session’s folders', async () => {
      const path = '/etc/hostname';
      const file = { path, edits: [{ type: 'diff', path, oldText: 'a', newText: 'b' }] } as const;
      await openChange(bench.api.documents, file, 'Gull', context);
      const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      assert.ok(input instanceof vscode.TabInputTextDiff);
      assert.equal(input.modified.scheme, 'acp-session');
    });
  });

  describe('to mention', () => {
    it('are read again when reading them has failed', async () => {
      const names = ['findme.ts'];
      let failure: Error | undefined;
      const restore = replaceMember(vscode.workspace, 'findFiles', () =>
        failure === undefined
          ? Promise.resolve(
              names.map((name) => vscode.Uri.file(path.join(workspaceFolder(), name))),
            )
          : Promise.reject(failure),
      );
      const files = vscode.workspace.getConfiguration('files');
      const warnings: string[] = [];
      const search = new FileSearch({ warn: (text) => void warnings.push(text) });
      try {
        assert.equal((await search.search('findme')).length, 1);
        names.push('findme.md');
        failure = new Error('no disk');
        await files.update('exclude', { '**/*.orig': true }, vscode.ConfigurationTarget.Global);
        await waitFor(async () => {
          const { length } = await search.search('findme');
          assert.equal(length, 1, 'what is known is still offered');
          return warnings.length > 0;
        }, 'the failure to be logged');
        assert.match(warnings.join(), /no disk/);
        failure = undefined;
        await waitFor(async () => (await search.search('findme')).length === 2, 'the new file');
      } finally {
        restore();
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
      const read = await getAttachments(uris, true);
      assert.deepEqual(
        read.attachments.map(({ type }) => type),
        ['image', 'file'],
      );
      assert.deepEqual(read.refused, ['gone.txt', 'b.txt', 'c.txt']);
      const [file] = (await getAttachments(uris.slice(0, 1), false)).attachments;
      assert.equal(file?.type, 'file');
    });

    /** Drops URIs on a page of a window with this authority. */
    async function drop(authority: string, uris: readonly string[]) {
      const attached: string[] = [];
      // Addresses as VS Code makes them, `file:` with the authority of a remote window.
      const asWebviewUri = (uri: vscode.Uri): vscode.Uri => {
        const isOurs = uri.scheme === 'file' && authority !== '';
        const host = isOurs ? `vscode-remote+${authority}` : `${uri.scheme}+${uri.authority}`;
        return vscode.Uri.from({
          scheme: 'https',
          authority: `${Buffer.from(host).toString('hex')}.example`,
          path: uri.path,
        });
      };
      const target = {
        session: { agent: { title: 'Gull', supports: () => false }, title: 'Title' },
        offered: { allowed: (files: readonly string[]) => Promise.resolve(new Set(files)) },
        webview: { asWebviewUri },
        post: (message: ToWebview) => {
          if (message.type === 'attach') {
            attached.push(...message.attachments.map((it) => (it.type === 'file' ? it.uri : '')));
          }
        },
      };
      await handleIntent(target as unknown as IntentTarget, { type: 'dropFiles', uris });
      return attached;
    }

    it('CO-2: are those of a remote window when it names them by its own authority', async () => {
      await writeFile(bench.file('a #1 ä.txt'), '');
      const file = vscode.Uri.file(bench.file('a #1 ä.txt'));
      for (const authority of ['ssh-remote+host', 'wsl+Ubuntu-24.04', 'localhost:8080']) {
        // Not `toString()`, which lowers the case of authorities.
        const remote = `vscode-remote://${authority}${encodeURI(file.path).replaceAll('#', '%23')}`;
        const attached = await drop(authority, [remote, `${remote}?q#L1`]);
        const address = pathToFileURL(file.fsPath).href;
        assert.deepEqual(attached, [address, address], authority);
      }
      assert.deepEqual(dialogs.asked, []);
    });

    it('CO-2, SEC-35: are none of another machine, nor of VS Code’s own', async () => {
      await writeFile(bench.file('a.txt'), '');
      const { path: at } = vscode.Uri.file(bench.file('a.txt'));
      for (const uri of [
        `vscode-remote://ssh-remote+other${at}`,
        `vscode-remote://wsl+host${at}`,
        `vscode-remote://ssh-remote+host/${at}`,
        `vscode-remote:${at}`,
        `vscode-local:${at}`,
      ]) {
        assert.deepEqual(await drop('ssh-remote+host', [uri]), [], uri);
        assert.match(dialogs.texts('warning').at(-1)!, /another machine.*a\.txt$/, uri);
      }
      assert.deepEqual(
        await drop('', [`vscode-remote://ssh-remote+host${at}`]),
        [],
        'no remote window',
      );
      for (const scheme of ['vscode-userdata', 'vscode-vfs', 'untitled']) {
        assert.deepEqual(await drop('ssh-remote+host', [`${scheme}:${at}`]), [], scheme);
        assert.match(dialogs.texts('warning').at(-1)!, /isn’t a local file: a\.txt$/, scheme);
      }
    });
  });

  describe('EL-11, EL-12: addresses that an agent wants opened', () => {
    const requestId = 7;

    async function accept(url: string, errors?: object) {
      const answers: unknown[] = [];
      const opened: string[] = [];
      const posted: ToWebview[] = [];
      const session = {
        shown: {
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
        agent: { title: 'Gull' },
        requests: {
          waiting: [0],
          answerElicitation: (...answer: unknown[]) => {
            assert.deepEqual(opened, [], 'nothing is opened before the answer');
            answers.push(answer);
            return errors;
          },
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
          id: 1,
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
      const [quit, user] = ['command:workbench.action.quit', 'https://bank.example@evil.example/'];
      const long = `https://a.example/${'x'.repeat(8000)}`;
      for (const url of [quit, 'file:///etc/passwd', 'javascript:0', user, long]) {
        const { answers, opened } = await accept(url);
        assert.deepEqual([answers, opened], [[], []], url);
      }
      assert.equal(dialogs.texts('warning').length, 5);
    });

    it('are not opened when the answer was not taken', async () => {
      const { opened, posted } = await accept('https://example.org/', { name: 'missing' });
      assert.deepEqual(opened, []);
      assert.deepEqual(
        posted.map((message) => 'value' in message && message.value),
        [{ name: 'missing' }, { name: 'missing' }],
      );
    });
  });

  it('are looked for by the page, which always gets a reply', async () => {
    const posted: ToWebview[] = [];
    const found = { uri: 'file:///p/a.ts', name: 'a.ts', detail: '', isFolder: false };
    const context = { source: 'x', about: 'all', mention: '@all', name: 'All', detail: '3' };
    const search = (text: string) =>
      text === 'a' ? Promise.resolve([found]) : Promise.reject(new Error('broken'));
    const target = {
      session: { agent: {}, info: {} },
      services: {
        fileSearch: { search },
        promptContext: { suggest: () => Promise.resolve([context]) },
      },
      post: (message: ToWebview) => posted.push(message),
    } as unknown as IntentTarget;
    await handleIntent(target, { type: 'searchMentions', id: 1, text: 'a' });
    await assert.rejects(
      handleIntent(target, { type: 'searchMentions', id: 2, text: 'b' }),
      /broken/,
    );
    assert.deepEqual(posted, [
      { type: 'reply', id: 1, to: 'searchMentions', value: [context, found] },
      { type: 'reply', id: 2, to: 'searchMentions', failed: true },
    ]);
  });
});
