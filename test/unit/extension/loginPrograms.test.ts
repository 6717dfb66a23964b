import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { ableInitialize } from '../../fakeAgent/scenario';
import type { Dialogs } from '../../vscode/harness/dialogs';
import { type ExtensionBench, fakeEntry, listed, waitFor } from '../../vscode/harness/support';
import { useBench } from './useBench';

describe('signing in by an agent’s program', () => {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  useBench((...made) => {
    [bench, dialogs] = made;
  });

  async function sent(method: string): Promise<number> {
    return (await bench.received('log')).filter((message) => message.method === method).length;
  }

  it('AUTH-2, AUTH-5, AUTH-6: runs the agent’s own program in a terminal, then starts the agent anew', async () => {
    const entry = await loginAgent(0);
    await bench.setAgents({ a: entry });
    bench.nodes();
    await bench.session('One');
    const before = bench.api.agents.get('a')?.state;
    await vscode.commands.executeCommand('acpSessions.agent.signIn');
    const agent = bench.api.agents.get('a');
    await waitFor(
      () => agent?.state.kind === 'ready' && agent.state !== before,
      'the agent to be back',
    );
    const login = JSON.parse(await readFile(bench.file('login'), 'utf8')) as {
      argv: string[];
      env: string;
    };
    assert.deepEqual(login.argv.slice(-2), ['--login', 'a b']);
    assert.equal(login.env, 'yes');
    assert.equal(await sent('authenticate'), 0);
    assert.equal(await sent('initialize'), 2);
  });

  it('AUTH-5, AUTH-7: takes any other end of that program for a failure', async () => {
    await bench.setAgents({ a: await loginAgent(1) });
    bench.nodes();
    await bench.session('One');
    await vscode.commands.executeCommand('acpSessions.agent.signIn');
    assert.match(dialogs.texts('error').join(), /ended with code 1/);
    assert.equal(await sent('initialize'), 1, 'the agent was left alone');
  });

  /** An agent whose login program prints "Success" in any case and exits with this code. */
  async function loginAgent(code: number) {
    const { command, args, env, title } = fakeEntry('A', {
      initialize: {
        ...ableInitialize,
        authMethods: [
          {
            id: 'terminal',
            name: 'Terminal',
            type: 'terminal',
            command: '/bin/false',
            args: ['--login', 'a b'],
            env: { LOGIN: 'yes' },
          },
        ],
      },
      sessions: [listed('s1', 'One')],
      record: bench.file('log'),
    }) as { command: string; args: string[]; env: Record<string, string>; title: string };
    const program = `
      if (process.argv.includes('--login')) {
        const { argv, env } = process;
        require('node:fs').writeFileSync(${JSON.stringify(bench.file('login'))}, JSON.stringify({ argv, env: env.LOGIN }));
        console.log('Success');
        process.exit(${code});
      }
      require(${JSON.stringify(args[0])});`;
    await writeFile(bench.file('agent.cjs'), program);
    return { title, command, args: [bench.file('agent.cjs'), ...args.slice(1)], env };
  }
});
