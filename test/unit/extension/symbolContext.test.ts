import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { ExtensionBench, waitFor } from '../../vscode/harness/support';

describe('symbols of the workspace, in prompts', () => {
  let bench: ExtensionBench;
  let provider: vscode.Disposable;
  let asked: string[];
  let answer: (query: string) => Promise<readonly vscode.SymbolInformation[]>;
  const cwd = (): string => path.join(bench.folder, 'project');
  const session = () => ({
    ...{ agentId: 'a', sessionId: 's', cwd: cwd() },
    has: (file: string) => Promise.resolve(file.startsWith(cwd())),
  });
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    await mkdir(cwd(), { recursive: true });
    for (const file of ['project/cart.ts', 'project/other.ts', 'secret.ts']) {
      await writeFile(bench.file(file), `// ${file}\nfunction total() {\n  return 1;\n}\n`);
    }
    asked = [];
    answer = () => Promise.resolve([]);
    provider = vscode.commands.registerCommand(
      'vscode.executeWorkspaceSymbolProvider',
      (query: string) => {
        asked.push(query);
        return answer(query);
      },
    );
  });
  afterEach(async () => {
    provider.dispose();
    await bench.dispose();
  });

  function symbol(name: string, file: string): vscode.SymbolInformation {
    const location = {
      uri: vscode.Uri.file(bench.file(file)),
      range: new vscode.Range(1, 0, 3, 1),
    };
    return { name, kind: 11, containerName: 'cart', location };
  }
  const suggest = (typed: string) => bench.api.promptContext.suggest(typed, session());
  const read = (about: string) =>
    bench.api.promptContext.read({ source: 'symbol', about }, session());

  it('SEC-232: are only those of the session’s folders, and their lines are read when they are sent', async () => {
    answer = () =>
      Promise.resolve([
        ...['secret.ts', 'project/cart.ts', 'project/other.ts'].map((file) =>
          symbol('total', file),
        ),
        symbol('no mention', 'project/cart.ts'),
      ]);
    const found = await suggest('#tot');
    assert.deepEqual(asked, ['tot']);
    assert.deepEqual(
      found.map(({ mention, detail }) => [mention, detail]),
      [
        ['@#total', 'cart.ts:2 · cart'],
        ['@#total', 'other.ts:2 · cart'],
      ],
    );
    const about = found[1]?.about ?? '';
    const [part] = await read(about);
    assert.equal(part?.text, 'function total() {\n  return 1;\n}');
    assert.match(part.uri, /project\/other\.ts#L2-L4$/);
    assert.equal(part.name, 'total (other.ts:2)');
    answer = () => Promise.resolve([symbol('total', 'secret.ts')]);
    assert.deepEqual(await read(about), []);
    assert.deepEqual(await read(JSON.stringify({ path: bench.file('secret.ts') })), []);
    assert.deepEqual(await suggest('tot'), [], 'a file may have this name');
  });

  it('SEC-232: are bounded', async () => {
    answer = () =>
      Promise.resolve(Array.from({ length: 400 }, (_, at) => symbol(`s${at}`, 'project/cart.ts')));
    assert.equal((await suggest('#')).length, 20);
  });

  it('are searched for once at a time while the user types, and then for what is there', async () => {
    const answers: (() => void)[] = [];
    answer = (query) =>
      new Promise((resolve) => answers.push(() => resolve([symbol(query, 'project/cart.ts')])));
    const first = suggest('#t');
    await waitFor(() => answers.length === 1, 'the first search');
    const rest = ['#to', '#tot', '#tota'].map(suggest);
    answers[0]?.();
    await waitFor(() => answers.length === 2, 'the last search');
    answers[1]?.();
    const found = await Promise.all([first, ...rest]);
    assert.deepEqual(asked, ['t', 'tota']);
    assert.deepEqual(
      found.map((each) => each.map(({ name }) => name)),
      [['t'], [], [], ['tota']],
    );
  });
});
