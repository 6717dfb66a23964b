import assert from 'node:assert/strict';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import * as vscode from 'vscode';
import { toSavedTranscript } from '../../../src/model/kept/savedTranscript';
import { addRule } from '../../../src/platform/settings/permissionRules';
import { handleIntent, type IntentTarget } from '../../../src/views/transcript/tabs/intents';
import { ableInitialize, type Json, type Step, update as updates } from '../../fakeAgent/scenario';
import { Dialogs } from '../../vscode/harness/dialogs';
import {
  ExtensionBench,
  fakeEntry,
  listed,
  transcriptTabs,
  update,
  waitFor,
  workspaceFolder,
} from '../../vscode/harness/support';
import { beginSession } from './beginSession';

const modes = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'plan', name: 'Plan' },
  ],
};

describe('what is configured for an agent', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    dialogs = new Dialogs();
  });
  afterEach(async () => {
    await update('permissions.rules', undefined);
    dialogs.dispose();
    await bench.dispose();
  });

  function run(command: string, ...args: unknown[]): Thenable<unknown> {
    return vscode.commands.executeCommand(`acpSessions.session.${command}`, ...args);
  }

  async function setAgent(scenario: object, entry: Readonly<Record<string, Json>> = {}) {
    const made = fakeEntry('A', {
      initialize: ableInitialize,
      sessions: [listed('s1', 'One')],
      record: bench.file('log'),
      ...scenario,
    });
    await bench.setAgents({ a: { ...(made as Record<string, Json>), ...entry } });
    bench.nodes();
  }

  async function sent(): Promise<string[]> {
    const messages = await bench.received('log');
    return messages.flatMap(({ method }) =>
      method !== undefined && /^session\/(?:new|set|prompt)/.test(method) ? [method] : [],
    );
  }

  it('MO-3: a new session begins with the defaults, and those of a session can become them', async () => {
    await setAgent({ setup: { modes } }, { defaults: { mode: 'plan', model: 'none' } });
    await bench.session('One');
    await beginSession(bench.api);
    const session = await waitFor(() => bench.api.sessions.find('a', 'new-1'), 'the new session');
    await waitFor(() => bench.api.panels.find('a', 'new-1'), 'its tab');
    assert.equal(session.facts.modes?.currentModeId, 'plan');
    assert.deepEqual(await sent(), ['session/new', 'session/set_mode']);
    assert.deepEqual(session.takeNoticesBefore(), [], 'its tab has told what is missing');

    await session.setMode('ask');
    await run('useAsDefaults');
    await waitFor(
      () => bench.api.agents.get('a')?.config.defaults?.['mode'] === 'ask',
      'the defaults in the settings',
    );
    assert.match(dialogs.texts('information').join(), /New sessions of A begin with: mode: ask/);
    assert.ok(bench.api.sessions.find('a', 'new-1')?.isLive, 'the agent was not restarted');
  });

  it('T-61: Restart Agent brings sessions back; one that was never prompted as a new one in its tab', async () => {
    await setAgent({ setup: { modes }, ownIds: true, replays: { s1: [] } });
    await run('open', await bench.session('One'));
    const one = await waitFor(() => bench.api.sessions.find('a', 's1'), 'the session');
    await waitFor(() => one.isLive, 'its history');
    await beginSession(bench.api);
    const old = await waitFor(
      () => bench.api.sessions.all.find((session) => session !== one),
      'the new session',
    );
    await waitFor(() => bench.api.panels.find('a', old.info.sessionId), 'its tab');
    await old.setMode('plan');
    bench.api.work.setDraft(toSavedTranscript(old), { text: 'half a thought', attachments: [] });
    await vscode.commands.executeCommand('acpSessions.agent.restart');
    await waitFor(() => one.isLive, 'the session to come back');
    const made = await waitFor(
      () => bench.api.sessions.all.find((session) => session !== one && session !== old),
      'the session in its place',
    );
    await waitFor(() => bench.api.panels.active?.session === made, 'its tab');
    await waitFor(() => !bench.api.sessions.all.includes(old), 'the old one to close');
    assert.equal(made.facts.modes?.currentModeId, 'plan');
    const { draft } = bench.api.work.getDraft('a', made.info.sessionId);
    assert.equal(draft.text, 'half a thought');
    assert.equal(transcriptTabs().length, 2);
  });

  it('T-62: a transcript says again after a restart how long a turn took, and that it was cut off', async () => {
    const history = { updates: [updates.user('Go'), updates.agent('Done.')] };
    await setAgent({
      replays: { 'new-1': [history, { result: {} }] },
      on: {
        'session/prompt': [
          { update: updates.agent('Done.') },
          { result: { stopReason: 'max_tokens' } },
        ],
      },
    });
    await bench.session('One');
    await beginSession(bench.api);
    const session = await waitFor(() => bench.api.sessions.find('a', 'new-1'), 'the new session');
    session.turns.submit({ text: 'Go', attachments: [] });
    const outcome = { kind: 'turn', outcome: { type: 'stopped', stopReason: 'max_tokens' } };
    await waitFor(() => session.transcript.entries.at(-1)?.kind === 'turn', 'the end of the turn');
    const [before] = session.transcript.entries;
    await vscode.commands.executeCommand('acpSessions.agent.restart');
    await waitFor(
      () => session.isLive && session.phase.kind === 'ready',
      'the session to come back',
    );
    assert.deepEqual(session.transcript.entries.at(-1), outcome);
    const [after] = session.transcript.entries;
    assert.ok(before?.kind === 'user' && after?.kind === 'user' && before !== after);
    assert.deepEqual(after.turn, before.turn);
  });

  it('PE-5: rules with a command answer an agent, and reject what may contain one', async () => {
    const asks = (id: string, command: string): Step => ({
      request: 'session/request_permission',
      wait: true,
      params: {
        sessionId: '$sessionId',
        toolCall: { toolCallId: id, title: command, kind: 'execute', rawInput: { command } },
        options: [
          { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
          { optionId: 'no', name: 'No', kind: 'reject_once' },
        ],
      },
    });
    await setAgent({
      on: {
        'session/prompt': [
          asks('1', 'git status --short'),
          asks('2', 'ls && git push'),
          asks('3', 'git status && ls'),
          { result: { stopReason: 'end_turn' } },
        ],
      },
    });
    await update('permissions.rules', [
      { command: ['git', 'status'], decision: 'allow' },
      { command: ['git', 'push'], decision: 'reject' },
    ]);
    await run('open', await bench.session('One'));
    const session = await waitFor(() => bench.api.sessions.find('a', 's1'), 'the session');
    await waitFor(() => session.phase.kind === 'ready', 'its history');
    session.turns.submit({ text: 'Go', attachments: [] });
    await waitFor(() => session.requests.waiting.length === 1, 'the third request');
    const states = session.transcript.entries.flatMap((entry) =>
      entry.kind === 'permission' ? [entry.state] : [],
    );
    assert.deepEqual(states, [
      { kind: 'selected', optionId: 'yes', by: 'rule' },
      { kind: 'selected', optionId: 'no', by: 'rule' },
      { kind: 'waiting' },
    ]);
  });

  it('PE-5: a rule that is offered with a request is written to the user’s settings, and decides from then on', async () => {
    const asks = (id: string): Step => ({
      request: 'session/request_permission',
      wait: true,
      params: {
        sessionId: '$sessionId',
        toolCall: {
          ...{ toolCallId: id, title: 'Status', kind: 'execute' },
          rawInput: { command: 'git status' },
        },
        options: [
          { optionId: 'always', name: 'Always', kind: 'allow_always' },
          { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
        ],
      },
    });
    await setAgent({
      on: { 'session/prompt': [asks('1'), asks('2'), { result: { stopReason: 'end_turn' } }] },
    });
    const first = { kind: 'fetch', decision: 'reject' };
    await update('permissions.rules', [first]);
    await run('open', await bench.session('One'));
    const session = await waitFor(() => bench.api.sessions.find('a', 's1'), 'the session');
    await waitFor(() => session.phase.kind === 'ready', 'its history');
    session.turns.submit({ text: 'Go', attachments: [] });
    const asked = await waitFor(() => {
      const entry = session.transcript.entries[session.requests.waiting[0] ?? -1];
      return entry?.kind === 'permission' && entry.rule ? entry : undefined;
    }, 'the offer');
    assert.deepEqual(asked.rule, { command: ['git', 'status'] });
    const target = { session } as unknown as IntentTarget;
    await handleIntent(target, { type: 'allowByRule', requestId: asked.requestId });
    await waitFor(() => session.turns.current.kind === 'idle', 'the end of the turn');
    const rules = vscode.workspace.getConfiguration('acpSessions').inspect('permissions.rules');
    assert.deepEqual(rules?.globalValue, [
      first,
      { agent: 'a', kind: 'execute', command: ['git', 'status'], decision: 'allow' },
    ]);
    const states = session.transcript.entries.flatMap((entry) =>
      entry.kind === 'permission' ? [entry.state] : [],
    );
    assert.deepEqual(states, [
      { kind: 'selected', optionId: 'yes', by: 'person' },
      { kind: 'selected', optionId: 'yes', by: 'rule' },
    ]);
    const said = dialogs.asked.find(({ text }) => text.startsWith('A rule was added'));
    assert.match(said?.text ?? '', /commands that begin with “git status”/);
    assert.deepEqual(said?.choices, ['Undo', 'Open Settings']);

    dialogs.answer = ({ text }) => (text.startsWith('A rule was added') ? 'Undo' : undefined);
    assert.ok(await addRule('a', { path: 'notes.md' }));
    const left = () =>
      vscode.workspace.getConfiguration('acpSessions').inspect('permissions.rules')?.globalValue;
    await waitFor(() => JSON.stringify(left()) === JSON.stringify(rules.globalValue), 'the undo');
  });

  it('PE-5: a rule that can’t be read is reported', async () => {
    await update('permissions.rules', [{ command: 'git push', decision: 'reject' }]);
    await waitFor(
      () => /everything of the kind “execute” is rejected/.test(dialogs.texts('warning').join()),
      'the warning',
    );
  });

  describe('Continue in Terminal', () => {
    async function program(): Promise<string> {
      const file = bench.file('cli');
      const seen = bench.file('seen');
      const script = `#!/bin/sh\nprintf '%s|' "$@" "$SECRET" "$(pwd)" > "${seen}.part"\nmv "${seen}.part" "${seen}"\nsleep 600`;
      await writeFile(file, script);
      await chmod(file, 0o755);
      return file;
    }
    const seen = () => readFile(bench.file('seen'), 'utf8').catch(() => undefined);
    afterEach(() => vscode.window.terminals.forEach((terminal) => terminal.dispose()));

    it('SEC-41: shows the command, closes the session here, and runs just that in its folder', async function () {
      if (process.platform === 'win32') {
        this.skip();
      }
      const cli = await program();
      const entry = { resumeCommand: [cli, 'a b', '--resume=${sessionId}'] };
      await setAgent({}, { ...entry, env: { SECRET: 's3cret' } });
      const row = await bench.session('One');
      await run('open', row);
      const session = await waitFor(() => bench.api.sessions.find('a', 's1'), 'the session');
      await waitFor(() => session.phase.kind === 'ready', 'its history');

      await run('continueInTerminal', row);
      assert.equal(vscode.window.terminals.length, 0, 'nothing runs without a yes');
      const [asked] = dialogs.asked;
      assert.match(asked?.detail ?? '', new RegExp(`${cli} "a b" --resume=s1\n\n`));
      assert.match(asked?.detail ?? '', /It will be closed first/);
      assert.ok(!JSON.stringify(asked).includes('s3cret'));
      assert.ok(bench.api.sessions.find('a', 's1'));

      dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Close Here and Run');
      await run('continueInTerminal', row);
      assert.equal(
        await waitFor(seen, 'the program'),
        `a b|--resume=s1|s3cret|${workspaceFolder()}|`,
      );
      assert.equal(bench.api.sessions.find('a', 's1'), undefined);
      assert.equal(bench.api.panels.find('a', 's1'), undefined);
    });

    it('refuses an ID that could be an option, and says how to configure an unknown agent', async () => {
      const sessions = [listed('--yolo', 'Bad'), listed('s1', 'One')];
      await setAgent({ sessions }, { resumeCommand: ['sh', '${sessionId}'] });
      await run('continueInTerminal', await bench.session('Bad'));
      assert.match(dialogs.texts('warning').join(), /can’t be passed to a program safely: --yolo/);
      await setAgent({ sessions });
      await run('continueInTerminal', await bench.session('One'));
      assert.match(dialogs.texts('information').join(), /Say so with "resumeCommand"/);
      assert.equal(vscode.window.terminals.length, 0);
    });
  });
});
