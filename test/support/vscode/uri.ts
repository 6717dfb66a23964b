import type * as vscode from 'vscode';
import { URI, Utils } from 'vscode-uri';

/** VS Code's own implementation, with what its API has beside it. */
export const Uri: Pick<typeof vscode.Uri, 'file' | 'from' | 'joinPath' | 'parse' | 'prototype'> =
  Object.assign(URI, {
    joinPath: (base: vscode.Uri, ...parts: string[]) => Utils.joinPath(URI.from(base), ...parts),
  });
