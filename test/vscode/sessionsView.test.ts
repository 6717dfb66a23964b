import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ExtensionBench, extension, fakeEntry, listed, waitFor } from './harness/support';

describe('sessions view', () => {
  let bench: ExtensionBench;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
  });
  afterEach(() => bench.dispose());

  it('is drawn by VS Code, which then starts the agent', async () => {
    await bench.setAgents({ a: fakeEntry('A', { sessions: [listed('s1', 'One')] }) });
    await vscode.commands.executeCommand('acpSessions.sessions.focus');
    await waitFor(() => bench.api.agents.get('a')?.state.kind === 'ready', 'the agent');
    await vscode.commands.executeCommand('workbench.view.explorer');
    assert.ok(extension().isActive);
  });
});
