import * as vscode from 'vscode';
import type { Event } from '../../util/emitter';
import { settingsSection } from '../ids';

/**
 * The value of a setting, from the levels that count, for a folder of the window if one is given; the manifest has its
 * default, and the caller checks it.
 */
export function readSetting(key: string, folder?: vscode.Uri): unknown {
  return vscode.workspace.getConfiguration(settingsSection, folder).get<unknown>(key);
}

/** The text of a setting, without spaces around it; empty if it has none. */
export function readText(key: string, folder?: vscode.Uri): string {
  const value = readSetting(key, folder);
  return typeof value === 'string' ? value.trim() : '';
}

/** Fires after a change of a setting on any level. */
export function onDidChangeSetting(key: string): Event<void> {
  return (listener) =>
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`${settingsSection}.${key}`)) {
        listener();
      }
    });
}
