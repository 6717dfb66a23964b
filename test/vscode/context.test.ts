import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { OfferedFiles } from '../../src/views/transcript/composer/offeredFiles';
import { openAttachment } from '../../src/views/transcript/composer/openAttachment';
import { handleIntent, type IntentTarget } from '../../src/views/transcript/tabs/intents';
import { ExtensionBench, fakeEntry, waitFor, workspaceFolder } from './harness/support';

describe('what VS Code knows, in prompts', () => {
  let bench: ExtensionBench;
  let found: vscode.DiagnosticCollection;
  const file = (): string => path.join(workspaceFolder(), 'wrong.go');
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
    assert.equal(await read(), 'wrong.go:2:9 error: Cannot find name c');
    found.clear();
    assert.equal(await read(), undefined);
  });

  it('has the open files and the selection', async () => {
    const { promptContext } = bench.api;
    const document = await vscode.workspace.openTextDocument(file());
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(1, 0, 1, 3);
    const open = await promptContext.read({ source: 'open', about: '' }, session);
    assert.match(open[0]?.text ?? '', /^wrong\.go/);
    const [selection] = await waitFor(async () => {
      const parts = await promptContext.read({ source: 'selection', about: '' }, session);
      return parts.length > 0 && parts;
    }, 'the selection');
    assert.equal(selection?.text, 'let');
    assert.equal(selection.name, 'wrong.go:2');
  });

  it('finds functions by their names, which language servers write with parameters', async () => {
    const { promptContext } = bench.api;
    const place = new vscode.Location(vscode.Uri.file(file()), new vscode.Range(1, 0, 1, 9));
    const server = vscode.languages.registerWorkspaceSymbolProvider({
      provideWorkspaceSymbols: () =>
        ['total()', 'totalOf(int count)', '(*Cart).total'].map(
          (name) => new vscode.SymbolInformation(name, vscode.SymbolKind.Function, '', place),
        ),
    });
    try {
      const rest = new Set(['@#totalOf', '@#(*Cart).total']);
      const suggested = await promptContext.suggest('#total', session);
      const [first, ...others] = suggested;
      assert.equal(first?.mention, '@#total', 'the whole name first');
      assert.deepEqual(new Set(others.map(({ mention }) => mention)), rest);
      assert.equal((await promptContext.read(first, session))[0]?.text, 'let b = c;');
    } finally {
      server.dispose();
    }
  });

  const target = () => ({
    session: {
      agent: { id: 'a' },
      info: { sessionId: 's', cwd: session.cwd },
      acts: { reach: session },
    },
    services: bench.api,
    paths: { cwd: session.cwd, roots: [session.cwd] },
  });
  const problems = { type: 'context', source: 'problems', about: 'all', name: 'Problems' } as const;
  const shown = () => {
    const editor = vscode.window.activeTextEditor;
    return editor && [path.basename(editor.document.uri.path), editor.document.getText()];
  };

  it('shows what goes along with a prompt, as it is now and with its size', async () => {
    await openAttachment(problems, target());
    assert.deepEqual(shown(), [
      'Problems - 38 bytes.txt',
      'wrong.go:2:9 error: Cannot find name c',
    ]);
    const lines = { type: 'selection', uri: vscode.Uri.file(file()).toString(), name: 'wrong.go' };
    const second = { ...lines, type: 'selection', startLine: 2, endLine: 2 } as const;
    await openAttachment({ ...second, text: 'let b = c;' }, target());
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.fsPath, file());
    assert.equal(editor.document.getText(editor.selection), 'let b = c;');
    await openAttachment({ ...second, text: 'let b = d;' }, target());
    assert.deepEqual(shown(), ['wrong - 10 bytes.go', 'let b = d;'], 'the file has changed since');
    const uri = 'acp-sessions:problem.txt';
    await openAttachment({ type: 'text', uri, name: 'Problem', text: 'ä' }, target());
    assert.deepEqual(shown(), ['Problem - 2 bytes.txt', 'ä']);
    await openAttachment({ type: 'file', uri: lines.uri, name: 'wrong.go' }, target());
    await waitFor(() => shown()?.[0] === 'wrong.go', 'the file');
  });

  it('shows a page no context that it wasn’t offered', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const offered = new OfferedFiles();
    const page = { ...target(), offered, keep: () => undefined } as unknown as IntentTarget;
    await handleIntent(page, { type: 'openAttachment', attachment: problems });
    assert.equal(shown(), undefined);
    offered.note({ type: 'edit', draft: { text: '', attachments: [problems] } });
    await handleIntent(page, { type: 'openAttachment', attachment: problems });
    assert.equal(shown()?.[0], 'Problems - 38 bytes.txt');
  });

  it('puts the selected lines into a composer, with the beginning of a question', async () => {
    await bench.setAgents({ fake: fakeEntry('Fake', {}) });
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(file()));
    editor.selection = new vscode.Selection(1, 0, 1, 9);
    await vscode.commands.executeCommand('acpSessions.context.ask');
    const page = await waitFor(() => bench.api.panels.active?.session, 'the page of a new session');
    const { draft } = bench.api.work.getDraft(page.agent.id, page.info.sessionId);
    assert.equal(draft.text, 'About wrong.go: ');
    assert.deepEqual(
      draft.attachments.map((each) => each.type === 'selection' && [each.startLine, each.text]),
      [[2, 'let b = c']],
    );
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
    const page = await waitFor(() => bench.api.panels.active?.session, 'the page of a new session');
    const { agent, info } = page;
    const { draft } = bench.api.work.getDraft(agent.id, info.sessionId);
    assert.equal(draft.text, 'Fix this problem.');
    assert.deepEqual(
      draft.attachments.map((each) => ('text' in each ? [each.type, each.text] : each.type)),
      [
        ['text', 'wrong.go:2:9 error: Cannot find name c'],
        ['selection', 'let a;\nlet b = c;\n'],
      ],
    );
  });
});
