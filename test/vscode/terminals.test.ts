import assert from 'node:assert/strict';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Terminal } from '../../src/model/ports';
import { runLoginTerminal } from '../../src/platform/loginTerminal';
import { ExtensionBench, waitFor } from './harness/support';

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
    let terminal: Terminal;
    beforeEach(async () => {
      terminal = await bench.api.terminals.create({
        command: process.execPath,
        args: ['-e', 'console.log("ready"); setInterval(() => {}, 1000)'],
        // Makes the editor's own executable run as plain Node.
        env: { ELECTRON_RUN_AS_NODE: '1' },
        cwd: bench.folder,
      });
    });
    afterEach(() => terminal.kill());

    it('TE-9: opens once as a VS Code terminal, under its name', async () => {
      bench.api.terminalViews.open(terminal, 'npm\u202e run\nbuild');
      const view = await waitFor(() => vscode.window.terminals[0], 'the terminal');
      assert.equal(view.name, 'npm run build');
      bench.api.terminalViews.open(terminal, 'npm run build');
      assert.equal(vscode.window.terminals.length, 1);
    });

    it('TE-9: runs on when its terminal is closed, and can be opened again', async () => {
      bench.api.terminalViews.open(terminal, 'first');
      const view = await waitFor(() => vscode.window.terminals[0], 'the terminal');
      view.dispose();
      await waitFor(() => vscode.window.terminals.length === 0, 'it to close');
      assert.equal(terminal.output.exitStatus, undefined);
      bench.api.terminalViews.open(terminal, 'second');
      await waitFor(() => vscode.window.terminals[0]?.name === 'second', 'the other terminal');
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
