import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { ExtensionBench, extension, fakeEntry, waitFor } from './harness/support';

describe('the extension in VS Code', () => {
  let bench: ExtensionBench;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
  });
  afterEach(() => bench.dispose());

  it('works where the workspace is, and its agents with it', async () => {
    const { extensionKind } = extension();
    assert.equal(extensionKind, vscode.ExtensionKind.Workspace);
    await bench.setAgents({ a: fakeEntry('A', { pidFile: bench.file('pid') }) });
    bench.nodes();
    const pid = await waitFor(
      async () => Number(await readFile(bench.file('pid'), 'utf8').catch(() => '')),
      'the agent',
    );
    assert.ok(process.kill(pid, 0), 'the agent is a process beside the extension');
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert.ok(folder);
    assert.ok((await stat(folder.uri.fsPath)).isDirectory(), 'and the folder is on their disk');
  });
});
