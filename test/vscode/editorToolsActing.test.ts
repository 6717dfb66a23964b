import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { EditorTool } from '../../src/features/editorTools/model/tool';
import { codeAction } from '../../src/features/editorTools/tools/codeActions';
import { formatFile } from '../../src/features/editorTools/tools/formatFile';
import { renameSymbol } from '../../src/features/editorTools/tools/renameSymbol';
import { type FilesEdit, PartlyWrittenError } from '../../src/model/requests/filesEdit';
import type { ServedSession } from '../../src/model/session/ownServers';
import { refusal } from '../../src/protocol/refusal';
import { ableInitialize, update as said } from '../fakeAgent/scenario';
import { servedSession } from '../support/servedSession';
import {
  ExtensionBench,
  fakeEntry,
  update,
  waitFor,
  waitingPermission,
  workspaceFolder,
} from './harness/support';

/** A language that only this test knows. */
const selector: vscode.DocumentFilter = { pattern: '**/acted/**' };
const never = new AbortController().signal;

describe('tools of the editor that act', () => {
  const folder = (): string => path.join(workspaceFolder(), 'acted');
  const uri = (name: string): vscode.Uri => vscode.Uri.file(path.join(folder(), name));
  const parts: vscode.Disposable[] = [];
  const edits: FilesEdit[] = [];
  let written: Promise<void>;
  /** What the language server says. */
  let references: readonly vscode.Location[];
  let edit: () => vscode.WorkspaceEdit;
  let actions: vscode.CodeAction[];
  let session: ServedSession;

  before(async () => {
    await mkdir(path.join(folder(), 'secret'), { recursive: true });
    parts.push(
      vscode.languages.registerReferenceProvider(selector, {
        provideReferences: () => [...references],
      }),
      vscode.languages.registerRenameProvider(selector, { provideRenameEdits: () => edit() }),
      vscode.languages.registerCodeActionsProvider(selector, { provideCodeActions: () => actions }),
      vscode.languages.registerDocumentFormattingEditProvider(selector, {
        provideDocumentFormattingEdits: (document) => [
          vscode.TextEdit.insert(document.positionAt(0), '// formatted\n'),
        ],
      }),
    );
    const isInside = (name: string): boolean =>
      name.startsWith(folder()) && !name.includes('secret');
    session = servedSession({
      cwd: folder(),
      canRead: later(isInside),
      readable: (names) => Promise.resolve(new Set([...names].filter(isInside))),
      edit: (asked) => {
        edits.push(asked);
        return written;
      },
    });
  });
  beforeEach(async () => {
    edits.length = 0;
    written = Promise.resolve();
    for (const name of ['cart.acted', 'page.acted', 'secret/keys.acted']) {
      await writeFile(uri(name).fsPath, 'total;\r\nuse(total);\r\n');
    }
    references = [use('cart.acted', 0), use('cart.acted', 1), use('page.acted', 0)];
    edit = () => renamed('cart.acted', 'page.acted');
    actions = [];
  });
  after(async () => {
    vscode.Disposable.from(...parts).dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder(), { recursive: true, force: true });
  });

  function use(name: string, line: number): vscode.Location {
    const from = line === 0 ? 0 : 4;
    return new vscode.Location(uri(name), new vscode.Range(line, from, line, from + 5));
  }

  function renamed(...names: readonly string[]): vscode.WorkspaceEdit {
    const all = new vscode.WorkspaceEdit();
    for (const name of names) {
      for (const line of [1, 0]) {
        all.replace(uri(name), use(name, line).range, 'sum');
      }
    }
    return all;
  }

  function run(tool: EditorTool, args: Record<string, unknown>): Promise<string> {
    return tool.run({ path: 'cart.acted', ...args }, session, never);
  }
  const rename = (): Promise<string> => run(renameSymbol, { symbol: 'total', newName: 'sum' });

  it('SEC-223: a rename is one edit of all files, with their whole texts', async () => {
    assert.match(await rename(), /^Done\. Changed and saved 2 files:\n {2}cart\.acted\n {2}page/);
    const [asked] = edits;
    assert.equal(asked?.title, 'Rename “total” to “sum” in 2 files');
    const [oldText, newText] = ['total;\r\nuse(total);\r\n', 'sum;\r\nuse(sum);\r\n'];
    assert.deepEqual(asked.files, [
      { path: uri('cart.acted').fsPath, oldText, newText },
      { path: uri('page.acted').fsPath, oldText, newText },
    ]);
    assert.equal(
      await readFile(uri('cart.acted').fsPath, 'utf8'),
      oldText,
      'it isn’t applied here',
    );
  });

  it('SEC-223: a rename that leaves references out, as of a server that still loads, isn’t done', async () => {
    edit = () => renamed('page.acted');
    await assert.rejects(rename(), /doesn’t rename all references/);
    assert.equal(edits.length, 0);
  });

  it('SEC-223: what is outside, unsaved, moves files, or is too much is refused as a whole', async () => {
    edit = () => renamed('cart.acted', 'page.acted', 'secret/keys.acted');
    await assert.rejects(rename(), /1 files outside this session's folders/);
    edit = () => {
      const moving = renamed('cart.acted', 'page.acted');
      moving.renameFile(uri('page.acted'), uri('sum.acted'));
      return moving;
    };
    await assert.rejects(rename(), /creates, moves or deletes files/);
    edit = () => {
      const many = renamed('cart.acted', 'page.acted');
      for (let at = 0; at < 49; at++) {
        many.insert(uri(`more-${at}.acted`), new vscode.Position(0, 0), 'x');
      }
      return many;
    };
    await assert.rejects(rename(), /changes 51 files/);
    edit = () => renamed('cart.acted', 'page.acted');
    const editor = await vscode.window.showTextDocument(uri('page.acted'));
    await editor.edit((change) => change.insert(new vscode.Position(0, 0), '// mine\n'));
    await assert.rejects(rename(), /page\.acted has unsaved changes of the user/);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await assert.rejects(run(renameSymbol, { symbol: 'total', newName: 'a\nb' }), /one line/);
    assert.equal(edits.length, 0);
  });

  it('SEC-223: code actions are listed, and done by title; a command is never run', async () => {
    let ran = 0;
    parts.push(vscode.commands.registerCommand('acted.run', () => ran++));
    const fix = new vscode.CodeAction('Use sum', vscode.CodeActionKind.QuickFix);
    fix.edit = renamed('cart.acted');
    fix.command = { command: 'acted.run', title: 'Run' };
    const only = new vscode.CodeAction('Install it', vscode.CodeActionKind.QuickFix);
    only.command = { command: 'acted.run', title: 'Run' };
    const other = new vscode.CodeAction('Other', vscode.CodeActionKind.Notebook);
    other.edit = renamed('cart.acted');
    actions = [fix, only, other];
    assert.equal(
      await run(codeAction, { line: 1 }),
      '2 code actions:\n  Use sum\n  Install it (only by the user: runs a command)',
    );
    await assert.rejects(run(codeAction, { line: 1, title: 'Install it' }), /runs a command/);
    await assert.rejects(run(codeAction, { line: 1, title: 'Other' }), /no such code action/);
    assert.equal(edits.length, 0);
    assert.match(
      await run(codeAction, { line: 1, title: 'Use sum' }),
      /cart\.acted\nThe command after it was not run\.$/,
    );
    assert.equal(edits[0]?.title, '“Use sum” in cart.acted');
    assert.equal(ran, 0);
  });

  it('tells which files of a change are written if the rest can’t be', async () => {
    written = Promise.reject(
      new PartlyWrittenError(1, refusal('changedMeanwhile', 'It leads elsewhere')),
    );
    await assert.rejects(
      rename(),
      /^Error: Done only in part\. [^\n]*\nChanged and saved:\n {2}cart\.acted\nNot changed:\n {2}page\.acted$/,
    );
  });

  it('formats a file', async () => {
    await run(formatFile, {});
    assert.equal(edits[0]?.files[0]?.newText, '// formatted\r\ntotal;\r\nuse(total);\r\n');
    await assert.rejects(run(formatFile, { path: 'secret/keys.acted' }), /may not be read/);
  });

  describe('in TypeScript', () => {
    let bench: ExtensionBench;
    let place: string;
    before(async () => {
      bench = await ExtensionBench.create();
      place = await mkdtemp(path.join(workspaceFolder(), 'renamed-'));
      await update('editorTools', 'all');
    });
    after(async () => {
      await update('editorTools', undefined);
      await bench.dispose();
      await rm(place, { recursive: true, force: true });
    });

    it('SEC-223: an agent renames a symbol once the user allows it, and Undo takes that back', async () => {
      const file = (name: string): string => path.join(place, name);
      const read = (name: string): Promise<string> => readFile(file(name), 'utf8');
      const cart = 'export const total = 1;\n';
      const page = "import { total } from './cart';\nconsole.log(total, { total });\n";
      await writeFile(file('tsconfig.json'), '{}');
      await writeFile(file('cart.ts'), cart);
      await writeFile(file('page.ts'), page);
      const args = { path: file('cart.ts'), symbol: 'total', newName: 'sum' };
      await bench.setAgents({
        mine: fakeEntry('Mine', {
          initialize: ableInitialize,
          on: {
            'session/prompt': [
              { callTool: 'rename_symbol', arguments: args },
              { update: said.agent('$answerText') },
              { result: { stopReason: 'end_turn' } },
            ],
          },
        }),
      });
      const agent = bench.api.agents.get('mine');
      assert.ok(agent);
      const opened = await bench.api.sessions.create(agent, { name: 'w', path: workspaceFolder() });
      opened.turns.submit({ text: 'Rename it', attachments: [] });
      const { requestId, toolCall } = await waitFor(
        () => waitingPermission(opened),
        'the question',
      );
      assert.equal(toolCall.title, 'Rename “total” to “sum” in 2 files');
      assert.equal(await read('page.ts'), page);
      opened.requests.answerPermission(requestId, 'allow_once');
      await waitFor(() => opened.turns.current.kind === 'idle', 'the end of the turn');
      assert.equal(await read('cart.ts'), 'export const sum = 1;\n');
      assert.equal(
        await read('page.ts'),
        "import { sum } from './cart';\nconsole.log(sum, { total: sum });\n",
      );
      const { sessionId } = opened.info;
      const reviews = await bench.api.storedReviews.get();
      const pending = (): number | undefined => reviews.of('mine', sessionId)?.pending.length;
      await waitFor(() => pending() === 2, 'the changes to wait for review');
      await reviews.of('mine', sessionId)?.undo({ type: 'turn', turn: 1 });
      await waitFor(() => pending() === 0, 'nothing to wait for review');
      assert.deepEqual([await read('cart.ts'), await read('page.ts')], [cart, page]);
    });
  });
});

function later<A, T>(ask: (about: A) => T): (about: A) => Promise<T> {
  return (about) => Promise.resolve(ask(about));
}
