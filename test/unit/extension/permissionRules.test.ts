import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { addRule, VsCodePermissionRules } from '../../../src/platform/settings/permissionRules';
import { replaceMember } from '../../vscode/harness/dialogs';

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

  it('PE-5, SEC-10: what rules that can’t be checked might reject is rejected', async () => {
    const configuration = () => ({
      inspect: () => ({
        globalValue: [
          { command: ['rm'], decision: 'reject', agent: 'careful' },
          { command: ['git'], decision: 'allow' },
        ],
      }),
    });
    restore = [replaceMember(vscode.workspace, 'getConfiguration', configuration)];
    const ignore = (): void => undefined;
    const log = { error: ignore, info: ignore, debug: ignore, trace: ignore, warn: ignore };
    const rules = new VsCodePermissionRules(log);
    const request = { sessionId: 's', command: 'ls', args: [], env: {}, cwd: '/w' } as never;
    const asked = { type: 'command', request, folder: '/w' } as const;
    const place = {
      cwd: '/w',
      reach: {
        getPlace: () => Promise.reject(new Error('none')),
        has: () => Promise.resolve(true),
      },
      inward: (file: string) => file,
      hasVariables: (): boolean => {
        throw new Error('none');
      },
    };
    assert.equal(await rules.decide('careful', 'execute', asked, place), 'reject');
    assert.equal(await rules.decide('other', 'execute', asked, place), undefined);
    rules.dispose();
  });

  it('PE-5, SEC-20: an untrusted workspace is offered no rule, and none is added', async () => {
    const trusted = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted');
    assert.ok(trusted);
    let isTrusted = true;
    Object.defineProperty(vscode.workspace, 'isTrusted', {
      configurable: true,
      get: () => isTrusted,
    });
    let updates = 0;
    const configuration = () => ({
      inspect: () => ({}),
      update: () => Promise.resolve(updates++),
    });
    restore = [
      () => Object.defineProperty(vscode.workspace, 'isTrusted', trusted),
      replaceMember(vscode.workspace, 'getConfiguration', configuration),
    ];
    const ignore = (): void => undefined;
    const rules = new VsCodePermissionRules({
      ...{ error: ignore, info: ignore, debug: ignore, trace: ignore, warn: ignore },
    });
    const request = { toolCallId: 'c', rawInput: { command: 'git status' } };
    const call = {
      ...({ kind: 'toolCall', title: '', toolKind: 'execute', status: 'pending' } as const),
      ...{ content: [], locations: [], ...request },
    };
    const place = {
      cwd: '/w',
      reach: {
        getPlace: () => Promise.reject(new Error('none')),
        has: () => Promise.resolve(true),
      },
      inward: (file: string) => file,
      hasVariables: () => true,
    };
    const offer = () => rules.offer('a', 'execute', { type: 'call', call, request }, place);
    const rule = { command: ['git', 'status'] };
    assert.deepEqual(await offer(), rule);
    isTrusted = false;
    assert.equal(await offer(), undefined);
    assert.equal(await addRule('a', rule), false);
    assert.equal(updates, 0);
    rules.dispose();
  });
});

function replaceFolders(folders: readonly vscode.WorkspaceFolder[]): () => void {
  const before = Object.getOwnPropertyDescriptor(vscode.workspace, 'workspaceFolders');
  assert.ok(before);
  Object.defineProperty(vscode.workspace, 'workspaceFolders', { ...before, get: () => folders });
  return () => Object.defineProperty(vscode.workspace, 'workspaceFolders', before);
}
