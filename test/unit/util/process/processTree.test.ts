import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import process from 'node:process';
import * as esbuild from 'esbuild';
import { readFromShell } from '../../../../src/util/process/loginShellEnvironment';
import { type ProcessTable, ProcFolder } from '../../../../src/util/process/processTable';
import { ProcessTree } from '../../../../src/util/process/processTree';
import { PsCommand } from '../../../../src/util/process/psCommand';
import { startProcess } from '../../../../src/util/process/startProcess';
import { isRunning, pidIn } from '../../../support/processes';
import { inProject } from '../../../support/project';
import { removeTemporary, temporaryFile } from '../../../support/temporary';
import { until } from '../../../support/until';

const onLinux = process.platform === 'linux';
const posix = process.platform === 'win32' ? describe.skip : describe;
const linuxOnly = onLinux ? it : it.skip;

/** A program that ignores SIGTERM and writes its process id to the file in its first argument. */
const stubborn = `process.on('SIGTERM', () => {});
  require('fs').writeFileSync(process.argv[1], String(process.pid)); setInterval(() => {}, 1000);`;

/** A program that starts another one in a separate process group and session, and then runs `next`. */
function starts(program: string, next: string): string {
  return `const { spawn } = require('child_process');
    spawn(process.execPath, ['-e', ${JSON.stringify(program)}, process.argv[1]], { detached: true, stdio: 'ignore' })
      .once('spawn', function () { this.unref(); ${next} });`;
}

const stays = 'setInterval(() => {}, 1000);';
/** Started twice over, so that the process in between is gone and only the environment reveals the origin. */
const daemon = starts(starts(stubborn, 'process.exit()'), '');

