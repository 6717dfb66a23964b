import assert from 'node:assert/strict';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Terminal } from '../../src/model/ports';
import { runLoginTerminal } from '../../src/platform/loginTerminal';
import { chosenShells } from '../../src/platform/terminals/chosenShells';
import { ChildTerminals } from '../../src/platform/terminals/terminals';
import { mirrorOf, TerminalViews } from '../../src/platform/terminals/terminalViews';
import { ExtensionBench, waitFor } from './harness/support';

/** Makes the editor's own executable run as plain Node. */
const asNode = { ELECTRON_RUN_AS_NODE: '1' };

describe('terminals of VS Code', () => {
  let bench: ExtensionBench;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
  });
  afterEach(async () => {
    for (const terminal of vscode.window.terminals) {
      terminal.dispose();
    }
    await waitFor(() => vscode.window.terminals.length === 0, 'the terminals to close');
    await bench.dispose();
  });

  describe('an agent’s command', () => {
    let views: TerminalViews;
    let terminal: Terminal;
    beforeEach(async () => {
      views = new TerminalViews();
      terminal = await new ChildTerminals({ workspace: { trusted: true } }).create({
        command: process.execPath,
        args: ['-e', 'console.log("ready"); setInterval(() => {}, 1000)'],
        env: asNode,
        cwd: bench.folder,
      });
    });
    afterEach(async () => {
      views.dispose();
      await terminal.kill();
    });

    it('TE-9: opens once as a VS Code terminal, under its name', async () => {
      views.open(terminal, 'npm\u202e run\nbuild');
      const view = await waitFor(() => vscode.window.terminals[0], 'the terminal');
      assert.equal(view.name, 'npm run build');
      views.open(terminal, 'npm run build');
      assert.equal(vscode.window.terminals.length, 1);
    });

    it('TE-9: runs on when its terminal is closed, and can be opened again', async () => {
      views.open(terminal, 'first');
      const view = await waitFor(() => vscode.window.terminals[0], 'the terminal');
      view.dispose();
      await waitFor(() => vscode.window.terminals.length === 0, 'it to close');
      assert.equal(terminal.output.exitStatus, undefined);
      views.open(terminal, 'second');
      await waitFor(() => vscode.window.terminals[0]?.name === 'second', 'the other terminal');
    });
  });

  describe('the shell for command lines', () => {
    const systems: Partial<Record<NodeJS.Platform, string>> = { win32: 'windows', darwin: 'osx' };
    const system = systems[process.platform] ?? 'linux';
    const key = `terminal.integrated.automationProfile.${system}`;

    it('TE-2: is that of the user’s profile for automation, otherwise that of terminals', async () => {
      const settings = vscode.workspace.getConfiguration();
      assert.deepEqual(chosenShells(), [vscode.env.shell]);
      await settings.update(key, { path: '/opt/own/zsh' }, vscode.ConfigurationTarget.Global);
      try {
        assert.deepEqual(chosenShells(), ['/opt/own/zsh', vscode.env.shell]);
      } finally {
        await settings.update(key, undefined, vscode.ConfigurationTarget.Global);
      }
    });

    it('TE-2: is never one that the workspace names', async () => {
      const settings = vscode.workspace.getConfiguration();
      const keys = [key, `terminal.integrated.defaultProfile.${system}`] as const;
      const own = [{ path: bench.file('bash') }, 'bash'] as const;
      for (const [at, name] of keys.entries()) {
        await settings.update(name, own[at], vscode.ConfigurationTarget.Workspace);
      }
      try {
        assert.deepEqual(chosenShells(), []);
      } finally {
        for (const name of keys) {
          await settings.update(name, undefined, vscode.ConfigurationTarget.Workspace);
        }
      }
    });
  });

  describe('the terminal of a command', () => {
    function startOf(program: string, outputByteLimit?: number): Promise<Terminal> {
      return new ChildTerminals({ workspace: { trusted: true } }).create({
        command: process.execPath,
        args: ['-e', program],
        env: asNode,
        cwd: bench.folder,
        ...(outputByteLimit !== undefined && { outputByteLimit }),
      });
    }

    function shownOf(terminal: Terminal): () => string {
      let shown = '';
      const mirror = mirrorOf(terminal);
      mirror.onDidWrite((text) => (shown += text));
      mirror.open(undefined);
      return () => shown;
    }

    it('TE-9: is all that it has written and goes on to write, in color, and how it ended', async () => {
      const program = `process.once('SIGTERM', () => { console.log('two'); process.exit(3) });
        console.log('\\u001b[31mone\\u001b[0m'); setInterval(() => {}, 1000)`;
      const terminal = await startOf(program);
      await waitFor(() => terminal.output.output.includes('one'), 'the first line');
      const shown = shownOf(terminal);
      assert.equal(shown(), '\u001b[31mone\u001b[0m\r\n');
      await terminal.kill();
      assert.match(shown(), /one.*\r\ntwo\r\n.*Ended with exit code 3/s);
      assert.match(shownOf(terminal)(), /one.*two.*Ended with exit code 3/s);
    });

    it('TE-9: says that the beginning is not there any more', async () => {
      const terminal = await startOf('console.log("123456789")', 5);
      await terminal.exited;
      assert.match(shownOf(terminal)(), /earlier output was discarded.*\r\n6789\r\n/s);
    });
  });

  describe('a login', () => {
    /** A program that records how it was started, and then exits as told. */
    async function program(): Promise<string> {
      const file = bench.file('login');
      const script = `#!/bin/sh
        printf '%s|' "$@" "$LOGIN_KIND" "$(pwd)" > "${bench.file('seen')}"
        env > "${bench.file('environment')}"
        echo Success
        case $1 in wait) sleep 600;; kill) kill -9 $$;; *) exit $1;; esac`;
      await writeFile(file, script);
      await chmod(file, 0o755);
      return file;
    }

    async function logIn(...args: string[]): Promise<number | undefined> {
      return runLoginTerminal(await program(), args, { LOGIN_KIND: 'device' }, bench.folder);
    }

    it('AUTH-5: runs exactly the program in a terminal and tells how it ended', async () => {
      assert.equal(await logIn('0', 'a b', '$HOME', '; echo x'), 0);
      const seen = await readFile(bench.file('seen'), 'utf8');
      assert.equal(seen, `0|a b|$HOME|; echo x|device|${bench.folder}|`);
    });

    it('AUTH-5: the program gets none of the editor’s own variables', async () => {
      await logIn('0');
      const environment = await readFile(bench.file('environment'), 'utf8');
      const names = environment.split('\n').map((line) => line.replace(/=.*/, ''));
      assert.ok(names.includes('LOGIN_KIND'));
      assert.deepEqual(
        names.filter((name) => /^(VSCODE|ELECTRON)_/.test(name) && name !== 'VSCODE_IPC_HOOK_CLI'),
        [],
      );
    });

    it('AUTH-5, AUTH-7: fails with any other exit code, whatever it prints', async () => {
      assert.equal(await logIn('1'), 1);
    });

    it('AUTH-5: a program that a signal ends has not logged in', async () => {
      assert.equal(await logIn('kill'), 128 + 9);
    });

    it('AUTH-5: closing the terminal cancels it', async () => {
      const ended = logIn('wait');
      const terminal = await waitFor(() => vscode.window.terminals[0], 'the terminal');
      await waitFor(
        () => readFile(bench.file('seen'), 'utf8').catch(() => undefined),
        'the program to run',
      );
      terminal.dispose();
      assert.equal(await ended, undefined);
    });

    it('AUTH-5: giving up closes the terminal', async () => {
      const controller = new AbortController();
      const ended = runLoginTerminal(
        await program(),
        ['wait'],
        {},
        bench.folder,
        controller.signal,
      );
      await waitFor(() => vscode.window.terminals[0], 'the terminal');
      controller.abort();
      assert.equal(await ended, undefined);
    });

    it('AUTH-5: a program that is not there has not logged in', async () => {
      const ended = runLoginTerminal(bench.file('no-such-program'), [], {}, bench.folder);
      assert.notEqual(await ended, 0);
    });
  });
});
