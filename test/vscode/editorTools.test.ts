import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as vscode from 'vscode';
import { createToolServer } from '../../src/features/editorTools/editorTools';
import type { ToolServer } from '../../src/features/editorTools/model/toolServer';
import type { ServedSession } from '../../src/model/session/ownServers';
import { ChildTerminals } from '../../src/platform/terminals/terminals';
import { ableInitialize } from '../fakeAgent/scenario';
import { servedSession } from '../support/servedSession';
import { ExtensionBench, fakeEntry, waitFor, workspaceFolder } from './harness/support';

const silent = (): void => undefined;
const log = { error: silent, warn: silent, info: silent, debug: silent, trace: silent };
const terminals = new ChildTerminals({ workspace: { trusted: false } });

/** A language that only this test knows: each use of a word is a reference to its first. */
const selector: vscode.DocumentFilter = { pattern: '**/tooled/**' };

describe('tools of the editor', () => {
  const folder = (): string => path.join(workspaceFolder(), 'tooled');
  const file = (name: string): string => path.join(folder(), name);
  const parts: vscode.Disposable[] = [];
  let server: ToolServer;
  let client: Client;
  let session: ServedSession;
  let problems: vscode.DiagnosticCollection;
  let changed: readonly string[] = [];

  before(async () => {
    await mkdir(path.join(folder(), 'secret'), { recursive: true });
    await writeFile(file('cart.tooled'), 'const total = 1;\nuse(total);\n');
    await writeFile(file('page.tooled'), 'show(total);\n');
    await writeFile(file('secret/keys.tooled'), 'hide(total);\n');
    problems = vscode.languages.createDiagnosticCollection('tooled');
    parts.push(problems, provideUses(), ...provideFacts());
    server = createToolServer(
      { log, version: '1', mayAct: () => false, changedFiles: () => changed, terminals },
      (part) => parts.push(part),
    );
    const { url, offer } = await server.offer();
    const isInside = (name: string): boolean =>
      name.startsWith(folder()) && !name.includes('secret');
    session = servedSession({
      cwd: folder(),
      has: (name) => Promise.resolve(isInside(name)),
      canRead: (name) => Promise.resolve(isInside(name)),
      readable: (names) => Promise.resolve(new Set([...names].filter(isInside))),
    });
    offer.bind(session);
    client = new Client({ name: 'test', version: '1' });
    const headers = { Authorization: `Bearer ${offer.token}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
    );
  });
  after(async () => {
    await client.close();
    server.dispose();
    vscode.Disposable.from(...parts).dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder(), { recursive: true, force: true });
  });

  function provideUses(): vscode.Disposable {
    const uses = (name: string, word: string): vscode.Location[] => {
      const text = name.includes('cart') ? 'const total = 1;\nuse(total);\n' : 'show(total);\n';
      return text.split('\n').flatMap((line, at) => {
        const found = line.indexOf(word);
        if (found < 0) {
          return [];
        }
        const range = new vscode.Range(at, found, at, found + word.length);
        return [new vscode.Location(vscode.Uri.file(file(name)), range)];
      });
    };
    return vscode.languages.registerReferenceProvider(selector, {
      provideReferences: (document, position) => {
        const word = document.getText(document.getWordRangeAtPosition(position));
        return ['cart.tooled', 'page.tooled', 'secret/keys.tooled'].flatMap((name) =>
          uses(name, word),
        );
      },
    });
  }

  function provideFacts(): readonly vscode.Disposable[] {
    const first = new vscode.Range(0, 6, 0, 11);
    const item = (name: string, inFile: string, range: vscode.Range): vscode.CallHierarchyItem =>
      new vscode.CallHierarchyItem(
        ...([vscode.SymbolKind.Function, name, ''] as const),
        vscode.Uri.file(file(inFile)),
        ...([range, range] as const),
      );
    const target = (): vscode.Location =>
      new vscode.Location(vscode.Uri.file(file('cart.tooled')), first);
    return [
      vscode.languages.registerDefinitionProvider(selector, { provideDefinition: target }),
      vscode.languages.registerHoverProvider(selector, {
        provideHover: () => new vscode.Hover('The **sum**.'),
      }),
      vscode.languages.registerCallHierarchyProvider(selector, {
        prepareCallHierarchy: () => item('total', 'cart.tooled', first),
        provideCallHierarchyIncomingCalls: () => {
          const range = new vscode.Range(0, 5, 0, 10);
          return [
            new vscode.CallHierarchyIncomingCall(item('page', 'page.tooled', range), [range]),
          ];
        },
        provideCallHierarchyOutgoingCalls: () => [
          new vscode.CallHierarchyOutgoingCall(item('cart', 'cart.tooled', first), [first]),
        ],
      }),
      vscode.languages.registerDocumentSymbolProvider(selector, {
        provideDocumentSymbols: () => [
          new vscode.DocumentSymbol('total', '', vscode.SymbolKind.Constant, first, first),
        ],
      }),
    ];
  }

  async function call(name: string, args: Record<string, unknown> = {}): Promise<string> {
    const { content } = await client.callTool({ name, arguments: args });
    const [block] = content as { text: string }[];
    assert.ok(block);
    return block.text;
  }

  it('references are told with their lines, and those elsewhere are only counted', async () => {
    assert.equal(
      await call('references', { symbol: 'total', path: 'cart.tooled', line: 2 }),
      [
        '3 references of `total`:',
        '',
        'cart.tooled',
        '  1:7: const total = 1;',
        '  2:5: use(total);',
        '',
        'page.tooled',
        '  1:6: show(total);',
        '',
        "1 more in files outside this session's folders.",
      ].join('\n'),
    );
    const rest = await call('references', { symbol: 'total', path: 'cart.tooled', offset: 3 });
    assert.ok(!rest.includes('cart.tooled') && rest.includes('page.tooled'));
  });

  it('definitions, what is known of a symbol, and the symbols of a file', async () => {
    const where = { path: 'page.tooled', line: 1, column: 6 };
    assert.match(await call('definition', where), /1 definitions of `total`[^]*1:7: const total/);
    assert.match(await call('hover', where), /The \*\*sum\*\*\./);
    assert.equal(
      await call('call_hierarchy', where),
      ['1 calls of `total`:', '', 'page.tooled', '  1:6: show(total); (in page)'].join('\n'),
    );
    assert.match(
      await call('call_hierarchy', { ...where, direction: 'outgoing' }),
      /^1 calls in `total`:\n\ncart\.tooled\n  1:7: const total = 1; \(cart\)$/,
    );
    assert.match(await call('symbols', { path: 'cart.tooled' }), /constant total: 1-1/);
  });

  it('SEC-193: what isn’t there, or isn’t the session’s, is refused', async () => {
    for (const named of ['secret/keys.tooled', '/etc/passwd', '../package.json']) {
      assert.match(await call('references', { path: named, symbol: 'x' }), /may not be read/);
      assert.match(await call('problems', { path: named }), /may not be read/);
      assert.match(await call('show', { path: named }), /may not be read/);
    }
    assert.match(await call('hover', { path: 'none.tooled', symbol: 'x' }), /There is no file/);
    assert.match(await call('hover', { path: 'cart.tooled', symbol: 'tot' }), /isn't in/);
    assert.match(await call('hover', { path: 'cart.tooled', line: -1 }), /whole number/);
    assert.match(await call('hover', { symbol: 'x'.repeat(2000) }), /at most 1000/);
  });

  it('problems are those of the file as it is now', async () => {
    const uri = vscode.Uri.file(file('cart.tooled'));
    const editor = await vscode.window.showTextDocument(uri);
    const range = new vscode.Range(0, 6, 0, 11);
    let isTold = false;
    parts.push(
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        isTold ||= uris.some((told) => told.toString() === uri.toString());
      }),
    );
    problems.set(uri, [new vscode.Diagnostic(range, 'Old.', vscode.DiagnosticSeverity.Error)]);
    await waitFor(() => isTold, 'the report, which VS Code tells later');
    assert.match(
      await call('problems', { path: 'cart.tooled' }),
      /1 problems[^]*1:7: error: Old\./,
    );
    await editor.edit((edit) => edit.insert(new vscode.Position(2, 0), 'use(total);\n'));
    const pending = call('problems', { path: 'cart.tooled' });
    const warning = new vscode.Diagnostic(range, 'New.', vscode.DiagnosticSeverity.Warning);
    setTimeout(() => problems.set(uri, [warning]), 300);
    assert.match(await pending, /1 problems[^]*1:7: warning: New\./);
    problems.set(vscode.Uri.file(file('secret/keys.tooled')), [warning]);
    const all = await call('problems');
    assert.ok(all.includes('cart.tooled') && !all.includes('keys.tooled'));
    assert.match(await call('problems', { severity: 'error' }), /^0 problems/);
    await editor.document.save();
    // As an agent does that writes by itself.
    await writeFile(file('cart.tooled'), 'const total = 2;\n');
    const after = call('problems', { path: 'cart.tooled' });
    await waitFor(() => editor.document.getText() === 'const total = 2;\n', 'the reload');
    setTimeout(() => problems.delete(uri), 300);
    assert.match(await after, /^0 problems/);
    problems.set(uri, [warning]);
    problems.set(vscode.Uri.file(file('page.tooled')), [warning]);
    changed = ['cart.tooled', 'secret/keys.tooled', 'gone.tooled'].map(file);
    assert.match(
      await call('problems', { of: 'changed' }),
      /^1 problems in 1 files of the 1 changed in this turn:\n\ncart\.tooled\n[^\n]*New\.[^\n]*$/,
    );
    assert.match(
      await call('problems', { of: 'changed', path: 'cart.tooled' }),
      /without a "path"/,
    );
  });

  it('open editors and the selection, in files that the agent may read', async () => {
    await vscode.window.showTextDocument(vscode.Uri.file(file('secret/keys.tooled')), {
      preview: false,
    });
    assert.match(await call('selection'), /No file/);
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(file('page.tooled')), {
      preview: false,
    });
    editor.selection = new vscode.Selection(0, 5, 0, 10);
    await waitFor(() => !editor.selection.isEmpty, 'the selection');
    assert.match(await call('selection'), /Selected in page\.tooled, lines 1-1:\n\ntotal/);
    const open = await call('open_editors');
    assert.match(open, /page\.tooled \(visible\)/);
    assert.ok(!open.includes('keys.tooled'));
    assert.match(open, /1 more with files outside/);
  });

  it('shows lines beside, without taking the focus', async () => {
    const before = vscode.window.activeTextEditor?.document.uri.toString();
    assert.equal(
      await call('show', { path: 'cart.tooled', line: 1, endLine: 9 }),
      'Shown: cart.tooled, lines 1-9.',
    );
    const shown = vscode.window.visibleTextEditors.find(({ document }) =>
      document.uri.fsPath.endsWith('cart.tooled'),
    );
    assert.ok(shown);
    assert.notEqual(shown.viewColumn, vscode.ViewColumn.One);
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), before);
  });

  it('an agent gets them with a session, until that is closed', async () => {
    const bench = await ExtensionBench.create();
    try {
      await bench.setAgents({
        mine: fakeEntry('Mine', { initialize: ableInitialize, record: bench.file('wire') }),
      });
      const agent = bench.api.agents.get('mine');
      assert.ok(agent);
      const opened = await bench.api.sessions.create(agent, { name: 'w', path: workspaceFolder() });
      const wire = await bench.received('wire');
      const { params } = wire.find(({ method }) => method === 'session/new') as {
        params: { mcpServers: { name: string; url: string; headers: { value: string }[] }[] };
      };
      const [offered] = params.mcpServers;
      assert.equal(offered?.name, 'vscode_editor');
      const send = (): Promise<Response> =>
        fetch(offered.url, {
          method: 'POST',
          headers: {
            Authorization: offered.headers[0]?.value ?? '',
            'Content-Type': 'application/json',
          },
          body: JSON.stringify({
            ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
            params: { name: 'hover', arguments: { path: 'tooled/cart.tooled', symbol: 'total' } },
          }),
        });
      assert.match(await (await send()).text(), /The \*\*sum\*\*/);
      await opened.close();
      assert.equal((await send()).status, 401);
    } finally {
      await bench.dispose();
    }
  });
});
