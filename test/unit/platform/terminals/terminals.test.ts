import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Terminal, TerminalOptions } from '../../../../src/model/ports';
import {
  ChildTerminals,
  type ChildTerminalsOptions,
} from '../../../../src/platform/terminals/terminals';
import { AcpError } from '../../../../src/protocol/errors';
import { posixOnly } from '../../../support/posixOnly';
import { isRunning, pidIn } from '../../../support/processes';
import { until } from '../../../support/until';

describe('commands of agents', function () {
  this.timeout(30_000);
  const running: Terminal[] = [];
  let folder: string;

  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'acp-terminals-')));
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((terminal) => terminal.kill()));
  });
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  function terminals(options: Partial<ChildTerminalsOptions> = {}): ChildTerminals {
    return new ChildTerminals({
      workspace: { trusted: true },
      loginEnvironment: () => Promise.resolve(undefined),
      graceMs: 300,
      ...options,
    });
  }

  async function start(options: Partial<TerminalOptions>, from = terminals()): Promise<Terminal> {
    const terminal = await from.create({
      command: process.execPath,
      args: [],
      env: {},
      cwd: folder,
      ...options,
    });
    running.push(terminal);
    return terminal;
  }

  /** Runs a Node program. */
  function run(program: string, options: Partial<TerminalOptions> = {}): Promise<Terminal> {
    return start({ args: ['-e', program], ...options });
  }

  async function refused(creating: Promise<unknown>): Promise<AcpError> {
    const error = await creating.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof AcpError);
    return error;
  }

  const file = (name: string): string => path.join(folder, name);

  it('TE-2: arguments, environment and folder arrive as they are, without a shell', async () => {
    const args = ['a b', '"q"', '$HOME', '; echo x', '', '日本語', '&& exit 1', '`id`'];
    const program =
      'console.log(JSON.stringify([process.argv.slice(1), process.env.X, process.cwd()]))';
    const terminal = await start({
      args: ['-e', program, '--', ...args],
      env: { X: '$(y) `z`' },
    });
    await terminal.exited;
    assert.deepEqual(JSON.parse(terminal.output.output), [args, '$(y) `z`', folder]);
  });

  it('TE-2: a command with everything in one text is not taken apart', async () => {
    const error = await refused(start({ command: 'echo one && echo two' }));
    assert.equal(error.code, 'notFound');
  });

  describe('a command line', () => {
    /** Runs a line as an agent's request is handled: the shell is chosen first, then the command is started. */
    async function runLine(
      command: string,
      options: Partial<TerminalOptions> = {},
      from = terminals(),
    ): Promise<{ readonly shell: string | undefined; readonly output: string; exitCode: unknown }> {
      const asked = { command, args: [], env: {}, cwd: folder, ...options };
      const shell = await from.shellFor(asked);
      const terminal = await start({ ...asked, shell }, from);
      const { exitCode } = await terminal.exited;
      return { shell, output: terminal.output.output, exitCode };
    }

    posixOnly(
      'TE-2, T-53: is run by a shell, word for word, with its variables and folder',
      async () => {
        const line = `printf '%s|' one "t w o" $X && pwd; ls nope || exit 3`;
        const { output, exitCode } = await runLine(line, { env: { X: 'three', CLAUDECODE: '1' } });
        assert.match(output, /^one\|t w o\|three\|/);
        assert.ok(output.includes(folder));
        assert.equal(exitCode, 3);
      },
    );

    posixOnly(
      'TE-2: may have several lines, pipes, substitutions, and begin like an option',
      async () => {
        assert.equal((await runLine('echo a\necho b')).output, 'a\nb\n');
        assert.equal((await runLine('echo abc | tr a-c x')).output, 'xxx\n');
        assert.equal((await runLine('echo "$(echo in)" > out; cat out')).output, 'in\n');
        assert.equal((await runLine('X=1; echo $X')).output, '1\n');
        assert.equal((await runLine('-c "echo no"')).exitCode, 127);
      },
    );

    posixOnly(
      'TE-2: what names a program by its path or name is that program, spaces or not',
      async () => {
        fs.mkdirSync(file('my tools'), { recursive: true });
        const tool = file('my tools/say hi');
        fs.writeFileSync(tool, '#!/bin/sh\necho "$# said"\n', { mode: 0o755 });
        for (const command of [tool, './my tools/say hi', 'my tools/say hi']) {
          assert.deepEqual(await runLine(command), {
            ...{ shell: undefined, output: '0 said\n', exitCode: 0 },
          });
        }
        assert.equal((await runLine('true')).shell, undefined);
        fs.writeFileSync(file('my tools/no program'), 'text');
        const asked = { args: [], env: {}, cwd: folder, command: file('my tools/no program') };
        assert.equal(await terminals().shellFor(asked), undefined);
        assert.equal((await refused(start(asked))).code, 'notExecutable');
        assert.notEqual((await runLine(`"${tool}" && echo done`)).shell, undefined);
        assert.equal((await runLine('ls "my tools" | wc -l')).output.trim(), '2');
      },
    );

    posixOnly('TE-2: with arguments, or as a single unknown word, it is no line', async () => {
      const shellFor = (command: string, args: string[] = []): Promise<string | undefined> =>
        terminals().shellFor({ command, args, env: {}, cwd: folder });
      assert.equal(await shellFor('echo hi', ['there']), undefined);
      assert.equal((await refused(start({ command: 'echo hi', args: ['x'] }))).code, 'notFound');
      assert.equal(await shellFor('no-such-command'), undefined);
      assert.equal(await shellFor('/no/such/command'), undefined);
      // The shell's own words, and what only it can expand.
      for (const command of [
        'export',
        'umask',
        '$HOME/x',
        '~/x',
        './*.sh',
        'A=1',
        'no-such-command x',
      ]) {
        assert.equal(await shellFor(command), '/bin/sh', command);
      }
    });

    posixOnly(
      'TE-2: is run by the chosen shell if it takes lines, otherwise by the system’s',
      async () => {
        const shell = file('bash');
        fs.writeFileSync(shell, '#!/bin/sh\necho "[$1][$2]"\n', { mode: 0o755 });
        const other = file('nu');
        fs.writeFileSync(other, '#!/bin/sh\necho wrong\n', { mode: 0o755 });
        const by = async (...shells: string[]): Promise<string> =>
          (await runLine('echo hi; echo ho', {}, terminals({ shells: () => shells }))).output;
        assert.equal(await by(shell), '[-c][echo hi; echo ho]\n');
        assert.equal(
          await by(other, '', 'relative/bash', file('gone/zsh'), shell),
          '[-c][echo hi; echo ho]\n',
        );
        assert.equal(await by(other), 'hi\nho\n');
      },
    );

    posixOnly('TE-2: a program that only the login shell knows is found by its shell', async () => {
      fs.writeFileSync(file('own-tool'), '#!/bin/sh\necho "found $1"\n', { mode: 0o755 });
      const PATH = `${folder}:${process.env['PATH']}`;
      const from = terminals({ loginEnvironment: () => Promise.resolve({ PATH }) });
      assert.equal((await runLine('own-tool a && echo b', {}, from)).output, 'found a\nb\n');
      const never = terminals({ loginEnvironment: () => assert.fail('there is no need for it') });
      assert.equal((await runLine('echo a && echo b', {}, never)).output, 'a\nb\n');
      assert.equal((await runLine('if true; then echo c; fi', {}, never)).output, 'c\n');
    });
  });

  it('TE-2, TE-4: a long-running command answers at once, and its output while it runs', async () => {
    const terminal = await run('console.log("ready"); setInterval(() => {}, 1000)');
    await until(() => terminal.output.output === 'ready\n');
    assert.deepEqual(terminal.output, { output: 'ready\n', truncated: false });
  });

  it('TE-2: what waits for input sees its end', async () => {
    const terminal = await run('process.stdin.on("end", () => process.exit(4)).resume()');
    assert.deepEqual(await terminal.exited, { exitCode: 4, signal: null });
  });

  it('TE-2: nothing of the editor’s own environment arrives', async () => {
    const before = process.env['ELECTRON_RUN_AS_NODE'];
    process.env['ELECTRON_RUN_AS_NODE'] = '1';
    process.env['VSCODE_TEST_TOKEN'] = 'secret';
    try {
      const terminal = await run('console.log(JSON.stringify(process.env))', { env: { X: 'y' } });
      await terminal.exited;
      const seen = JSON.parse(terminal.output.output) as Record<string, string>;
      assert.equal(seen['X'], 'y');
      assert.equal(seen['PATH'], process.env['PATH']);
      assert.deepEqual(
        Object.keys(seen).filter((key) => /VSCODE|ELECTRON/.test(key)),
        [],
      );
    } finally {
      delete process.env['VSCODE_TEST_TOKEN'];
      delete process.env['ELECTRON_RUN_AS_NODE'];
      Object.assign(process.env, before === undefined ? {} : { ELECTRON_RUN_AS_NODE: before });
    }
  });

  describe('a start that fails', () => {
    it('TE-2: no executable', async () => {
      const error = await refused(start({ command: 'no-such-command' }));
      assert.equal(error.code, 'notFound');
      assert.equal(error.facts.subject, 'no-such-command');
    });

    it('TE-2: no folder', async () => {
      const error = await refused(start({ cwd: file('nowhere') }));
      assert.equal(error.facts.missingFolder, file('nowhere'));
    });

    posixOnly('TE-2: a file that is not executable, and a folder', async () => {
      fs.writeFileSync(file('plain'), 'text');
      assert.equal((await refused(start({ command: file('plain') }))).code, 'notExecutable');
      assert.equal((await refused(start({ command: folder }))).code, 'notExecutable');
    });

    posixOnly('TE-2: a command that only the login shell knows is found', async () => {
      fs.writeFileSync(file('tool'), '#!/bin/sh\necho "$OWN"', { mode: 0o755 });
      const from = terminals({
        loginEnvironment: () => Promise.resolve({ PATH: folder, OWN: 'login' }),
      });
      const terminal = await start({ command: 'tool', env: { OWN: 'asked for' } }, from);
      await terminal.exited;
      assert.equal(terminal.output.output, 'asked for\n');
    });

    it('TE-2: nothing starts in a workspace that is not trusted', async () => {
      const from = terminals({ workspace: { trusted: false } });
      assert.equal((await refused(start({}, from))).code, 'untrusted');
    });
  });

  posixOnly(
    'TE-8, SEC-121: of twice as many commands as may run at a time the later ones are refused',
    async () => {
      const from = terminals();
      const command = { command: 'sleep', args: ['600'] };
      const starts = Array.from({ length: 256 }, () => start(command, from));
      const ends = await Promise.allSettled(starts);
      assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 128);
      assert.equal((await refused(start(command, from))).code, 'invalidParams');
      await running[0]?.kill();
      await start(command, from);
    },
  );

  describe('the output', () => {
    it('TE-3: stays within the limit, cut between two characters', async () => {
      const terminal = await run('process.stdout.write("日本")', { outputByteLimit: 5 });
      await terminal.exited;
      const { output, truncated } = terminal.output;
      assert.deepEqual([output, truncated], ['本', true]);
    });

    it('TE-3: stays within the limit even of bytes that are no text', async () => {
      const program = 'process.stdout.write(Buffer.alloc(1000, 0xff))';
      const terminal = await run(program, { outputByteLimit: 100 });
      await terminal.exited;
      const { output } = terminal.output;
      assert.ok(output.length > 0 && Buffer.byteLength(output) <= 100);
    });

    it('TE-3: limits that make no sense keep nothing, or what is kept at most', async () => {
      for (const outputByteLimit of [0, -5]) {
        const terminal = await run('console.log("x")', { outputByteLimit });
        await terminal.exited;
        assert.equal(terminal.output.output, '');
        assert.equal(terminal.output.truncated, true);
      }
      const terminal = await run('console.log("x")', { outputByteLimit: 1e15 });
      await terminal.exited;
      assert.equal(terminal.output.output, 'x\n');
    });

    it('TE-4: has both streams, and characters whole that came in two pieces', async () => {
      const program = `const [a, b] = [Buffer.from([0xe6, 0x97]), Buffer.from([0xa5])];
        process.stdout.write(a, () => process.stderr.write('|', () => setTimeout(() => process.stdout.write(b), 50)))`;
      const terminal = await run(program);
      await terminal.exited;
      assert.equal(terminal.output.output, '|日');
    });

    it('TE-9: what is shown is the end of it while it runs, and all of it afterward', async () => {
      const program =
        'process.stdout.write("x".repeat(300_000) + "end"); process.once("SIGTERM", () => process.exit()); setInterval(() => {}, 1000)';
      const terminal = await run(program);
      await until(() => terminal.output.output.endsWith('end'));
      assert.equal(terminal.shown.output.length, 64 * 1024);
      assert.deepEqual([terminal.shown.truncated, terminal.output.truncated], [false, false]);
      await terminal.kill();
      assert.deepEqual(terminal.shown, terminal.output);
    });

    it('TE-9: of a very long output the end is shown, and that it was cut', async () => {
      const program = 'process.stdout.write("x".repeat(2 * 1024 * 1024))';
      const terminal = await run(program, { outputByteLimit: 16 * 1024 * 1024 });
      await terminal.exited;
      assert.equal(terminal.output.output.length, 2 * 1024 * 1024);
      assert.equal(terminal.shown.output.length, 1024 * 1024);
      assert.deepEqual([terminal.shown.truncated, terminal.output.truncated], [true, false]);
    });

    it('TE-3: what is given up holds no memory', async () => {
      const from = terminals();
      const args = ['-e', 'process.stdout.write("x".repeat(100_000))'];
      const terminal = await start({ args }, from);
      await terminal.exited;
      assert.equal(from.heldBytes, 100_000);
      terminal.dispose();
      assert.equal(from.heldBytes, 0);
    });

    it('TE-3: a flood that never ends is slowed down, bounded, and can be ended', async () => {
      const program =
        'const x = "x".repeat(65536); (function f() { process.stdout.write(x, f) })()';
      const terminal = await run(program);
      let heard = 0;
      terminal.onDidChange((text) => (heard += text.length));
      const before = process.memoryUsage.rss();
      await until(() => heard > 40_000_000);
      assert.ok(process.memoryUsage.rss() - before < 200_000_000, 'memory is bounded');
      const { output, truncated } = terminal.output;
      assert.deepEqual([output.length, truncated], [1024 * 1024, true]);
      await terminal.kill();
      assert.ok(terminal.output.exitStatus);
    });
  });

  describe('the end', () => {
    it('TE-5: tells the exit code', async () => {
      const terminal = await run('console.error("no"); process.exit(3)');
      const exit = { exitCode: 3, signal: null };
      assert.deepEqual(await Promise.all([terminal.exited, terminal.exited]), [exit, exit]);
      assert.deepEqual(terminal.output, { output: 'no\n', truncated: false, exitStatus: exit });
    });

    posixOnly('TE-5: tells the signal', async () => {
      const terminal = await run('process.kill(process.pid, "SIGKILL")');
      assert.deepEqual(await terminal.exited, { exitCode: null, signal: 'SIGKILL' });
    });

    it('TE-5: everything that was written before the end is there', async () => {
      const terminal = await run('process.stdout.write("x".repeat(900_000))');
      await terminal.exited;
      assert.equal(terminal.output.output.length, 900_000);
    });

    posixOnly('TE-6: a command that never ends is ended, politely at first', async () => {
      const terminal = await run(
        'process.on("SIGTERM", () => { console.log("bye"); process.exit(0) }); console.log("ready"); setInterval(() => {}, 1000)',
      );
      await until(() => terminal.output.output !== '');
      await terminal.kill();
      assert.equal(terminal.output.output, 'ready\nbye\n');
      assert.deepEqual(terminal.output.exitStatus, { exitCode: 0, signal: null });
    });

    posixOnly('TE-6: a whole tree that ignores SIGTERM is killed', async () => {
      const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`;
      const child = `${stubborn} require('fs').writeFileSync(process.argv[1], String(process.pid));`;
      const program = `${stubborn}
        require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}, process.argv[1]]);
        require('fs').writeFileSync(process.argv[2], String(process.pid));`;
      const [childPid, ownPid] = [file('child'), file('own')];
      const terminal = await start({ args: ['-e', program, childPid, ownPid] });
      const isWritten = (name: string): boolean =>
        fs.existsSync(name) && fs.readFileSync(name, 'utf8') !== '';
      await until(() => isWritten(childPid) && isWritten(ownPid));
      await terminal.kill();
      assert.deepEqual(terminal.output.exitStatus, { exitCode: null, signal: 'SIGKILL' });
      await until(() => !isRunning(pidIn(ownPid)) && !isRunning(pidIn(childPid)));
    });

    posixOnly('TE-8: what a command leaves in the background goes with it', async () => {
      const pid = file('background');
      const program = `sleep 600 & echo $! > "$0"; exit 5`;
      const terminal = await start({ command: '/bin/sh', args: ['-c', program, pid] });
      assert.deepEqual(await terminal.exited, { exitCode: 5, signal: null });
      await until(() => !isRunning(pidIn(pid)));
    });

    posixOnly('TE-5: a process that holds the output does not hold up the end', async () => {
      const child = 'setInterval(() => {}, 1000)';
      const pid = file('escaped');
      const program = `const child = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { detached: true, stdio: 'inherit' });
        require('fs').writeFileSync(process.argv[1], String(child.pid)); process.exit(0)`;
      const terminal = await start({ args: ['-e', program, pid] });
      assert.deepEqual(await terminal.exited, { exitCode: 0, signal: null });
      if (process.platform === 'linux') {
        // On other systems its origin can no longer be determined.
        await until(() => !isRunning(pidIn(pid)));
      } else {
        process.kill(pidIn(pid), 'SIGKILL');
      }
    });

    it('TE-6: killing what has ended changes nothing', async () => {
      const terminal = await run('process.exit(2)');
      await terminal.exited;
      await terminal.kill();
      assert.deepEqual(terminal.output.exitStatus, { exitCode: 2, signal: null });
    });
  });
});
