import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Scenario } from '../../fakeAgent/scenario';
import { Dialogs, replaceMember } from '../../vscode/harness/dialogs';
import { ProgressBench } from '../../vscode/harness/progress';
import { ExtensionBench, fakeEntry, listed, update, waitFor } from '../../vscode/harness/support';
import { beginSession } from './beginSession';

const silence = 'A hasn’t answered yet. It may be busy or stuck.';

describe('an agent that doesn’t answer', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  let progress: ProgressBench;
  /** The callbacks of pending timers. */
  let timers: Set<() => void>;
  let restore: () => void;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    dialogs = new Dialogs();
    progress = new ProgressBench();
    timers = new Set();
    restore = replaceMember(bench.api.slowAgents, 'after', (then: () => void) => {
      timers.add(then);
      return { dispose: () => timers.delete(then) };
    });
  });
  afterEach(async () => {
    restore();
    progress.dispose();
    dialogs.dispose();
    await bench.dispose();
  });

  /** An agent that answers the request in question once the file `go` exists. */
  async function setAgent(scenario: Scenario = {}): Promise<void> {
    const late = [{ waitForFile: bench.file('go') }, { result: { sessionId: 'n1' } }];
    await bench.setAgents({
      a: fakeEntry('A', {
        sessions: [listed('s1', 'One')],
        on: { 'session/new': late },
        replays: { s1: [{ waitForFile: bench.file('go') }] },
        record: bench.file('log'),
        ...scenario,
      }),
    });
    bench.nodes();
    await bench.session('One');
  }

  async function sent(method: string): Promise<number> {
    return (await bench.received('log')).filter((message) => message.method === method).length;
  }

  async function whenSent(method: string, count = 1): Promise<void> {
    await waitFor(async () => (await sent(method)) === count, `${count} times ${method}`);
  }

  function timeGoesBy(): void {
    for (const timer of timers) {
      timer();
    }
  }

  function answer(label: string): void {
    dialogs.answer = ({ choices }) => choices.find((choice) => choice === label);
  }

  describe('for a new session', () => {
    it('is named after a while, and is started anew at the person’s wish, and asked again', async () => {
      await setAgent();
      const made = beginSession(bench.api);
      await whenSent('session/new');
      assert.equal(dialogs.asked.length, 0, 'not before');
      answer('Restart Agent');
      timeGoesBy();
      await whenSent('session/new', 2);
      assert.deepEqual(dialogs.texts('warning'), [silence]);
      assert.deepEqual(dialogs.asked[0]?.choices, ['Restart Agent', 'Wait']);
      assert.equal(await sent('initialize'), 2);
      await writeFile(bench.file('go'), '');
      await made;
      assert.ok(bench.api.sessions.find('a', 'n1'));
      assert.deepEqual(dialogs.texts('error'), []);
      assert.equal(timers.size, 0);
    });

    it('is named with the MCP server that isn’t there', async () => {
      await update('mcpServers', { mine: { command: '/gone/server' } });
      try {
        await setAgent();
        const made = beginSession(bench.api);
        await whenSent('session/new');
        const why = 'The command of an MCP server isn’t there: mine.';
        await waitFor(() => bench.api.diagnosisFacts.of('a').length > 0, 'a look at the file');
        answer('Wait');
        timeGoesBy();
        await waitFor(() => dialogs.texts('warning').includes(`${silence} ${why}`), 'the message');
        await writeFile(bench.file('go'), '');
        await made;
      } finally {
        await update('mcpServers', undefined);
      }
    });

    it('is shown until the answer arrives', async () => {
      await setAgent();
      const made = beginSession(bench.api);
      await whenSent('session/new');
      answer('Wait');
      timeGoesBy();
      await waitFor(() => progress.notification?.title === 'Waiting for A…', 'the progress');
      timeGoesBy();
      assert.equal(dialogs.texts('warning').length, 1, 'asked once');
      await writeFile(bench.file('go'), '');
      await made;
      await waitFor(() => progress.running.size === 0, 'the end of all progress');
      assert.ok(bench.api.sessions.find('a', 'n1'));
    });

    it('can be canceled: the agent is told, and no error is shown', async () => {
      await setAgent();
      const made = beginSession(bench.api);
      await whenSent('session/new');
      answer('Wait');
      timeGoesBy();
      (await waitFor(() => progress.notification, 'the progress')).cancel();
      await made;
      await whenSent('$/cancel_request');
      await waitFor(() => progress.running.size === 0, 'the end of all progress');
      assert.deepEqual(dialogs.texts('error'), []);
      assert.deepEqual(bench.api.sessions.all, []);
      assert.equal(await sent('initialize'), 1);
    });

    it('isn’t started anew when it has answered before the person does', async () => {
      await setAgent();
      let restart: (label: string | undefined) => void = () => undefined;
      const back = replaceMember(
        vscode.window,
        'showWarningMessage',
        (_: string, label: string) => new Promise((resolve) => (restart = () => resolve(label))),
      );
      const made = beginSession(bench.api);
      await whenSent('session/new');
      timeGoesBy();
      await writeFile(bench.file('go'), '');
      await made;
      restart(undefined);
      await waitFor(() => dialogs.texts('information').length > 0, 'the reason');
      back();
      assert.match(dialogs.texts('information').join(), /^A wasn’t restarted/);
      assert.equal(await sent('initialize'), 1);
    });
  });

  describe('for a session that is opened', () => {
    async function openOne(): Promise<void> {
      await bench.click(await bench.session('One'));
      await whenSent('session/load');
      const session = bench.api.sessions.find('a', 's1');
      assert.ok(session);
      await waitFor(() => bench.api.attention.isVisible(session), 'its tab');
    }

    it('LOAD-12: is named, and the session is loaded again after it was started anew', async () => {
      await setAgent();
      await openOne();
      answer('Restart Agent');
      timeGoesBy();
      await whenSent('session/load', 2);
      assert.deepEqual(dialogs.texts('warning'), [silence]);
      await writeFile(bench.file('go'), '');
      const session = bench.api.sessions.find('a', 's1');
      await waitFor(() => session?.phase.kind === 'empty', 'the history');
      assert.equal(timers.size, 0);
    });

    it('isn’t named when something has come', async () => {
      const update = {
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'text', text: 'Hi' },
      };
      await setAgent({ replays: { s1: [{ update }, { waitForFile: bench.file('go') }] } });
      await openOne();
      const session = bench.api.sessions.find('a', 's1');
      await waitFor(() => session?.transcript.updates === 1, 'the first words');
      timeGoesBy();
      assert.deepEqual(dialogs.asked, []);
      await writeFile(bench.file('go'), '');
    });
  });

  it('says so when it hasn’t even started', async () => {
    const start = {
      initialize: [{ waitForFile: bench.file('up') }, { result: { protocolVersion: 1 } }],
    };
    await bench.setAgents({ a: fakeEntry('A', { on: start, record: bench.file('log') }) });
    const made = beginSession(bench.api);
    await whenSent('initialize');
    timeGoesBy();
    assert.match(dialogs.texts('warning').join(), /^A is still starting\./);
    await writeFile(bench.file('up'), '');
    await made;
    assert.equal(bench.api.sessions.all.length, 1);
  });
});
