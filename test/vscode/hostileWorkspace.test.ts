import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import * as vscode from 'vscode';
import { FileSearch } from '../../src/views/transcript/composer/fileSearch';
import { type HostileWorkspace, makeHostile } from '../soak/hostileWorkspace';
import { ExtensionBench, fakeEntry, listed, waitFor, workspaceFolder } from './harness/support';

const posixOnly = process.platform === 'win32' ? describe.skip : describe;

posixOnly('a workspace that was made to do harm', function () {
  this.timeout(120_000);
  let bench: ExtensionBench;
  let hostile: HostileWorkspace;

  before(async () => {
    hostile = await makeHostile(workspaceFolder(), 1000);
    bench = await ExtensionBench.create();
    await bench.setAgents({
      fake: fakeEntry('Fake', { sessions: [listed('s1', 'One')] }),
    });
  });
  after(async () => {
    await bench.dispose();
    await hostile.dispose();
  });

  it('SEC-129: shows its sessions', async () => {
    await bench.session('One');
  });

  it('finds files to mention', async () => {
    const search = new FileSearch();
    try {
      const found = await answered(search.search('ordinary'), 'files');
      assert.ok(found.some(({ name }) => name === 'ordinary.txt'));
    } finally {
      search.dispose();
    }
  });

  it('opens its prompts and completes in them', async () => {
    const file = path.join(hostile.folder, '.acp', 'prompts', 'front.prompt.acp');
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
    await vscode.window.showTextDocument(document);
    const completions = await answered(
      vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        document.positionAt(document.getText().lastIndexOf('@pipe') + 2),
      ),
      'completions',
    );
    assert.ok(completions.items.length >= 0);
  });

  it('makes a new session in it', async () => {
    const agent = bench.api.agents.all.find(({ id }) => id === 'fake');
    const folder = { name: 'hostile', path: hostile.folder };
    assert.ok(agent);
    const session = await answered(bench.api.sessions.create(agent, folder), 'the new session');
    assert.equal(session.phase.kind, 'ready');
    await session.close();
  });

  async function answered<T>(promise: PromiseLike<T>, what: string): Promise<T> {
    const answer: { value?: T } = {};
    const settled = Promise.resolve(promise).then((value) => {
      answer.value = value;
    });
    await Promise.race([settled, waitFor(() => 'value' in answer, what)]);
    return answer.value as T;
  }
});
