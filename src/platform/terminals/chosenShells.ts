import process from 'node:process';
import * as vscode from 'vscode';
import { asString, isObject } from '../../util/json';

/**
 * The shells that the user has chosen in VS Code, in the order in which its tasks take them: the profile for automation,
 * then that of terminals. What a workspace says doesn't count: an agent could have written its settings.
 */
export function chosenShells(): readonly string[] {
  const system = systems[process.platform] ?? 'linux';
  const settings = vscode.workspace.getConfiguration('terminal.integrated');
  const automation = settings.inspect<unknown>(`automationProfile.${system}`)?.globalValue;
  const shell = isObject(automation) ? asString(automation['path']) : undefined;
  const isOfWorkspace = [`defaultProfile.${system}`, `profiles.${system}`].some((key) => {
    const levels = settings.inspect<unknown>(key);
    return levels?.workspaceValue !== undefined || levels?.workspaceFolderValue !== undefined;
  });
  // VS Code has looked up the profile's program; that of the system if no profile is chosen.
  return [shell, isOfWorkspace ? undefined : vscode.env.shell].filter((path) => path !== undefined);
}

/** How the settings call the systems. */
const systems: Partial<Readonly<Record<NodeJS.Platform, string>>> = {
  win32: 'windows',
  darwin: 'osx',
};
