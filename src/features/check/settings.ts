import type * as vscode from 'vscode';
import { readSetting, readText } from '../../platform/settings/setting';

export const checkSettingKeys = {
  checkCommand: 'check.command',
  checkAfterTurn: 'check.afterTurn',
  checkTimeLimit: 'check.timeLimit',
} as const;

const minute = 60_000;
/** Minutes; a number beyond is taken as the nearest. */
const timeLimits = { least: 1, most: 180, usual: 10 };

/** The command line that checks the sessions of a folder of the window; empty: there is none. */
export const checkCommand = (folder: vscode.Uri): string =>
  readText(checkSettingKeys.checkCommand, folder);

/** Whether it runs after turns. */
export const checksAfterTurns = (folder: vscode.Uri): boolean =>
  readSetting(checkSettingKeys.checkAfterTurn, folder) === true;

/** How long it may run, in ms. */
export function checkTimeLimit(folder: vscode.Uri): number {
  const value = readSetting(checkSettingKeys.checkTimeLimit, folder);
  const minutes = typeof value === 'number' && value > 0 ? value : timeLimits.usual;
  return Math.min(Math.max(minutes, timeLimits.least), timeLimits.most) * minute;
}
