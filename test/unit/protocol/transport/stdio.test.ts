import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import * as esbuild from 'esbuild';
import type { Transport, TransportEnd } from '../../../../src/protocol/agentTransport';
import { AcpError } from '../../../../src/protocol/errors';
import { type SpawnOptions, spawnAgent } from '../../../../src/protocol/transport/stdio';
import { fakeAgent, type Scenario } from '../../../fakeAgent/scenario';
import { posixOnly } from '../../../support/posixOnly';
import { isRunning, pidIn } from '../../../support/processes';
import { inProject } from '../../../support/project';
import { removeTemporary, temporaryFile } from '../../../support/temporary';
import { until } from '../../../support/until';

describe('child processes', function () {
  this.timeout(30_000);
  const transports: Transport[] = [];
  let files = 0;

  afterEach(async () => {
    await Promise.all(transports.splice(0).map((transport) => transport.close()));
  });
  after(removeTemporary);

  function start(
    options: Partial<SpawnOptions>,
  ): Transport & { readonly ended: Promise<TransportEnd> } {
    const transport = spawnAgent({
      command: process.execPath,
      args: [],
      loginEnvironment: () => Promise.resolve(undefined),
      graceMs: 300,
      ...options,
    });
    transports.push(transport);
    const ended = new Promise<TransportEnd>((resolve) => transport.onEnd(resolve));
    return Object.assign(transport, { ended });
  }

  function startScenario(scenario: Scenario): ReturnType<typeof start> {
    return start(fakeAgent(scenario));
  }

  async function endOf(options: Partial<SpawnOptions>): Promise<AcpError | undefined> {
    return (await start(options).ended).error;
  }

  function output(transport: Transport): () => string {
    let text = '';
    transport.onData((bytes) => {
      text += Buffer.from(bytes).toString();
    });
    return () => text;
  }

  const file = (name: string): string => temporaryFile(`${++files}-${name}`);

  it('TR-3: arguments, environment and folder arrive as they are, without a shell', async () => {
    const args = ['a b', '"q"', '$HOME', '; echo x', '', '日本語', '&& exit 1'];
    const program =
      'console.log(JSON.stringify([process.argv.slice(1), process.env.X, process.cwd()]))';
    const cwd = fs.realpathSync(path.dirname(file('x')));
    const transport = start({ args: ['-e', program, '--', ...args], env: { X: '$(y) `z`' }, cwd });
    const text = output(transport);
    await transport.ended;
    assert.deepEqual(JSON.parse(text()), [args, '$(y) `z`', cwd]);
  });

  it('TR-3: an agent sees nothing of the editor’s own environment, and what is set for it', async () => {
    process.env['VSCODE_TEST_TOKEN'] = 'secret';
    const before = process.env['ELECTRON_RUN_AS_NODE'];
    process.env['ELECTRON_RUN_AS_NODE'] = '1';
    try {
      const program = 'console.log(JSON.stringify(process.env))';
      const transport = start({ args: ['-e', program], env: { VSCODE_OWN: 'set by a person' } });
      const text = output(transport);
      await transport.ended;
      const seen = JSON.parse(text()) as Record<string, string>;
      assert.deepEqual(
        Object.keys(seen).filter((name) => /VSCODE|ELECTRON/.test(name)),
        ['VSCODE_OWN'],
      );
      assert.equal(seen['PATH'], process.env['PATH']);
    } finally {
      delete process.env['VSCODE_TEST_TOKEN'];
      delete process.env['ELECTRON_RUN_AS_NODE'];
      Object.assign(process.env, before === undefined ? {} : { ELECTRON_RUN_AS_NODE: before });
    }
  });

  describe('a start that fails', () => {
    it('SDK-13: a command that is not there', async () => {
      const error = await endOf({ command: 'no-such-agent' });
      assert.equal(error?.code, 'notFound');
      assert.equal(error.facts.subject, 'no-such-agent');
      assert.equal(error.facts.missingFolder, undefined);
    });

    it('SDK-13: a folder that is not there is not taken for a missing command', async () => {
      const cwd = file('nowhere');
      const error = await endOf({ cwd });
      assert.equal(error?.code, 'notFound');
      assert.equal(error.facts.missingFolder, cwd);
    });

    posixOnly('a file that is not executable', async () => {
      const command = file('plain');
      fs.writeFileSync(command, 'text');
      assert.equal((await endOf({ command }))?.code, 'notExecutable');
    });

    posixOnly('a folder instead of a program', async () => {
      assert.equal((await endOf({ command: path.dirname(file('x')) }))?.code, 'notExecutable');
    });

    it('an argument that no system takes', async () => {
      assert.equal((await endOf({ args: ['a\0b'] }))?.code, 'notExecutable');
    });

    it('a program that ends at once, with its last words', async () => {
      const error = await endOf({ args: ['-e', 'console.error("no\\nlicence"); process.exit(7)'] });
      assert.equal(error?.code, 'exited');
      assert.deepEqual(error.facts, {
        exit: 'exit code 7',
        stderr: ['no', 'licence'],
        subject: process.execPath,
      });
    });

    posixOnly('a program that is killed', async () => {
      const error = await endOf({ args: ['-e', 'process.kill(process.pid, "SIGKILL")'] });
      assert.equal(error?.facts.exit, 'signal SIGKILL');
    });

    it('what is written to it is refused with the same reason', async () => {
      const transport = start({ command: 'no-such-agent' });
      await assert.rejects(
        transport.write('x'),
        (error) => error instanceof AcpError && error.code === 'notFound',
      );
    });
  });

  describe('the login shell’s environment', () => {
    posixOnly('finds a command that the editor’s PATH lacks', async () => {
      const command = file('agent');
      fs.writeFileSync(command, '#!/bin/sh\necho "$FROM_LOGIN $OWN"', { mode: 0o755 });
      const folders = `${path.dirname(command)}:${process.env['PATH'] ?? ''}`;
      const transport = start({
        command: path.basename(command),
        env: { OWN: 'configured' },
        loginEnvironment: () =>
          Promise.resolve({ PATH: folders, FROM_LOGIN: 'login', OWN: 'login' }),
      });
      const text = output(transport);
      await transport.ended;
      assert.equal(text(), 'login configured\n');
    });

    posixOnly('is asked once, and only for a bare command', async () => {
      let asked = 0;
      const loginEnvironment = (): Promise<Record<string, string>> => {
        asked++;
        return Promise.resolve({ PATH: '/nowhere' });
      };
      await endOf({ command: 'no-such-agent', loginEnvironment });
      assert.equal(asked, 1);
      await endOf({ command: '/no/such/agent', loginEnvironment });
      assert.equal(asked, 1);
    });

    it('closing while it is being asked starts nothing', async () => {
      const transport = start({
        command: 'no-such-agent',
        loginEnvironment: () => new Promise(() => undefined),
      });
      await transport.close();
      assert.deepEqual(await transport.ended, {});
    });
  });

  describe('ending it', () => {
    it('TR-8: stdin is closed first, and that is enough for a good agent', async () => {
      const seen = file('seen');
      const program = `process.on('SIGTERM', () => require('fs').writeFileSync(${JSON.stringify(seen)}, 'TERM'));
        process.stdin.on('end', () => { require('fs').writeFileSync(${JSON.stringify(seen)}, 'EOF'); process.exit(); }).resume();
        console.log('ready')`;
      const transport = start({ args: ['-e', program], graceMs: 10_000 });
      const text = output(transport);
      await until(() => text() === 'ready\n');
      await transport.close();
      assert.equal(fs.readFileSync(seen, 'utf8'), 'EOF');
    });

    posixOnly('TR-8: one that ignores the end of stdin and SIGTERM is killed', async () => {
      const pidFile = file('pid');
      const transport = startScenario({
        ignoreStdinEnd: true,
        ignoreTerm: true,
        pidFile,
        start: [{ line: 'ready' }],
      });
      const text = output(transport);
      await until(() => text() === 'ready\n');
      await transport.close();
      assert.ok(!isRunning(pidIn(pidFile)));
    });

    posixOnly('TR-8, T-31: children of a stubborn wrapper go too', async () => {
      const [pidFile, childFile] = [file('pid'), file('child')];
      const transport = startScenario({
        ignoreStdinEnd: true,
        ignoreTerm: true,
        pidFile,
        start: [{ grandchild: childFile, ignoreTerm: true }, { line: 'ready' }],
      });
      const text = output(transport);
      await until(() => text() === 'ready\n');
      await transport.close();
      await until(() => !isRunning(pidIn(pidFile)) && !isRunning(pidIn(childFile)));
    });

    posixOnly(
      'T-31: children that outlive the agent are ended, and the end is reported',
      async () => {
        const childFile = file('child');
        const transport = startScenario({ start: [{ grandchild: childFile }, { exit: 3 }] });
        assert.equal((await transport.ended).error?.facts.exit, 'exit code 3');
        await until(() => !isRunning(pidIn(childFile)));
      },
    );

    posixOnly('T-31: children that outlive the agent and ignore SIGTERM are killed', async () => {
      const childFile = file('child');
      const transport = startScenario({
        start: [{ grandchild: childFile, ignoreTerm: true }, { exit: 3 }],
      });
      assert.equal((await transport.ended).error?.facts.exit, 'exit code 3');
      await until(() => !isRunning(pidIn(childFile)));
    });

    posixOnly('an agent that closes its stdout is ended', async () => {
      const pidFile = file('pid');
      const transport = startScenario({
        pidFile,
        ignoreStdinEnd: true,
        start: [{ closeStdout: true }],
      });
      assert.equal((await transport.ended).error?.code, 'exited');
      await until(() => !isRunning(pidIn(pidFile)));
    });

    posixOnly(
      'an agent that has closed its stdin is ended as soon as one writes to it',
      async () => {
        const program =
          "require('fs').closeSync(0); console.log('ready'); setTimeout(() => {}, 600_000)";
        const transport = start({ args: ['-e', program] });
        const text = output(transport);
        await until(() => text() === 'ready\n');
        await assert.rejects(transport.write('x'), AcpError);
        assert.equal((await transport.ended).error?.code, 'exited');
      },
    );

    it('an agent that does not read its stdin can still be ended', async () => {
      const transport = startScenario({ start: [{ stopReading: true }, { line: 'ready' }] });
      const text = output(transport);
      await until(() => text() === 'ready\n');
      const written = transport.write('x'.repeat(8 * 1024 * 1024));
      await Promise.all([assert.rejects(written, AcpError), transport.close()]);
    });

    posixOnly('an agent does not survive a host that exits without ending it', async () => {
      const pidFile = file('pid');
      const bundle = file('host.cjs');
      const agent = fakeAgent({
        pidFile,
        ignoreStdinEnd: true,
        ignoreTerm: true,
        start: [{ line: 'ready' }],
      });
      await esbuild.build({
        stdin: {
          contents: `import { spawnAgent } from './stdio';
            spawnAgent(${JSON.stringify(agent)}).onData(() => process.exit(0));`,
          resolveDir: inProject('src/protocol/transport'),
        },
        bundle: true,
        platform: 'node',
        outfile: bundle,
      });
      await new Promise((resolve) =>
        spawn(process.execPath, [bundle], { stdio: 'ignore' }).on('close', resolve),
      );
      await until(() => !isRunning(pidIn(pidFile)));
    });
  });

  it('TR-6: five megabytes of stderr without a line end hold up nothing and are bounded', async () => {
    const lines: string[] = [];
    const agent = fakeAgent({
      start: [{ stderrBytes: 5_000_000 }, { line: 'ready' }, { exit: 1 }],
    });
    const transport = start({ ...agent, onStderr: (line) => lines.push(line) });
    const text = output(transport);
    const { error } = await transport.ended;
    assert.equal(text(), 'ready\n');
    assert.ok(lines.join('').length < 2000);
    assert.equal(error?.facts.stderr?.length, 1);
  });

  it('everything that was written before the end arrives before the end', async () => {
    const transport = startScenario({
      start: [{ line: 'x'.repeat(99), times: 20_000 }, { exit: 0 }],
    });
    const text = output(transport);
    await transport.ended;
    assert.equal(text().length, 2_000_000);
  });
});
