import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { plainMessage, showWarningMessage } from '../../../src/platform/ui/messages';

describe('messages', () => {
  it('SEC-58: have no link that a text of an agent could make', async () => {
    const shown: string[] = [];
    const original = vscode.window.showWarningMessage;
    vscode.window.showWarningMessage = (message: string) => {
      shown.push(message);
      return Promise.resolve('Yes');
    };
    try {
      const title = '[Open it](command:workbench.action.terminal.new)';
      assert.equal(await showWarningMessage(`“${title}” failed.`, { modal: true }, 'Yes'), 'Yes');
    } finally {
      vscode.window.showWarningMessage = original;
    }
    // The expression by which VS Code finds links in its messages.
    const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)/i;
    assert.equal(shown.length, 1);
    assert.doesNotMatch(shown[0] ?? '', link);
    assert.equal(plainMessage('a (b) [c]'), 'a (b) [c]');
  });
});
