import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { VsCodePermissionRules } from '../../src/platform/settings/permissionRules';
import { replaceMember } from './harness/dialogs';

describe('rules for permissions in a window with several folders', () => {
  let restore: (() => void)[] = [];
  afterEach(() => {
    restore.forEach((one) => one());
    restore = [];
  });

  it('PE-5: what any folder rejects is rejected, and no folder allows anything', () => {
    const folders = ['/one', '/two'].map((path, index) => ({
      uri: vscode.Uri.file(path),
      name: path,
      index,
    }));
    const values: Record<string, unknown> = {
      '/one': [{ kind: 'read', decision: 'allow' }],
      '/two': [{ kind: 'execute', decision: 'reject' }],
    };
    // A folder's values are visible only to those who ask about it, as in VS Code.
    const configuration = (_: string, folder?: vscode.Uri) => ({
      inspect: () => ({
        globalValue: [{ kind: 'execute', decision: 'allow' }],
        workspaceFolderValue: folder && values[folder.path],
      }),
    });
    restore = [
      replaceFolders(folders),
      replaceMember(vscode.workspace, 'getConfiguration', configuration),
    ];
    const warnings: string[] = [];
    const ignore = (): void => undefined;
    const rules = new VsCodePermissionRules({
      ...{ error: ignore, info: ignore, debug: ignore, trace: ignore },
      warn: (text) => void warnings.push(text),
    });
    assert.equal(rules.decide('any', 'execute'), 'reject');
    assert.equal(rules.decide('any', 'read'), undefined);
    assert.equal(warnings.length, 1);
    rules.dispose();
  });
});

function replaceFolders(folders: readonly vscode.WorkspaceFolder[]): () => void {
  const before = Object.getOwnPropertyDescriptor(vscode.workspace, 'workspaceFolders');
  assert.ok(before);
  Object.defineProperty(vscode.workspace, 'workspaceFolders', { ...before, get: () => folders });
  return () => Object.defineProperty(vscode.workspace, 'workspaceFolders', before);
}
