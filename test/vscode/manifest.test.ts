import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { innerCommandIds, viewIds } from '../../src/platform/ids';
import { commandIds } from '../support/commandIds';
import { extension } from './harness/support';

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

const own: readonly string[] = Object.values(commandIds).filter(
  (id) => !innerCommandIds.includes(id),
);

describe('manifest', () => {
  before(async () => {
    await extension().activate();
  });

  it('declares exactly the commands that are registered', async () => {
    const { contributes } = extension().packageJSON as Manifest;
    const declared = contributes.commands.map(({ command }) => command);
    assert.deepEqual([...declared].sort(), [...own].sort());
    // VS Code registers some commands for each view by itself.
    const isOfView = (id: string) =>
      [viewIds.sessions, viewIds.glance].some((view) => id.startsWith(`${view}.`));
    const registered = (await vscode.commands.getCommands(true)).filter(
      (id) => id.startsWith('acpSessions.') && !isOfView(id),
    );
    const all = [...declared, ...innerCommandIds];
    const ownOfViews = all.filter(isOfView);
    assert.deepEqual([...registered, ...ownOfViews].sort(), all.sort());
  });
});