posix('a process with all that it has started', function () {
  this.timeout(30_000);
  const trees: ProcessTree[] = [];
  const strangers: ChildProcess[] = [];
  let files = 0;

  afterEach(async () => {
    await Promise.all(trees.splice(0).map((tree) => tree.terminate()));
    for (const stranger of strangers.splice(0)) {
      stranger.kill('SIGKILL');
    }
  });
  after(removeTemporary);

  const file = (): string => temporaryFile(`tree-${++files}`);

  function start(program: string, ...args: string[]): { tree: ProcessTree; child: ChildProcess } {
    const { tree, child } = startProcess({
      command: process.execPath,
      args: ['-e', program, ...args],
      cwd: undefined,
      environments: [],
      stdin: 'ignore',
      graceMs: 200,
    });
    assert.ok(tree);
    trees.push(tree);
    return { tree, child };
  }

  async function pidWritten(name: string): Promise<number> {
    await until(() => fs.existsSync(name) && fs.readFileSync(name, 'utf8') !== '');
    return pidIn(name);
  }

  /** A process of the user's, unrelated to the agent. */
  function startStranger(): number {
    const stranger = spawn(process.execPath, ['-e', stays], { detached: true, stdio: 'ignore' });
    strangers.push(stranger);
    assert.ok(stranger.pid);
    return stranger.pid;
  }

  it('T-31, SEC-130: what has left its group and session is killed with its parent', async () => {
    const name = file();
    const { tree } = start(starts(stubborn, stays), name);
    const pid = await pidWritten(name);
    await tree.terminate();
    assert.ok(!isRunning(pid));
  });

  linuxOnly('T-31: a daemon is killed while its first parent runs', async () => {
    const name = file();
    const { tree } = start(`${daemon} ${stays}`, name);
    const pid = await pidWritten(name);
    const stranger = startStranger();
    await tree.terminate();
    assert.ok(!isRunning(pid));
    assert.ok(isRunning(stranger), 'and a stranger is not');
  });

  linuxOnly('T-31: a daemon is killed after its first parent has ended', async () => {
    const name = file();
    const { tree, child } = start(daemon, name);
    const pid = await pidWritten(name);
    await until(() => child.exitCode !== null);
    assert.ok(isRunning(pid));
    await tree.terminate();
    assert.ok(!isRunning(pid));
  });

  linuxOnly('T-31: a daemon does not survive a host that exits', async () => {
    const [name, bundle] = [file(), `${file()}.cjs`];
    await esbuild.build({
      stdin: {
        contents: `import fs from 'node:fs';
          import { startProcess } from './startProcess';
          const args = ['-e', ${JSON.stringify(daemon)}, ${JSON.stringify(name)}];
          startProcess({ command: process.execPath, args, environments: [], stdin: 'ignore', graceMs: 200 });
          const isThere = () => fs.existsSync(args[2]) && fs.readFileSync(args[2], 'utf8') !== '';
          setInterval(() => isThere() && process.exit(), 5);`,
        resolveDir: inProject('src/util/process'),
      },
      bundle: true,
      platform: 'node',
      outfile: bundle,
      logLevel: 'silent',
    });
    const host = spawn(process.execPath, [bundle], { stdio: 'ignore' });
    await new Promise((resolve) => host.on('close', resolve));
    await until(() => !isRunning(pidIn(name)));
  });

  linuxOnly('T-31: no process is hit that has got the number of one that is gone', async () => {
    const table = new ProcFolder();
    const stranger = startStranger();
    const { child } = start('');
    await until(() => child.exitCode !== null);
    let looks = 0;
    // When the tree is read, the stranger's process id belongs to a process that started earlier.
    const reused: ProcessTable = {
      findsNow: true,
      list: () => table.list(),
      listNow: () => table.listNow(),
      find: (pid) => {
        const row = table.find(pid);
        return row && pid === stranger && looks++ === 0 ? { ...row, start: row.start - 1 } : row;
      },
      hasInEnvironment: () => false,
    };
    const tree = new ProcessTree({ child, pid: stranger, mark: 'x', graceMs: 50, table: reused });
    await tree.terminate();
    tree.kill();
    assert.ok(isRunning(stranger));
  });

  linuxOnly('what a profile of a login shell starts as a daemon goes on', async () => {
    const [name, shell, program] = [file(), file(), file()];
    fs.writeFileSync(program, daemon);
    const profile = `"${process.execPath}" -e "$(cat '${program}')" '${name}'`;
    fs.writeFileSync(shell, `#!/bin/sh\n${profile}\neval "$2"\n`, { mode: 0o755 });
    assert.ok(await readFromShell(shell));
    const pid = await pidWritten(name);
    const { tree } = start(daemon, file());
    await tree.terminate();
    assert.ok(isRunning(pid));
    process.kill(pid, 'SIGKILL');
  });

  it('ps tells of parents and groups, not of those that have ended', async () => {
    const { child } = start(stays);
    const table = new PsCommand();
    const listed = (await table.list()).find(({ pid }) => pid === child.pid);
    assert.deepEqual([listed?.parent, listed?.group], [process.pid, child.pid]);
    assert.deepEqual(table.find(child.pid ?? 0), listed);
    assert.equal(table.listNow().find(({ pid }) => pid === child.pid)?.start, listed?.start);
  });

  it('T-31: by ps, what has left its group is found by its parent', async () => {
    const name = file();
    const { child } = start(starts(stubborn, stays), name);
    const pid = await pidWritten(name);
    const table = new PsCommand();
    const tree = new ProcessTree({ child, pid: child.pid ?? 0, graceMs: 200, table });
    trees.push(tree);
    await tree.terminate();
    assert.ok(!isRunning(pid));
  });
});

describe('a process on Windows with all that it has started', () => {
  function treeOf(exitCode: number | null): { tree: ProcessTree; ran: string[] } {
    const ran: string[] = [];
    const child: { exitCode: number | null; signalCode: null } = { exitCode, signalCode: null };
    const note = (how: string) => (command: string, args: readonly string[]) => {
      ran.push([how, command.replace(/^.*\\/, ''), ...args].join(' '));
      if (ran.length === 2) {
        child.exitCode = 1;
      }
    };
    const tree = new ProcessTree({
      child,
      pid: 4242,
      graceMs: 1,
      platform: 'win32',
      run: { beside: note('beside'), waiting: note('waiting') },
    });
    return { tree, ran };
  }

  it('T-31: is ended by its id until it has ended, and no signal is sent', async () => {
    const { tree, ran } = treeOf(null);
    await tree.terminate();
    tree.dispose();
    const once = 'beside taskkill.exe /pid 4242 /T /F';
    assert.deepEqual(ran, [once, once]);
  });

  it('T-31: is ended at once when this process exits', () => {
    const { tree, ran } = treeOf(null);
    tree.kill();
    tree.dispose();
    assert.deepEqual(ran, ['waiting taskkill.exe /pid 4242 /T /F']);
  });

  it('T-31: is left alone once it has ended: its id may be that of another by then', async () => {
    const { tree, ran } = treeOf(0);
    await tree.terminate();
    tree.kill();
    assert.deepEqual(ran, []);
  });
});
