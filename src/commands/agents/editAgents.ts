import * as vscode from 'vscode';
import { settingKeys, settingsSection } from '../../platform/ids';

/**
 * "Edit Agents": opens the setting in its file, which has completion and validation. In a remote window,
 * agents run on the remote machine, whose settings have their own file.
 */
export async function editAgents(): Promise<void> {
  const command =
    vscode.env.remoteName === undefined
      ? 'workbench.action.openSettingsJson'
      : 'workbench.action.openRemoteSettingsFile';
  const key = `${settingsSection}.${settingKeys.agents}`;
  await vscode.commands.executeCommand(command, { revealSetting: { key, edit: true } });
}
