import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Session } from '../../../src/model/session/session';
import { SavedPrompts } from '../../../src/views/transcript/composer/savedPrompts';
import { Dialogs } from '../../vscode/harness/dialogs';
import {
  ExtensionBench,
  fakeEntry,
  listed,
  waitFor,
  workspaceFolder,
} from '../../vscode/harness/support';

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

  async function sentPrompts() {
    const received = (await bench.received('received')) as readonly {
      readonly method?: string;
      readonly params?: { readonly prompt?: readonly Record<string, unknown>[] };
    }[];
    return received.flatMap(({ method, params }) =>
      method === 'session/prompt' && params?.prompt ? [params.prompt] : [],
    );
  }

  it('PR-3, CO-4: sends text, files and lines to the session, and closes a document that was opened only for it', async () => {
    await file('prompted/cart.ts', 'one\ntwo\nthree\n');
    const session = await openSession();
    const document = await newPrompt(
      '<!-- not this -->\nLook at @prompted/cart.ts#L2-3 and @prompted/cart.ts, please.\n',
    );
    await vscode.commands.executeCommand('acpSessions.prompt.send');
    const [prompt] = await waitFor(async () => {
      const all = await sentPrompts();
      return all.length > 0 && all;
    }, 'the prompt');
    assert.equal(
      prompt?.[0]?.['text'],
      'Look at @prompted/cart.ts#L2-3 and @prompted/cart.ts, please.',
    );
    const resources = prompt
      .slice(1)
      .map(({ resource }) => resource as { uri: string; text: string });
    assert.deepEqual(
      resources.map(({ text }) => text),
      ['two\nthree', 'one\ntwo\nthree\n'],
    );
    assert.match(resources[0]?.uri ?? '', /cart\.ts#L2-L3$/);
    await waitFor(() => !hasTab(document.uri), 'its editor to close');
    await waitFor(() => session.turns.current.kind === 'idle', 'the turn to end');
    assert.deepEqual(dialogs.texts('error'), []);
  });

  it('MO-3: sets the mode that stands before a prompt, and sends nothing when that is refused', async () => {
    const session = await openSession();
    await newPrompt('---\nmode: code\n---\nGo on');
    await vscode.commands.executeCommand('acpSessions.prompt.send');
    await waitFor(async () => (await sentPrompts()).length === 1, 'the prompt');
    assert.equal(session.facts.modes?.currentModeId, 'code');
    const methods = (await bench.received('received')).map(({ method }) => method);
    assert.ok(methods.indexOf('session/set_mode') < methods.indexOf('session/prompt'));
  });

  it('asks for the session of a file, remembers it, and leaves the file open', async () => {
    const session = await openSession();
    const uri = await file('prompted/plan.prompt.acp', 'Make a plan');
    const document = await vscode.workspace.openTextDocument(uri);
    assert.equal(document.languageId, 'acp-prompt');
    await vscode.window.showTextDocument(document);
    dialogs.answer = ({ kind, choices }) => (kind === 'pick' ? choices[0] : undefined);
    await vscode.commands.executeCommand('acpSessions.prompt.send');
    await waitFor(async () => (await sentPrompts()).length === 1, 'the prompt');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('acpSessions.prompt.send');
    await waitFor(async () => (await sentPrompts()).length === 2, 'the prompt once more');
    assert.equal(dialogs.asked.filter(({ kind }) => kind === 'pick').length, 1);
    assert.ok(hasTab(uri) && !document.isDirty);
    await waitFor(() => session.turns.current.kind === 'idle', 'the turn to end');
  });

  it('has the newest of the saved prompts, even if they were looked for twice and the first search is slower', async () => {
    const found = vscode.Uri.file(bench.file('newest.prompt.acp'));
    await writeFile(found.fsPath, 'Newest');
    const searches: ((uris: vscode.Uri[]) => void)[] = [];
    const saved = new SavedPrompts(() => new Promise((resolve) => searches.push(resolve)));
    try {
      const first = saved.read();
      await waitFor(() => searches.length > 0, 'the first search');
      const second = saved.read();
      if (searches[1] !== undefined) {
        // It didn't wait for the first, and ends before it.
        searches[1]([found]);
        await second;
      }
      searches[0]?.([]);
      await waitFor(() => searches.length > 1, 'the second search');
      searches[1]?.([found]);
      await Promise.all([first, second]);
      assert.deepEqual(
        saved.all.map(({ name }) => name),
        ['newest'],
      );
    } finally {
      saved.dispose();
    }
  });

  it('CO-2: takes images along that can’t be written, until they are removed', async () => {
    const session = await openSession();
    const panel = bench.api.panels.find('a', 's1');
    assert.ok(panel);
    const image = (name: string) =>
      ({ type: 'image', name, mimeType: 'image/png', data: 'AAAA' }) as const;
    const draft = { text: 'See these', attachments: [image('a.png'), image('b.png')] };
    await bench.api.prompts.edit(panel.session, draft);
    const { document } = await waitFor(() => vscode.window.activeTextEditor, 'the editor');
    assert.equal(document.getText(), 'See these');
    await vscode.commands.executeCommand(
      'acpSessions.prompt.removeAttachment',
      document.uri,
      'a.png',
    );
    await vscode.commands.executeCommand('acpSessions.prompt.send');
    const [prompt] = await waitFor(async () => {
      const all = await sentPrompts();
      return all.length > 0 && all;
    }, 'the prompt');
    assert.deepEqual(
      prompt?.map(({ type }) => type),
      ['text', 'image'],
    );
    await waitFor(() => session.turns.current.kind === 'idle', 'the turn to end');
  });

  it('opens a session again that was closed while its prompt was written', async () => {
    await openSession();
    const document = await newPrompt('Go on');
    bench.api.panels.find('a', 's1')?.panel.dispose();
    await waitFor(() => bench.api.sessions.find('a', 's1') === undefined, 'the session to close');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('acpSessions.prompt.send');
    await waitFor(async () => (await sentPrompts()).length === 1, 'the prompt');
    await waitFor(() => !hasTab(document.uri), 'its editor to close');
    const session = bench.api.sessions.find('a', 's1');
    await waitFor(() => session?.turns.current.kind === 'idle', 'the turn to end');
  });

  it('says why if the session is gone, and keeps the text', async () => {
    await openSession();
    const document = await newPrompt('Go on');
    await bench.setAgents({});
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('acpSessions.prompt.send');
    assert.equal(document.getText(), 'Go on');
    assert.ok(hasTab(document.uri));
  });
});

function hasTab(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .some(
      ({ input }) =>
        input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
    );
}
