import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SessionsNode } from '../../../src/views/sessions/nodes/nodes';
import { handleIntent, type IntentTarget } from '../../../src/views/transcript/tabs/intents';
import { ableInitialize, type Scenario } from '../../fakeAgent/scenario';
import { type Dialogs, replaceMember } from '../../vscode/harness/dialogs';
import {
  type ExtensionBench,
  fakeEntry,
  listed,
  transcriptTabs,
  waitFor,
} from '../../vscode/harness/support';
import { beginSession } from './beginSession';
import { useBench } from './useBench';

const refused = { error: { code: -32000, message: 'Authentication required' } };

describe('commands for sessions', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  useBench((...made) => {
    [bench, dialogs] = made;
  });

  async function setAgent(scenario: Scenario): Promise<void> {
    await bench.setAgents({
      a: fakeEntry('A', {
        sessions: [listed('s1', 'One'), listed('s2', 'Two'), listed('s3', 'Three')],
        record: bench.file('log'),
        ...scenario,
      }),
    });
    bench.nodes();
  }

  function run(command: string, ...args: unknown[]): Thenable<unknown> {
    return vscode.commands.executeCommand(`acpSessions.${command}`, ...args);
  }

  async function sent(method: string): Promise<number> {
    return (await bench.received('log')).filter((message) => message.method === method).length;
  }

  function hasRow(title: string): boolean {
    return bench.nodes().some((node) => node.kind === 'session' && node.row.title === title);
  }

  function offers(node: SessionsNode): string {
    return bench.api.view.getTreeItem(node).contextValue ?? '';
  }

  describe('delete', () => {
    it('DEL-3, DEL-6: asks first, deletes all that are selected, and names what failed', async () => {
      await setAgent({
        initialize: ableInitialize,
        on: {
          'session/delete': [
            [{ result: {} }],
            [{ error: { code: -32603, message: 'disk on fire' } }],
          ],
        },
      });
      const [one, two] = [await bench.session('One'), await bench.session('Two')];
      await run('session.delete', one, [one, two]);
      assert.equal(await sent('session/delete'), 0, 'nobody agreed');
      assert.match(dialogs.asked[0]?.detail ?? '', /One\nTwo/);
      dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Delete');
      await run('session.delete', one, [one, two]);
      assert.equal(await sent('session/delete'), 2);
      await waitFor(() => !hasRow('One'), 'the row to go');
      assert.ok(hasRow('Two') && hasRow('Three'));
      assert.match(dialogs.texts('error').join(), /1 of 2.*“Two”/);
    });

    it('DEL-5: closes an open one first, tab included', async () => {
      await setAgent({ initialize: ableInitialize, on: { 'session/delete': [{ result: {} }] } });
      const one = await bench.session('One');
      await run('session.open', one);
      await waitFor(
        () => bench.api.sessions.find('a', 's1')?.phase.kind === 'ready',
        'the session',
      );
      dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Delete');
      await run('session.delete', one);
      await waitFor(() => transcriptTabs().length === 0, 'the tab to go');
      const order = (await bench.received('log'))
        .map(({ method }) => method)
        .filter((method) => method === 'session/close' || method === 'session/delete');
      assert.deepEqual(order, ['session/close', 'session/delete']);
    });

    it('DEL-1, DEL-2: sends nothing to an agent that can’t, and says so', async () => {
      await setAgent({});
      const one = await bench.session('One');
      assert.doesNotMatch(offers(one), /deletable/);
      await run('session.delete', one);
      assert.equal(await sent('session/delete'), 0);
      assert.match(dialogs.texts('warning').join(), /can’t delete sessions/);
    });
  });

  describe('resume', () => {
    it('RES-1: goes on without the history', async () => {
      await setAgent({ initialize: ableInitialize, on: { 'session/resume': [{ result: {} }] } });
      const one = await bench.session('One');
      assert.match(offers(one), /resumable/);
      await run('session.resume', one);
      const session = bench.api.sessions.find('a', 's1');
      assert.equal(session?.phase.kind, 'resumed');
      await waitFor(() => transcriptTabs().join() === 'One', 'its tab');
      assert.deepEqual([await sent('session/resume'), await sent('session/load')], [1, 0]);
    });

    it('RES-2: sends nothing to an agent that can’t', async () => {
      await setAgent({});
      const one = await bench.session('One');
      assert.doesNotMatch(offers(one), /resumable/);
      await run('session.resume', one);
      assert.equal(await sent('session/resume'), 0);
      assert.match(dialogs.texts('warning').join(), /can’t resume/);
    });
  });

  it('CLOSE-6: leaves the row of a session that is closed', async () => {
    await setAgent({ initialize: ableInitialize });
    const one = await bench.session('One');
    await run('session.open', one);
    await waitFor(() => bench.api.sessions.find('a', 's1')?.phase.kind === 'ready', 'the session');
    assert.match(offers(one), /closable/);
    await run('session.close', one);
    await waitFor(() => transcriptTabs().length === 0, 'the tab to go');
    await waitFor(async () => (await sent('session/close')) > 0, 'the agent to hear of it');
    assert.equal(await sent('session/close'), 1);
    assert.ok(hasRow('One'));
    assert.doesNotMatch(offers(await bench.session('One')), /closable/);
  });

  it('CLOSE-1: closes no session of an agent that can’t, and says so', async () => {
    await setAgent({
      initialize: {
        agentCapabilities: { loadSession: true, sessionCapabilities: { list: {} } },
      },
    });
    const one = await bench.session('One');
    await run('session.open', one);
    await waitFor(() => bench.api.sessions.find('a', 's1')?.phase.kind === 'ready', 'the session');
    assert.doesNotMatch(offers(one), /closable/);
    await run('session.close', one);
    assert.match(dialogs.texts('warning').join(), /A can’t close sessions/);
    assert.ok(bench.api.sessions.find('a', 's1'));
  });

  it('PE-9: shows a request as plain text, with the agent and the session that ask', async () => {
    const title = '[click](command:quit) $(trash)\nrm -rf \u202Egnp.exe ' + 'x'.repeat(100);
    await setAgent({
      on: {
        'session/prompt': [
          {
            request: 'session/request_permission',
            params: {
              sessionId: '$sessionId',
              toolCall: { toolCallId: 't', title },
              options: [{ optionId: 'yes', name: 'Yes $(check)', kind: 'allow_once' }],
            },
            wait: true,
          },
          { result: { stopReason: 'end_turn' } },
        ],
      },
    });
    await run('session.open', await bench.session('One'));
    const session = await waitFor(() => bench.api.sessions.find('a', 's1'), 'the session');
    await waitFor(() => session.phase.kind === 'ready', 'its history');
    session.turns.submit({ text: 'Hello', attachments: [] });
    await waitFor(() => session.requests.waiting.length === 1, 'the request');
    dialogs.answer = ({ kind, choices, text }) =>
      kind === 'pick' && text === 'Waiting Requests' ? choices[0] : undefined;
    await run('requests.pick');
    const [list, request] = dialogs.asked.filter(({ kind }) => kind === 'pick');
    assert.ok(list && request);
    assert.match(list.choices.join(), /^\$\(shield\) \[click\]/);
    assert.match(request.text, /^A asks in “One”$/);
    const shown = request.choices.join('');
    assert.ok(shown.includes('x'.repeat(100)), 'all of it');
    assert.deepEqual(
      request.choices.flatMap((choice) => choice.match(/\$\((?:trash|check)\)/g) ?? []),
      ['$(check)'],
      'no icon of the agent’s, and ours of the answer',
    );
    assert.ok(!/[\u202E\n]/.test(shown));
    assert.equal(session.requests.waiting.length, 1, 'looking is no answer');
    session.turns.cancel();
    await waitFor(() => session.requests.waiting.length === 0, 'the request to go');
  });

  it('takes an archived session back', async () => {
    await setAgent({
      initialize: ableInitialize,
      on: { 'session/archive': [{ result: {} }], 'session/unarchive': [{ result: {} }] },
    });
    dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Undo');
    await run('session.archive', await bench.session('One'));
    await waitFor(async () => (await sent('session/unarchive')) === 1, 'the agent to hear of it');
    assert.equal(await sent('session/archive'), 1);
    assert.match(dialogs.texts('information').join(), /Archived “One”/);
  });

  it('ER-5: offers what helps against a failure, and says nothing of what the user has canceled', async () => {
    await bench.setAgents({ a: { title: 'Gone', command: 'there-is-no-such-agent' } });
    await beginSession(bench.api);
    const failed = await waitFor(() => dialogs.asked.find(({ kind }) => kind === 'error'), 'it');
    assert.match(failed.text, /^Gone was not found\. /);
    assert.deepEqual(failed.choices, [
      ...['Edit Agents', 'Retry', 'Diagnose', 'Show Log', 'Learn More'],
    ]);
    await setAgent({ on: { 'session/new': [{ error: { code: -32800, message: '' } }] } });
    await bench.session('One');
    await beginSession(bench.api);
    assert.deepEqual(dialogs.texts('error').length, 1);
  });

  it('leads from a failure to the page of the guide about it', async () => {
    const opened: unknown[] = [];
    const restore = replaceMember(vscode.env, 'openExternal', (address: unknown) => {
      opened.push(address);
      return Promise.resolve(true);
    });
    dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Learn More');
    await bench.setAgents({ a: { title: 'Gone', command: 'there-is-no-such-agent' } });
    await beginSession(bench.api);
    await waitFor(() => opened.length > 0, 'the page');
    restore();
    const { pathname, hash } = new URL(String(opened[0]));
    assert.match(pathname, /^\/[^/]+\/[^/]+\/blob\/main\/docs\/guide\/agent-settings\.md$/);
    assert.equal(hash, '#all-keys-of-an-entry');
  });

  describe('signing in', () => {
    const methods = [{ id: 'key', name: 'Key' }];

    it('AUTH-1, AUTH-3, AUTH-4: authenticates and repeats the refused operation', async () => {
      await setAgent({
        initialize: { ...ableInitialize, authMethods: methods },
        on: {
          'session/new': [[refused], [{ result: { sessionId: 'n1' } }]],
          authenticate: [{ result: {} }],
        },
      });
      dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Sign In');
      await beginSession(bench.api);
      await waitFor(() => bench.api.sessions.find('a', 'n1'), 'the new session');
      assert.deepEqual([await sent('session/new'), await sent('authenticate')], [2, 1]);
    });

    it('AUTH-13: offers it once and doesn’t go round in circles', async () => {
      await setAgent({
        initialize: { ...ableInitialize, authMethods: methods },
        on: { 'session/new': [refused], authenticate: [{ result: {} }] },
      });
      dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Sign In');
      await beginSession(bench.api);
      await waitFor(() => dialogs.texts('error').length === 1, 'the second refusal in words');
      assert.deepEqual([await sent('session/new'), await sent('authenticate')], [2, 1]);
      assert.equal(dialogs.texts('warning').length, 1);
    });

    it('AUTH-4, AUTH-13: reads the list again that was refused', async () => {
      await setAgent({
        initialize: { ...ableInitialize, authMethods: methods },
        on: {
          'session/list': [[refused], [{ result: { sessions: [listed('s1', 'One')] } }]],
          authenticate: [{ result: {} }],
        },
      });
      const line = await bench.message('failed');
      assert.equal(dialogs.asked.length, 0, 'the row is the only offer');
      await bench.click(line);
      await bench.session('One');
      assert.equal(await sent('authenticate'), 1);
    });

    it('AUTH-4, AUTH-13: loads the session again, and sends the prompt again, that was refused', async () => {
      await setAgent({
        initialize: { ...ableInitialize, authMethods: methods },
        on: {
          'session/load': [[refused], [{ result: {} }]],
          'session/prompt': [[refused], [{ result: { stopReason: 'end_turn' } }]],
          authenticate: [{ result: {} }],
        },
      });
      await run('session.open', await bench.session('One'));
      const session = await waitFor(() => bench.api.sessions.find('a', 's1'), 'the session');
      const tab = await waitFor(() => bench.api.panels.find('a', 's1'), 'its tab');
      const signIn = (): Promise<void> =>
        handleIntent(
          {
            session: tab.session,
            services: { signIn: bench.api.signIn },
          } as unknown as IntentTarget,
          { type: 'action', action: 'signIn' },
        );
      await waitFor(() => session.phase.kind === 'failed', 'the refusal');
      await signIn();
      await waitFor(() => session.phase.kind === 'empty', 'the session');
      session.turns.submit({ text: 'Hello', attachments: [] });
      await waitFor(() => session.transcript.entries.at(-1)?.kind === 'turn', 'the refusal');
      await signIn();
      await waitFor(async () => (await sent('session/prompt')) === 2, 'the prompt');
      await waitFor(() => session.turns.current.kind === 'idle', 'the turn to end');
      assert.deepEqual([await sent('session/load'), await sent('authenticate')], [2, 2]);
    });
  });

  describe('signing out', () => {
    it('AUTH-10: sends no logout to an agent that doesn’t offer it', async () => {
      await setAgent({});
      await bench.session('One');
      await run('agent.signOut', undefined);
      assert.equal(await sent('logout'), 0);
      assert.match(dialogs.texts('warning').join(), /can’t sign out/);
    });

    it('AUTH-11, AUTH-12: keeps the rows, and offers to sign in when a prompt is refused', async () => {
      await setAgent({
        initialize: ableInitialize,
        on: { logout: [{ result: {} }], 'session/prompt': [refused] },
      });
      const one = await bench.session('One');
      await run('session.open', one);
      const session = await waitFor(() => bench.api.sessions.find('a', 's1'), 'the session');
      await waitFor(() => session.phase.kind === 'ready', 'its history');
      await run('agent.signOut', undefined);
      assert.equal(await sent('logout'), 1);
      assert.ok(hasRow('One') && hasRow('Two'));
      session.turns.submit({ text: 'Hello', attachments: [] });
      const entry = await waitFor(
        () => session.transcript.entries.find(({ kind }) => kind === 'turn'),
        'the end of the turn',
      );
      assert.ok(entry.kind === 'turn' && entry.outcome.type === 'failed');
      assert.equal(entry.outcome.failure.code, 'authRequired');
      assert.ok(entry.outcome.failure.actions.includes('signIn'));
    });
  });
});
