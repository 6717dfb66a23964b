import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { EditorTool } from '../../src/features/editorTools/model/tool';
import { navigationTools } from '../../src/features/editorTools/tools/navigation';
import { problemsTool } from '../../src/features/editorTools/tools/problemsTool';
import { servedSession } from '../support/servedSession';
import { workspaceFolder } from './harness/support';

const never = new AbortController().signal;

/** What the real server, which isn't loaded yet, says right away isn't whole: nothing, or the first of many. */
describe('tools of the editor and a TypeScript server that has just been started', () => {
  const folder = (): string => path.join(workspaceFolder(), 'typed');
  const session = () => servedSession({ cwd: folder() });
  const problems = problemsTool(() => [path.join(folder(), 'cart.ts')]);

  before(async () => {
    await mkdir(folder(), { recursive: true });
    await write('tsconfig.json', '{ "compilerOptions": { "strict": true } }');
    await write('cart.ts', 'export const total = 1;\nexport const twice = total + total;\n');
    await write('page.ts', "import { total } from './cart';\nexport const shown = `${total}`;\n");
    await vscode.commands.executeCommand('typescript.restartTsServer');
  });
  after(async () => {
    await rm(folder(), { recursive: true, force: true });
  });

  function write(name: string, text: string): Promise<void> {
    return writeFile(path.join(folder(), name), text);
  }

  function run(tool: EditorTool | undefined, args: Record<string, unknown>): Promise<string> {
    assert.ok(tool);
    return tool.run(args, session(), never);
  }

  const named = (name: string): EditorTool | undefined =>
    navigationTools.find((tool) => tool.name === name);

  it('references, a definition, and problems after an edit are whole', async () => {
    assert.equal(
      await run(named('references'), { symbol: 'total', path: 'cart.ts' }),
      [
        '5 references of `total`:',
        '',
        'cart.ts',
        '  1:14: export const total = 1;',
        '  2:22: export const twice = total + total;',
        '  2:30: export const twice = total + total;',
        '',
        'page.ts',
        "  1:10: import { total } from './cart';",
        '  2:25: export const shown = `${total}`;',
      ].join('\n'),
    );
    assert.match(
      await run(named('definition'), { symbol: 'total', path: 'page.ts' }),
      /^1 definitions of `total`:\n\ncart\.ts\n {2}1:14: /,
    );
    assert.match(await run(problems, { path: 'page.ts' }), /^0 problems/);
    // As an agent does that writes by itself.
    await write('cart.ts', 'export const sum = 1;\n');
    assert.match(await run(problems, { path: 'page.ts' }), /^1 problems[^]* 1:10: error: .*total/);
    await write('cart.ts', 'export const total: string = 1;\n');
    assert.match(await run(problems, { path: 'page.ts' }), /^0 problems/);
    assert.match(await run(problems, { path: 'cart.ts' }), /^1 problems[^]* 1:14: error: /);
  });
});
