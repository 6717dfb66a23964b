import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Draft } from '../../../src/shared/transcript/prompt';
import type { TranscriptPanel } from '../../../src/views/transcript/tabs/panel';
import { ableInitialize, type Json, update as made, type Scenario } from '../../fakeAgent/scenario';
import type { Dialogs } from '../../vscode/harness/dialogs';
import {
  type ExtensionBench,
  fakeEntry,
  listed,
  waitFor,
  workspaceFolder,
} from '../../vscode/harness/support';
import { useBench } from './useBench';

const replayed: readonly Json[] = [
  made.user('One', 'u1'),
  made.agent('Said.', 'a1'),
  made.user('Two', 'u2'),
  made.agent('Said again.', 'a2'),
];

const endTurn = { result: { stopReason: 'end_turn' } };

describe('continuing a session with another agent', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  useBench((made1, user) => {
    bench = made1;
    dialogs = user;
  });
  async function begin(scenario: Scenario = {}): Promise<void> {
    await bench.setAgents({
      writer: fakeEntry('Writer', {
        initialize: ableInitialize,
        sessions: [listed('s1', 'The first')],
        replays: { s1: [{ updates: replayed }], '*': [] },
        record: bench.file('writer'),
        ...scenario,
      }),
      other: fakeEntry('Other', { initialize: ableInitialize, record: bench.file('other') }),
    });
  }

  /** Runs the command, answering with these choices in turn. */
  async function continueWith(argument: unknown, ...choices: readonly string[]): Promise<void> {
    const left = [...choices];
    dialogs.answer = ({ kind }) => (kind === 'pick' ? left.shift() : undefined);
    await vscode.commands.executeCommand('acpSessions.session.continueWith', argument);
  }

  async function newPage(): Promise<{ panel: TranscriptPanel; draft: Draft }> {
    const panel = await waitFor(() => {
      const { active } = bench.api.panels;
      return active?.session.first === undefined ? undefined : active;
    }, 'the page of a new session');
    const { agent, info } = panel.session;
    assert.deepEqual([agent.id, info.cwd], ['other', workspaceFolder()]);
    return { panel, draft: bench.api.work.getDraft('other', info.sessionId).draft };
  }

  function textIn({ attachments }: Draft, name: RegExp): string {
    const found = attachments.find((attachment) => name.test(attachment.name));
    assert.ok(found?.type === 'text', `${name} is attached`);
    return found.text;
  }

  it('T-184: puts the conversation of a row that isn’t open into a new session’s composer, and links both', async () => {
    const edits = ['src/a.txt', '/elsewhere/outside.txt'].map((file, at) => ({
      ...{ sessionUpdate: 'tool_call', toolCallId: `e${at}`, title: 'Edit', kind: 'edit' },
      ...{ status: 'completed', content: [diffOf(path.resolve(workspaceFolder(), file))] },
    }));
    await begin({ replays: { s1: [{ updates: [...replayed, ...edits] }], '*': [] } });
    await continueWith(await bench.session('The first'), 'Other', 'The Conversation as a Text');
    assert.deepEqual(dialogs.asked[0]?.choices, ['Other', 'Writer'], 'the others first');
    const { panel, draft } = await newPage();
    assert.match(draft.text, /^Continue the work of an earlier session/);
    assert.match(textIn(draft, /^Conversation “The first”$/), /One[^]*Said\.[^]*Said again\./);
    const files = textIn(draft, /^2 changed files$/);
    assert.match(files, /- "src\/a\.txt" \(\+1 −1\)\n/);
    assert.doesNotMatch(files, /outside\.txt/);
    assert.deepEqual(await promptsOf('other'), [], 'the user sends it');
    panel.session.turns.submit(draft);
    const origin = await waitFor(
      () => bench.api.marks.getBranches('writer', 's1')[0],
      'the link to the origin',
    );
    assert.deepEqual(origin, {
      ...{ agentId: 'other', sessionId: 'new-1' },
      origin: { agentId: 'writer', sessionId: 's1', turn: 2, prompt: 'Two', held: 'text' },
    });
    await waitFor(() => bench.api.panels.find('other', 'new-1'), 'the session’s tab');
    const row = await bench.session('The first');
    assert.match(bench.api.tree.tooltip(row) ?? '', /\nContinued with .* \(Other\)\n/);
    await vscode.commands.executeCommand('acpSessions.session.openOrigin', {
      ...{ agentId: 'other', sessionId: 'new-1' },
    });
    await waitFor(() => bench.api.panels.find('writer', 's1')?.panel.active, 'the origin');
  });

  it('T-185: takes the conversation up to the end of the turn whose menu it was', async () => {
    await begin();
    await opened();
    await continueWith({ agentId: 'writer', sessionId: 's1', entry: 0 }, 'Other');
    const text = textIn((await newPage()).draft, /^Conversation/);
    assert.match(text, /One[^]*Said\./);
    assert.doesNotMatch(text, /Two|Said again/);
    assert.equal(dialogs.asked.length, 1, 'a summary would be of the whole');
  });

  it('T-186: asks the session’s own agent for a summary, which the user sees there', async () => {
    await begin({
      on: { 'session/prompt': [[{ update: made.agent('In short: all done.') }, endTurn]] },
    });
    await opened();
    await continueWith(undefined, 'Other', 'A Summary by Writer');
    const { draft } = await newPage();
    assert.equal(textIn(draft, /^Summary by Writer$/), 'In short: all done.');
    assert.ok(!draft.attachments.some(({ name }) => name.startsWith('Conversation')));
    assert.equal((await promptsOf('writer')).length, 1, 'one prompt');
    const entries = bench.api.sessions.find('writer', 's1')?.transcript.entries ?? [];
    assert.ok(JSON.stringify(entries).includes('Summarize this conversation'), 'which is shown');
  });

  it('T-187: says so if there is no summary, and offers the conversation instead', async () => {
    const error = { code: -32603, message: 'No tokens left' };
    await begin({ on: { 'session/prompt': [[{ error }]] } });
    await opened();
    const choices = ['Other', 'A Summary by Writer', 'Attach the Conversation'];
    dialogs.answer = () => choices.shift();
    await vscode.commands.executeCommand('acpSessions.session.continueWith');
    assert.match(dialogs.texts('warning').join(), /There is no summary of “The first”/);
    assert.match(textIn((await newPage()).draft, /^Conversation/), /Said again\./);
  });

  async function opened(): Promise<void> {
    const node = await bench.session('The first');
    await vscode.commands.executeCommand('acpSessions.session.open', node);
    const panel = await waitFor(() => bench.api.panels.find('writer', 's1'), 'the tab');
    await waitFor(() => panel.session.phase.kind === 'ready', 'the transcript');
  }

  async function promptsOf(agentId: string): Promise<readonly unknown[]> {
    const messages = await bench.received(agentId);
    return messages.filter(({ method }) => method === 'session/prompt');
  }
});

function diffOf(file: string): Json {
  return { type: 'diff', path: file, oldText: 'one\n', newText: 'two\n' };
}
