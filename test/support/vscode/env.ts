import type * as vscode from 'vscode';
import { UIKind } from './enums';

let clipboard = '';

/** The environment of VS Code for the browser, in which the other tests run. */
export const env = {
  appName: 'Visual Studio Code',
  language: 'en',
  uriScheme: 'vscode',
  uiKind: UIKind.Web as vscode.UIKind,
  remoteName: undefined,
  shell: process.env['SHELL'] ?? '/bin/sh',
  clipboard: {
    readText: () => Promise.resolve(clipboard),
    writeText: (text: string) => {
      clipboard = text;
      return Promise.resolve();
    },
  },
  openExternal: () => Promise.resolve(true),
} satisfies Partial<typeof vscode.env>;

export const l10n = { bundle: undefined, uri: undefined } satisfies Partial<typeof vscode.l10n>;

export const version = '1.139.1';
