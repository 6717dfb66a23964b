import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Step } from '../../fakeAgent/scenario';
import { signedOut } from '../../fakeAgent/signedOut';
import { Dialogs, replaceMember } from '../../vscode/harness/dialogs';
import { ProgressBench } from '../../vscode/harness/progress';
import { ExtensionBench, fakeEntry, waitFor } from '../../vscode/harness/support';
import { beginSession } from './beginSession';

describe('signing in, as the user sees it', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  let progress: ProgressBench;
  let opened: string[];
  let restore: () => void;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    dialogs = new Dialogs();
    progress = new ProgressBench();
    opened = [];
    restore = replaceMember(vscode.env, 'openExternal', (address: unknown) => {
      opened.push(String(address));
      return Promise.resolve(true);
    });
  });
  afterEach(async () => {
    restore();
    progress.dispose();
    dialogs.dispose();
    await bench.dispose();
  });

  function run(command: string, ...rest: readonly unknown[]): Thenable<unknown> {
    return vscode.commands.executeCommand(`acpSessions.${command}`, ...rest);
  }

  /** Signs in to an agent that prints this and then waits for the file `done`. */
  async function signIn(...prints: readonly Step[]): Promise<() => Promise<void>> {
    const steps = [...prints, { waitForFile: bench.file('done') }, { result: {} }];
    const initialize = { authMethods: [{ id: 'm', name: 'Browser' }] };
    await bench.setAgents({ a: fakeEntry('A', { initialize, on: { authenticate: steps } }) });
    const signedIn = run('agent.signIn');
    return async () => {
      await writeFile(bench.file('done'), '');
      await signedIn;
    };
  }

  const address =
    'https://login.example/oauth/authorize?to=https%3A%2F%2Fgate.example%2Fin&state=gate-state%3D';

  it('AUTH-3: the progress says what the agent prints last, and an address is opened with a button', async () => {
    dialogs.answer = ({ choices }) => choices.find((choice) => choice === 'Open…');
    const finish = await signIn(
      { line: 'Opening browser to sign in…' },
      { line: `If the browser didn't open, visit: ${address}` },
      { line: `Once more: ${address}` },
    );
    await waitFor(() => opened.length > 0, 'the address to be opened');
    await waitFor(() => progress.notification?.reported.length === 3, 'what the agent prints');
    assert.deepEqual(progress.notification?.reported, [
      'Opening browser to sign in…',
      "If the browser didn't open, visit: https://login.example/oauth/authorize?…",
      'Once more: https://login.example/oauth/authorize?…',
    ]);
    await finish();
    assert.deepEqual(opened, [address], 'once, as it was encoded');
    assert.deepEqual(dialogs.texts('information'), ['A printed a sign-in link to login.example.']);
    assert.deepEqual(dialogs.texts('error'), []);
  });

  it('opens nothing unless the person wants it, and shows no link of the agent’s', async () => {
    const finish = await signIn(
      { stderr: 'Press [here](command:workbench.action.quit) or https://user:x@a.example/\n' },
      { stderr: `https://${'a.'.repeat(2 * 127)}example/ or\n` },
      { stderr: `Visit ${address}\n` },
    );
    await waitFor(() => dialogs.texts('information').length === 1, 'the offer');
    await waitFor(() => progress.notification?.reported.length === 3, 'what the agent prints');
    assert.equal(
      progress.notification?.reported[0],
      'Press [here]\u200b(command:workbench.action.quit) or https://user:‹hidden›@a.example/',
    );
    await finish();
    assert.deepEqual(opened, []);
  });

  it('offers no more than three addresses of one login', async () => {
    const many = Array.from({ length: 2 * 3 }, (_, at) => ({ line: `https://a${at}.example/in` }));
    const finish = await signIn(...many, { line: 'That is all.' });
    const isAll = () => progress.notification?.reported.at(-1) === 'That is all.';
    await waitFor(isAll, 'the last line');
    await finish();
    assert.equal(dialogs.texts('information').length, 3);
  });

  it('nothing that the agent prints at other times is shown or offered', async () => {
    const finish = await signIn();
    await waitFor(() => progress.notification, 'the login');
    await finish();
    const entry = fakeEntry('B', {
      on: { 'session/new': [{ line: `Visit ${address}` }, { result: { sessionId: 'n1' } }] },
    });
    await bench.setAgents({ b: entry });
    await beginSession(bench.api);
    await waitFor(() => bench.api.sessions.find('b', 'n1'), 'the new session');
    assert.deepEqual(dialogs.texts('information'), []);
  });

  describe('without a login, of real agents', () => {
    const refusals = {
      codex: 'Authentication required',
      copilot: 'Authentication required',
      gemini: 'The key of the garden is missing or not configured.',
      qwen: "Authentication required: Authentication failed: Missing key for openai auth. Current model: 'fern-3-max', baseUrl: '(default)'. Provide a key by the settings (garden.auth.key), or set the environment variable 'OPENAI_API_KEY'.",
    };
    for (const [agent, said] of Object.entries(refusals)) {
      it(`ER-4, AUTH-4: ${agent}: a new session is refused in its own words, and no progress goes on while the question waits`, async () => {
        const scenario = signedOut(agent);
        await bench.setAgents({ a: fakeEntry('A', scenario) });
        let asked = 0;
        dialogs.answer = ({ choices }) => {
          assert.deepEqual(choices, ['Sign In']);
          assert.equal(progress.running.size, 0, 'nothing goes on');
          asked++;
          return undefined;
        };
        await beginSession(bench.api);
        assert.equal(asked, 1);
        assert.equal(progress.all.length, 1, 'there was progress before');
        const text = dialogs.texts('warning').join();
        assert.ok(text.includes(`requires you to sign in. It said: “${said}”`), text);
      });
    }

    it('claude: a session begins, and its first prompt is refused in its own words', async () => {
      const scenario = signedOut('claude');
      await bench.setAgents({ a: fakeEntry('A', scenario) });
      await beginSession(bench.api);
      const session = await waitFor(() => bench.api.sessions.find('a', 'session-1'), 'the session');
      session.turns.submit({ text: 'Water the ferns', attachments: [] });
      const failure = await waitFor(
        () =>
          session.transcript.entries.flatMap((entry) =>
            entry.kind === 'turn' && entry.outcome.type === 'failed' ? [entry.outcome.failure] : [],
          )[0],
        'the refusal',
      );
      assert.equal(failure.code, 'authRequired');
      assert.match(failure.detail, /“Authentication required”/);
    });
  });

  it('AUTH-4: no progress goes on while a question to sign in waits before a session is deleted', async () => {
    const refusal = { error: { code: -32000, message: 'Who are you?' } };
    const initialize = {
      agentCapabilities: { sessionCapabilities: { list: {}, delete: {} } },
      authMethods: [{ id: 'm', name: 'Browser' }],
    };
    const cwd = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const sessions = [{ sessionId: 's1', cwd, title: 'One' }];
    const on = { 'session/delete': [refusal] };
    await bench.setAgents({ a: fakeEntry('A', { initialize, sessions, on }) });
    bench.nodes();
    const row = await bench.session('One');
    const running: number[] = [];
    dialogs.answer = ({ choices }) => {
      running.push(progress.running.size);
      return choices.find((choice) => choice === 'Delete');
    };
    await run('session.delete', row);
    assert.match(dialogs.texts('warning').at(-1) ?? '', /“Who are you\?”/);
    assert.deepEqual(running.slice(0, 2), [0, 0]);
  });
});
