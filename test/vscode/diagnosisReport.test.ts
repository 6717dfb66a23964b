import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ExtensionBench, waitFor } from './harness/support';

describe('the diagnosis of an agent in VS Code', () => {
  let bench: ExtensionBench;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
  });
  afterEach(() => bench.dispose());

  it('says in a read-only document what is wrong, with what can be done about it', async () => {
    const env = { GULL: 'hush-hush' };
    await bench.setAgents({ gull: { title: 'Gull', command: 'no-such-agent-anywhere', env } });
    await vscode.commands.executeCommand('acpSessions.agent.diagnose');
    const document = await waitFor(() => {
      const active = vscode.window.activeTextEditor?.document;
      return active?.uri.path.endsWith('/Gull.diagnosis.md') === true && active;
    }, 'the report');
    assert.equal(document.languageId, 'markdown');
    assert.equal(vscode.workspace.fs.isWritableFileSystem(document.uri.scheme), undefined);
    const text = document.getText();
    assert.match(text, /### Error: The command was not found/);
    assert.match(text, /`GULL`/);
    assert.doesNotMatch(text, /hush-hush/);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
    );
    const titles = lenses.map(({ command }) => command?.title);
    assert.deepEqual(titles, ['Copy Report', 'Diagnose Again', 'Record Trace…', 'Edit Agents']);
    const [line] = lenses.flatMap(({ range, command }) =>
      command?.title === 'Edit Agents' ? [document.lineAt(range.start.line).text] : [],
    );
    assert.equal(line, '### Error: The command was not found');
  });
});
