import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Session } from '../../../src/model/session/session';
import { Dialogs } from './dialogs';
import { ExtensionBench, fakeEntry, listed, waitFor, workspaceFolder } from './support';

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

/** An agent with commands and modes, and what tests of prompts in editors do with it. */
export function usePrompts() {
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
    const { answer } = dialogs;
    dialogs.answer = ({ choices }) => choices.find((choice) => choice.includes('New Prompt'));
    await vscode.commands.executeCommand('acpSessions.prompt.run');
    dialogs.answer = answer;
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

  return {
    get bench() {
      return bench;
    },
    get dialogs() {
      return dialogs;
    },
    /** Files that are deleted after the test. */
    get created() {
      return created;
    },
    openSession,
    newPrompt,
    file,
    sentPrompts,
  };
}
