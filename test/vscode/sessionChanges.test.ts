import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { update } from '../fakeAgent/scenario';
import { ExtensionBench, fakeEntry, listed, waitFor, workspaceFolder } from './harness/support';

describe('files of a session', () => {
  let bench: ExtensionBench;
  const place = path.join(workspaceFolder(), 'changed');
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    await mkdir(place);
  });
  afterEach(async () => {
    await bench.dispose();
    await rm(place, { recursive: true });
  });

  describe('changes', () => {
    it('really open in VS Code', async () => {
      const edits = [
        { type: 'diff', path: path.join(place, 'a.txt'), oldText: 'old\n', newText: 'new\n' },
        { type: 'diff', path: path.join(place, 'b.txt'), oldText: null, newText: 'new\n' },
      ];
      const updates = edits.map((edit, at) =>
        update.toolCall(`c${at}`, 'Edit', { kind: 'edit', status: 'completed', content: [edit] }),
      );
      for (const edit of edits) {
        await writeFile(edit.path, edit.newText);
      }
      const sessions = [listed('s', 'Title')];
      await bench.setAgents({
        gull: fakeEntry('Gull', { sessions, replays: { s: [{ updates }] } }),
      });
      const node = await bench.session('Title');
      await vscode.commands.executeCommand('acpSessions.session.open', node);
      await waitFor(
        () => bench.api.sessions.find('gull', 's')?.changes.files.length === 2,
        'the changes',
      );
      await vscode.commands.executeCommand('acpSessions.session.openChanges', node);
      const { label } = await waitFor(() => {
        const { activeTab } = vscode.window.tabGroups.activeTabGroup;
        return activeTab?.label.startsWith('Changes: Title') && activeTab;
      }, 'the editor');
      assert.equal(label, 'Changes: Title (2 files)');
    });
  });
});
