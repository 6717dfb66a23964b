import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { chosenShells } from '../../../../src/platform/terminals/chosenShells';

describe('terminals of VS Code', () => {
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

    it('TE-2, SEC-17: is never one that the workspace names', async () => {
      const settings = vscode.workspace.getConfiguration();
      const keys = [key, `terminal.integrated.defaultProfile.${system}`] as const;
      const own = [{ path: '/project/bash' }, 'bash'] as const;
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
});
