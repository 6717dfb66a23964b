import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { ExtensionBench, fakeEntry, waitFor, workspaceFolder } from './harness/support';

describe('what VS Code knows, in prompts', () => {
  let bench: ExtensionBench;
  let found: vscode.DiagnosticCollection;
  const file = (): string => path.join(workspaceFolder(), 'wrong.ts');
  const session = {
    agentId: 'a',
    sessionId: 's',
    get cwd() {
      return workspaceFolder();
    },
    has: (candidate: string) => Promise.resolve(candidate.startsWith(workspaceFolder())),
  };

  beforeEach(async () => {
    bench = await ExtensionBench.create();
    await writeFile(file(), 'let a;\nlet b = c;\n');
    found = vscode.languages.createDiagnosticCollection('test');
    const range = new vscode.Range(1, 8, 1, 9);
    const outside = vscode.Uri.file('/elsewhere/x.ts');
    found.set(vscode.Uri.file(file()), [new vscode.Diagnostic(range, 'Cannot find name c')]);
    found.set(outside, [new vscode.Diagnostic(range, 'Private')]);
  });
  afterEach(async () => {
    found.dispose();
    await rm(file(), { force: true });
    await bench.dispose();
  });

  it('has the problems of the session’s folders only, as they are when they are read', async () => {
    const { promptContext } = bench.api;
    const [suggested] = await promptContext.suggest('problems', session);
    assert.equal(suggested?.mention, '@problems');
    assert.equal(suggested.detail, '1 error');
    const read = async () => (await promptContext.read(suggested, session))[0]?.text;
    assert.equal(await read(), 'wrong.ts:2:9 error: Cannot find name c');
    found.clear();
    assert.equal(await read(), undefined);
  });

  it('has the open files and the selection', async () => {
    const { promptContext } = bench.api;
    const document = await vscode.workspace.openTextDocument(file());
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(1, 0, 1, 3);
    const open = await promptContext.read({ source: 'open', about: '' }, session);
    assert.match(open[0]?.text ?? '', /^wrong\.ts/);
    const [selection] = await waitFor(async () => {
      const parts = await promptContext.read({ source: 'selection', about: '' }, session);
      return parts.length > 0 && parts;
    }, 'the selection');
    assert.equal(selection?.text, 'let');
    assert.equal(selection.name, 'wrong.ts:2');
  });

  it('offers to fix a problem with an agent, and puts it into a composer', async () => {
    await bench.setAgents({ fake: fakeEntry('Fake', {}) });
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      vscode.Uri.file(file()),
      new vscode.Range(1, 8, 1, 9),
    );
    const fix = actions.find(({ title }) => title === 'Fix with Agent…');
    assert.ok(fix?.command);
    await vscode.commands.executeCommand(
      fix.command.command,
      ...((fix.command.arguments ?? []) as unknown[]),
    );
    const session = await waitFor(() => bench.api.sessions.all[0], 'the new session');
    const { agent, info } = session;
    const { draft } = bench.api.work.getDraft(agent.id, info.sessionId);
    assert.equal(draft.text, 'Fix this problem.');
    assert.deepEqual(
      draft.attachments.map((each) => ('text' in each ? [each.type, each.text] : each.type)),
      [
        ['text', 'wrong.ts:2:9 error: Cannot find name c'],
        ['selection', 'let a;\nlet b = c;\n'],
      ],
    );
  });
});
