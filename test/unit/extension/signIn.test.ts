import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import * as vscode from 'vscode';
import { ableInitialize, type Json, type Scenario } from '../../fakeAgent/scenario';
import { Dialogs, replaceMember } from '../../vscode/harness/dialogs';
import { ExtensionBench, fakeEntry, listed, waitFor } from '../../vscode/harness/support';
import { beginSession } from './beginSession';

const key = 'sk-very-secret-2';

/** Logins as real agents describe them, each in its own form. */
describe('signing in by what only `_meta` describes', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  let shown: string[];
  let restore: () => void;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    dialogs = new Dialogs();
    shown = [];
    restore = replaceMember(vscode.window, 'setStatusBarMessage', (text: string) => {
      shown.push(text);
      return { dispose: () => undefined };
    });
  });
  afterEach(async () => {
    restore();
    dialogs.dispose();
    await bench.api.apiKeys.forget('a');
    await bench.dispose();
  });

  async function setAgent(method: Json, scenario: Scenario): Promise<void> {
    const initialize = { ...ableInitialize, authMethods: [method] };
    const sessions = [listed('s1', 'One')];
    const entry = fakeEntry('A', { initialize, sessions, record: bench.file('log'), ...scenario });
    await bench.setAgents({ a: entry });
    bench.nodes();
    await bench.session('One');
  }

  function run(command: string): Thenable<unknown> {
    return vscode.commands.executeCommand(`acpSessions.${command}`);
  }

  async function sent(method: string): Promise<number> {
    return (await bench.received('log')).filter((message) => message.method === method).length;
  }

  describe('with a key', () => {
    const method = {
      id: 'gemini-api-key',
      name: 'Gemini API key',
      _meta: { 'api-key': { provider: 'google' } },
    };
    const refusal = { error: { code: -32000, message: 'Gemini API key is missing.' } };
    const withKey: Scenario = {
      on: {
        authenticate: [{ result: {} }],
        'session/new': [
          { withoutVariable: 'GEMINI_API_KEY', steps: [refusal] },
          { result: { sessionId: 'n1' } },
        ],
      },
    };

    it('AUTH-4: asks for it, starts the agent with it, and repeats the refused operation; signing out forgets it', async () => {
      await setAgent(method, withKey);
      dialogs.answer = ({ kind, choices }) =>
        kind === 'input' ? key : choices.find((choice) => choice === 'Sign In');
      await beginSession(bench.api);
      await waitFor(() => bench.api.sessions.find('a', 'n1'), 'the new session');
      assert.deepEqual([await sent('initialize'), await sent('authenticate')], [2, 1]);
      assert.match(dialogs.texts('warning').join(), /“Gemini API key is missing\.”/);
      const settings = JSON.stringify(vscode.workspace.getConfiguration('acpSessions'));
      assert.ok(!settings.includes(key), 'the key is no setting');

      dialogs.answer = () => undefined;
      await run('agent.signOut');
      assert.equal(await sent('logout'), 1);
      const agent = bench.api.agents.get('a');
      assert.ok(agent);
      assert.equal(agent.state.kind, 'stopped', 'nothing runs with the key any more');
      assert.deepEqual(await bench.api.apiKeys.getEnvironment(agent.config), {});
    });

    it('leaving it empty removes the one that is kept', async () => {
      await setAgent(method, withKey);
      const agent = bench.api.agents.get('a');
      assert.ok(agent);
      await bench.api.apiKeys.store(agent.config, 'GEMINI_API_KEY', key);
      dialogs.answer = () => undefined;
      await run('agent.signIn');
      assert.equal(await sent('initialize'), 1, 'nothing happens without an answer');
      dialogs.answer = ({ kind }) => (kind === 'input' ? '' : undefined);
      await run('agent.signIn');
      assert.deepEqual(await bench.api.apiKeys.getEnvironment(agent.config), {});
      assert.equal(await sent('initialize'), 2);
    });
  });

  describe('with a login that any agent takes', () => {
    const method = { id: 'm', name: 'M' };
    const accepted = { authenticate: [{ result: {} }] };

    it('AUTH-13: says that it did not work, and why, when the agent still wants one', async () => {
      const refusal = { error: { code: -32000, message: 'No [key](command:x) here.' } };
      await setAgent(method, {
        on: {
          ...accepted,
          'session/list': [[{ result: { sessions: [listed('s1', 'One')] } }], [refusal]],
        },
      });
      await run('agent.signIn');
      assert.match(dialogs.texts('error').join(), /Sign-in failed.*“No \[key\]\u200b\(command:x\)/);
      assert.deepEqual(shown, []);
    });

    it('says only that it was taken when nothing shows whether it works, and then why it doesn’t', async () => {
      const refusal = { error: { code: -32000, message: 'Still no key.' } };
      const entry = fakeEntry('A', {
        initialize: { agentCapabilities: { loadSession: true }, authMethods: [method] },
        on: { ...accepted, 'session/new': [refusal] },
      });
      await bench.setAgents({ a: entry });
      bench.nodes();
      dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Sign In');
      await beginSession(bench.api);
      await waitFor(() => dialogs.texts('error').length === 1, 'the second refusal');
      assert.deepEqual(shown, ['A accepted it. The next session will show whether it works.']);
      assert.match(dialogs.texts('error').join(), /“Still no key\.”/);
    });

    it('AUTH-4: says so when it shows to work', async () => {
      await setAgent(method, { on: accepted });
      await run('agent.signIn');
      assert.deepEqual(shown, ['Signed in to A']);
    });
  });

  it('AUTH-1: the only method is chosen from a list, too, when the agent describes it', async () => {
    const method = { id: 'm', name: 'M', description: 'Opens a page' };
    await setAgent(method, { on: { authenticate: [{ result: {} }] } });
    await run('agent.signIn');
    assert.deepEqual([await sent('authenticate'), dialogs.texts('pick').length], [0, 1]);
    dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'M');
    await run('agent.signIn');
    assert.equal(await sent('authenticate'), 1);
  });

  it('AUTH-13: without any method, offers the command that the refusal names, to be run or copied', async () => {
    const said = 'Not logged in. Run `node --login`';
    const entry = fakeEntry('A', {
      initialize: { ...ableInitialize, authMethods: [] },
      sessions: [listed('s1', 'One')],
      record: bench.file('log'),
      on: { 'session/new': [{ error: { code: -32000, message: said } }] },
    });
    await bench.setAgents({ a: entry });
    bench.nodes();
    await bench.session('One');
    dialogs.answer = ({ choices }) =>
      choices.find((choice) => choice === 'Sign In' || choice === 'Copy Command');
    await beginSession(bench.api);
    const asked = dialogs.asked.find(({ text }) => text.startsWith('Run this program'));
    assert.match(asked?.detail ?? '', /node --login/);
    assert.equal(await vscode.env.clipboard.readText(), 'node --login');
    assert.ok(bench.api.agents.get('a')?.signInNeeded, 'nobody has signed in');
    assert.equal(await sent('session/new'), 1);
  });

  describe('with a program that the agent names', () => {
    async function setProgram(env: Json = {}): Promise<void> {
      const program = `require('node:fs').writeFileSync(process.argv[2], process.env.LOGIN ?? '');`;
      await writeFile(bench.file('login.cjs'), program);
      const args = [bench.file('login.cjs'), bench.file('login')];
      const terminal = { command: process.execPath, args, env, label: 'Login' };
      await setAgent(
        { id: 't', name: 'T', description: 'Run `t login`', _meta: { 'terminal-auth': terminal } },
        {},
      );
    }

    it('AUTH-5, SEC-40: shows the whole command each time, and runs it only then', async () => {
      await setProgram({ LOGIN: 'yes' });
      await run('agent.signIn');
      const [asked] = dialogs.asked;
      assert.match(asked?.text ?? '', /^Run this program to sign in to A\?$/);
      assert.match(asked?.detail ?? '', /It said: “Run `t login`”/);
      const command = `LOGIN=yes ${process.execPath} ${bench.file('login.cjs')} ${bench.file('login')}`;
      assert.ok(asked?.detail?.includes(command), asked?.detail);
      assert.ok(!existsSync(bench.file('login')), 'nobody agreed');
      dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Run');
      await run('agent.signIn');
      assert.equal(dialogs.texts('warning').length, 2);
      assert.ok(existsSync(bench.file('login')));
      assert.deepEqual([await sent('authenticate'), await sent('initialize')], [0, 2]);
    });

    it('refuses one with a variable that changes what runs', async () => {
      await setProgram({ NODE_OPTIONS: '--require=/tmp/evil.cjs' });
      dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Run');
      await run('agent.signIn');
      assert.match(dialogs.texts('error').join(), /NODE_OPTIONS/);
      assert.ok(!existsSync(bench.file('login')));
    });
  });
});
