import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Session } from '../../src/model/session/session';
import { SavedPrompts } from '../../src/views/transcript/composer/savedPrompts';
import { Dialogs } from './harness/dialogs';
import { ExtensionBench, fakeEntry, listed, waitFor, workspaceFolder } from './harness/support';

const commands = [
  { name: 'review', description: 'Looks at the changes', input: { hint: 'what to look at' } },
  { name: 'web', description: 'Searches the web' },
];

const modes = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'code', name: 'Code' },
  ],
};

describe('prompts in editors', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  let created: string[];
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    dialogs = new Dialogs();
    created = [];
    await bench.setAgents({
      a: fakeEntry('Agent', {
        record: bench.file('received'),
        initialize: {
          agentCapabilities: {
            loadSession: true,
            promptCapabilities: { embeddedContext: true, image: true },
            sessionCapabilities: { list: {} },
          },
        },
        sessions: [listed('s1', 'One')],
        replays: {
          s1: [
            {
              update: { sessionUpdate: 'available_commands_update', availableCommands: commands },
            },
            {
              update: {
                sessionUpdate: 'user_message_chunk',
                content: { type: 'text', text: 'Hi' },
              },
            },
            { result: { modes } },
          ],
        },
        on: {
          'session/prompt': [{ result: { stopReason: 'end_turn' } }],
          'session/set_mode': [{ result: {} }],
        },
      }),
    });
  });
  afterEach(async () => {
    dialogs.dispose();
    await bench.dispose();
    await Promise.all(created.map((name) => rm(name, { recursive: true, force: true })));
  });

  async function openSession(): Promise<Session> {
    const node = await bench.session('One');
    await vscode.commands.executeCommand('acpSessions.session.open', node);
    const session = await waitFor(() => bench.api.sessions.find('a', 's1'), 'the session');
    await waitFor(() => session.facts.commands.length === 2, 'its commands');
    return session;
  }

  /** An untitled prompt for the active session. */
  async function newPrompt(text: string): Promise<vscode.TextDocument> {
    await vscode.commands.executeCommand('acpSessions.prompt.new');
    const editor = await waitFor(() => vscode.window.activeTextEditor, 'the editor');
    assert.equal(editor.document.languageId, 'acp-prompt');
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), text));
    return editor.document;
  }

  async function file(name: string, content: string): Promise<vscode.Uri> {
    const full = path.join(workspaceFolder(), name);
    created.push(full);
    await mkdir(path.dirname(full), { recursive: true });
    await writeFile(full, content);
    return vscode.Uri.file(full);
  }

  function completionsAt(document: vscode.TextDocument, character: number, line = 0) {
    return waitFor(async () => {
      const list = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        new vscode.Position(line, character),
      );
      const labels = list.items
        .map(({ label }) => (typeof label === 'string' ? label : label.label))
        .filter((label) => /^[/@]/.test(label) || label.includes('.'));
      return labels.length > 0 && labels;
    }, 'suggestions');
  }

  function problems(document: vscode.TextDocument): string[] {
    return vscode.languages
      .getDiagnostics(document.uri)
      .flatMap(({ code }) => (typeof code === 'string' ? [code] : []));
  }

  async function sentPrompts() {
    const received = (await bench.received('received')) as readonly {
      readonly method?: string;
      readonly params?: { readonly prompt?: readonly Record<string, unknown>[] };
    }[];
    return received.flatMap(({ method, params }) =>
      method === 'session/prompt' && params?.prompt ? [params.prompt] : [],
    );
  }

  it('CM-1: completes the commands of the session that a prompt is written for', async () => {
    await openSession();
    const document = await newPrompt('/');
    assert.deepEqual(await completionsAt(document, 1), ['/review', '/web']);
  });

  it('warns of commands and files that are not there, and no longer once they are', async () => {
    await openSession();
    const document = await newPrompt('/nope in @no-such-file.ts');
    await waitFor(() => problems(document).length === 2, 'two warnings');
    assert.deepEqual(problems(document).sort(), ['mention-missing', 'unknown-command']);
    const editor = await vscode.window.showTextDocument(document);
    const whole = new vscode.Range(0, 0, 0, 100);
    await editor.edit((edit) => edit.replace(whole, '/review this'));
    await waitFor(() => problems(document).length === 0, 'no warning');
  });

  it('asks for what a saved prompt leaves open, and runs it', async () => {
    await file('.acp/prompts/review.prompt.acp', 'Review ${1:what} for ${2:whom}, ${1}!');
    await openSession();
    dialogs.answer = ({ kind, text, choices }) => {
      if (kind === 'input') {
        return text.includes('1 of 2') ? 'the cart' : 'me';
      }
      return choices.find((choice) => /^review$| One$/.test(choice));
    };
    await vscode.commands.executeCommand('acpSessions.prompt.run');
    const [prompt] = await waitFor(async () => {
      const all = await sentPrompts();
      return all.length > 0 && all;
    }, 'the prompt');
    assert.deepEqual(prompt, [{ type: 'text', text: 'Review the cart for me, the cart!' }]);
  });

  it('notices a saved prompt that comes after the others were read for a command', async () => {
    await file('.acp/prompts/first.prompt.acp', 'First');
    const saved = new SavedPrompts();
    try {
      assert.ok((await saved.read()).some(({ name }) => name === 'first'));
      // Saved in VS Code, whose watcher may never see the new folder.
      const document = await vscode.workspace.openTextDocument(
        await file('.acp/prompts/later.prompt.acp', 'Later'),
      );
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), 'Even ');
      await vscode.workspace.applyEdit(edit);
      await document.save();
      await waitFor(() => saved.all.some(({ name }) => name === 'later'), 'the new prompt');
    } finally {
      saved.dispose();
    }
  });

  it('follows a file that is moved', async () => {
    const from = await file('prompted/old name.ts', 'x\n');
    await openSession();
    const document = await newPrompt('Look at @<prompted/old name.ts>#L1 now');
    await waitFor(() => problems(document).length === 0, 'the file to be found');
    const edit = new vscode.WorkspaceEdit();
    const to = vscode.Uri.joinPath(from, '..', 'new.ts');
    created.push(to.fsPath);
    edit.renameFile(from, to);
    await waitFor(async () => {
      await vscode.workspace.applyEdit(edit);
      return document.getText().includes('new.ts');
    }, 'the mention to follow');
    assert.equal(document.getText(), 'Look at @prompted/new.ts#L1 now');
  });

  it('helps again after its server was killed, and sends without it', async () => {
    await openSession();
    const document = await newPrompt('/');
    await completionsAt(document, 1);
    const killed = serverPids();
    assert.equal(killed.length, 1);
    killed.forEach((pid) => process.kill(pid, 'SIGKILL'));
    const other = await vscode.workspace.openTextDocument(
      await file('prompted/x.prompt.acp', 'Go'),
    );
    await vscode.window.showTextDocument(other);
    dialogs.answer = ({ kind, choices }) => (kind === 'pick' ? choices[0] : undefined);
    await vscode.commands.executeCommand('acpSessions.prompt.send');
    await waitFor(async () => (await sentPrompts()).length === 1, 'the prompt');
    await waitFor(() => serverPids().some((pid) => !killed.includes(pid)), 'another server');
    assert.deepEqual(await completionsAt(document, 1), ['/review', '/web']);
  });

  it('offers the listed sessions before a prompt, and sends to the one that is named there', async () => {
    await bench.session('One');
    const uri = await file('named.prompt.acp', '---\nsession: on\n---\nGo on');
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document);
    const [one] = await waitFor(async () => {
      const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        uri,
        new vscode.Position(1, 11),
      );
      const named = items.filter(({ documentation }) => documentation === 's1');
      return named.length > 0 && named;
    }, 'the session');
    assert.deepEqual(one?.label, { label: 'One', description: 'Agent' });
    const written = new vscode.Range(1, 9, 1, 11);
    await editor.edit((edit) => edit.replace(written, 's1'));
    await vscode.commands.executeCommand('acpSessions.prompt.send');
    await waitFor(async () => (await sentPrompts()).length === 1, 'the prompt');
    const session = bench.api.sessions.find('a', 's1');
    await waitFor(() => session?.turns.current.kind === 'idle', 'the turn to end');
  });
});

/** The ids of the language server processes that this window has started. */
function serverPids(): readonly number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], {
    encoding: 'utf8',
  });
  return stdout
    .split('\n')
    .filter((line) => line.includes('promptServer.js'))
    .map((line) => Number.parseInt(line, 10));
}
