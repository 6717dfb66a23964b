import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('VS Code', () => {
  it('is at least the version that the manifest promises', () => {
    const [major = 0, minor = 0] = vscode.version.split('.').map(Number);
    assert.ok(major > 1 || minor >= 106, `these tests ran in VS Code ${vscode.version}`);
  });

  it('has the sample project open', () => {
    assert.equal(vscode.workspace.workspaceFolders?.[0]?.name, 'fernway');
  });
});
