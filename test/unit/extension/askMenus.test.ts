import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { ExtensionBench, fakeEntry, waitFor } from '../../vscode/harness/support';

describe('asking an agent from a menu', () => {
  let bench: ExtensionBench;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    await bench.setAgents({ fake: fakeEntry('Fake', {}) });
  });
  afterEach(() => bench.dispose());

  /** The draft of the page of a new session, with the texts that are attached, or the files' names. */
  async function composed(command: 'ask' | 'explain', ...args: readonly unknown[]) {
    await vscode.commands.executeCommand(`acpSessions.context.${command}`, ...args);
    const page = await waitFor(() => bench.api.panels.active?.session, 'the page of a new session');
    const { agent, info } = page;
    const { text, attachments } = bench.api.work.getDraft(agent.id, info.sessionId).draft;
    return [text, ...attachments.map((each) => ('text' in each ? each.text : each.name))];
  }

  it('of the Explorer attaches what is selected there', async () => {
    const files = ['a.ts', 'b.ts'].map((name) => bench.file(name));
    await Promise.all(files.map((file) => writeFile(file, '')));
    const uris = files.map((file) => vscode.Uri.file(file));
    assert.deepEqual(await composed('ask', uris[0], uris), ['About these files: ', 'a.ts', 'b.ts']);
  });

  describe('of Source Control', () => {
    const state = (name: string) => ({ resourceUri: vscode.Uri.file(bench.file(name)) });
    beforeEach(async () => {
      const git = (...args: readonly string[]): void => {
        const identity = ['-c', 'user.name=T', '-c', 'user.email=t@example.com'];
        execFileSync('git', [...identity, ...args], { cwd: bench.folder, stdio: 'ignore' });
      };
      git('init', '-q');
      await mkdir(bench.file('gone'));
      for (const name of ['a.txt', 'b.txt', 'gone/c.txt']) {
        await writeFile(bench.file(name), 'one\n');
      }
      git('add', '.');
      git('commit', '-qm', 'first');
      await writeFile(bench.file('a.txt'), 'staged\n');
      git('add', '.');
      await writeFile(bench.file('b.txt'), 'two\n');
      await rm(bench.file('gone'), { recursive: true });
    });

    it('attaches the changes of a file, and no others', async () => {
      const [text, patch = ''] = await composed('explain', state('b.txt'));
      assert.equal(text, 'Explain the changes of b.txt.');
      assert.match(patch, /-one\n\+two$/);
      assert.doesNotMatch(patch, /a\.txt|c\.txt/);
    });

    it('attaches new files themselves, and the removal of those whose folder is gone', async () => {
      await writeFile(bench.file('new *.txt'), 'three\n');
      await writeFile(bench.file('new x.txt'), 'other\n');
      const chosen = [state('gone/c.txt'), state('new *.txt')];
      const [text, patch = '', ...files] = await composed('ask', ...chosen);
      assert.equal(text, 'About these changes: ');
      assert.match(patch, /deleted file/);
      assert.deepEqual(files, ['new *.txt']);
    });

    it('attaches what is staged for that group', async () => {
      const group = { id: 'index', label: 'Staged', resourceStates: [state('a.txt')] };
      const [, patch = ''] = await composed('ask', group);
      assert.match(patch, /-one\n\+staged$/);
    });
  });

  it('of a failed test attaches its message', async () => {
    const suite = { id: 's', label: 'cart', parent: undefined };
    const uri = vscode.Uri.file('/project/cart.test.ts');
    const test = {
      id: 't',
      label: 'adds up',
      parent: suite,
      uri,
      range: new vscode.Range(4, 0, 9, 0),
    };
    const message = {
      message: '\u001b[31mNot equal\u001b[0m',
      expectedOutput: '3',
      actualOutput: '4',
    };
    const [text, attached] = await composed('explain', { test, message });
    assert.equal(text, 'Explain why the test “adds up” fails.');
    assert.equal(
      attached,
      [
        ...['Failed test: cart › adds up', `(${path.sep}project/cart.test.ts:5)`, '', 'Not equal'],
        ...['', 'Expected:', '3', '', 'Actual:', '4'],
      ].join('\n'),
    );
  });

  it('bounds what a failed test says', async () => {
    const circle: { label: string; parent?: unknown } = { label: 'n'.repeat(5000) };
    circle.parent = circle;
    const message = { message: { value: 'm'.repeat(100_000) }, actualOutput: 'x'.repeat(100_000) };
    const [, attached = ''] = await composed('ask', { test: circle, message });
    assert.ok(attached.length < 60_000, String(attached.length));
  });
});
