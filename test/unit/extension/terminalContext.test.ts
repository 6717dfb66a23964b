import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { shellExecutions } from '../../support/vscode/terminals';
import {
  ExtensionBench,
  fakeEntry,
  update,
  waitFor,
  workspaceFolder,
} from '../../vscode/harness/support';

describe('what ran in terminals, in prompts', () => {
  let bench: ExtensionBench;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
  });
  afterEach(async () => {
    for (const terminal of [...vscode.window.terminals]) {
      terminal.dispose();
    }
    await update('keepTerminalOutput', undefined);
    await bench.dispose();
  });
  const session = {
    ...{ agentId: 'a', sessionId: 's' },
    get cwd() {
      return workspaceFolder();
    },
    has: () => Promise.resolve(true),
  };

  function open(name: string): vscode.Terminal {
    const shell = { shellPath: process.execPath, shellArgs: ['-e', 'setInterval(() => {}, 1000)'] };
    return vscode.window.createTerminal({ name, ...shell });
  }

  /** A command whose output arrives in these pieces. */
  async function run(terminal: vscode.Terminal, line: string, ...output: string[]): Promise<void> {
    let isRead = false;
    const execution: vscode.TerminalShellExecution = {
      commandLine: { value: line, isTrusted: true, confidence: 2 },
      cwd: vscode.Uri.file('/work'),
      async *read() {
        for (const piece of output) {
          yield await Promise.resolve(piece);
        }
        isRead = true;
      },
    };
    const shellIntegration = {} as vscode.TerminalShellIntegration;
    shellExecutions.started.fire({ terminal, execution, shellIntegration });
    await waitFor(() => isRead || !isKept(line), 'the output to be read');
    shellExecutions.ended.fire({ terminal, execution, shellIntegration, exitCode: 0 });
  }
  const isKept = (line: string): boolean => line !== 'ignored';
  const suggest = () => bench.api.promptContext.suggest('term', session);
  const read = async (about: string) =>
    (await bench.api.promptContext.read({ source: 'terminal', about }, session))[0]?.text;

  it('is the last command of the terminal that ran one last, and of each by its name', async () => {
    assert.deepEqual(await suggest(), []);
    await run(open('bash'), 'first', 'one');
    const [only, ...none] = await suggest();
    assert.deepEqual([only?.mention, only?.detail, none.length], ['@terminal', 'first', 0]);
    const other = open('bash');
    await run(other, 'second', 'two');
    await run(open('zsh'), 'third', 'three');
    await run(other, 'fourth', 'fo', 'ur\r\n');
    const found = await suggest();
    assert.deepEqual(
      found.map(({ mention, detail }) => `${mention} ${detail}`),
      [
        '@terminal fourth',
        '@terminal:bash fourth',
        '@terminal:zsh third',
        '@terminal:bash-2 first',
      ],
    );
    assert.equal(await read(''), '$ fourth\n(in /work, exit code 0)\n\nfour');
    assert.equal(await read(found[3]?.about ?? ''), '$ first\n(in /work, exit code 0)\n\none');
    other.dispose();
    assert.equal(await read(found[1]?.about ?? ''), undefined, 'a closed terminal is forgotten');
    assert.match((await read('')) ?? '', /^\$ third/);
  });

  it('SEC-230: is bounded, and nothing while the setting is off', async () => {
    for (let count = 1; count <= 20; count++) {
      await run(open(`t${count}`), `command ${count}`, 'x');
    }
    assert.equal((await suggest()).length, 1 + 10);
    const terminal = open('much');
    await run(terminal, 'much', ...Array.from({ length: 128 }, () => `${'y'.repeat(1023)}\n`));
    const text = (await read('')) ?? '';
    assert.ok(text.length < 66_000, String(text.length));
    assert.match(text, /only the end of the output/);
    await update('keepTerminalOutput', false);
    await waitFor(async () => (await suggest()).length === 0, 'what was kept to be forgotten');
    await run(terminal, 'ignored', 'z');
    assert.deepEqual(await suggest(), []);
  });

  async function composed() {
    const page = await waitFor(() => bench.api.panels.active?.session, 'the page of a new session');
    return bench.api.work.getDraft(page.agent.id, page.info.sessionId).draft;
  }

  it('goes into a composer from the menu of its terminal', async () => {
    await bench.setAgents({ fake: fakeEntry('Fake', {}) });
    const terminal = open('bash');
    await run(terminal, 'npm test', '\u001b[31m1 failing\u001b[0m');
    await vscode.commands.executeCommand('acpSessions.context.ask', terminal);
    const { text, attachments } = await composed();
    assert.equal(text, 'About `npm test`: ');
    assert.deepEqual(
      attachments.map((each) => each.type === 'text' && each.text),
      ['$ npm test\n(in /work, exit code 0)\n\n1 failing'],
    );
  });

  it('goes into a composer as it is selected, and the clipboard stays as it was', async () => {
    await bench.setAgents({ fake: fakeEntry('Fake', {}) });
    await vscode.env.clipboard.writeText('mine');
    const copy = vscode.commands.registerCommand('workbench.action.terminal.copySelection', () =>
      vscode.env.clipboard.writeText('error: API_KEY=abcdef0123456789abcdef\n'),
    );
    await vscode.commands.executeCommand('acpSessions.context.explainTerminal');
    copy.dispose();
    assert.equal(await vscode.env.clipboard.readText(), 'mine');
    const { text, attachments } = await composed();
    assert.equal(text, 'Explain this output.');
    assert.match(JSON.stringify(attachments), /error: API_KEY=/);
    assert.doesNotMatch(JSON.stringify(attachments), /abcdef0123/);
  });
});
