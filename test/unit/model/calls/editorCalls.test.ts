import assert from 'node:assert/strict';
import type { ToolCallPatch } from '../../../../src/protocol/updates';
import { call, change, entriesOf } from '../updates';

type Patch = Partial<ToolCallPatch>;

/** The title and the name of a call after these updates. */
function titled(...patches: readonly Patch[]): readonly [string, string | undefined] {
  const [first, ...others] = patches;
  const [entry] = entriesOf(call('1', first), ...others.map((patch) => change('1', patch)));
  assert.ok(entry?.kind === 'toolCall');
  return [entry.title, entry.name];
}

const found = '12 references of `total`:\n\ncart.ts';
const args = { symbol: 'total', path: 'cart.ts' };

describe('calls of the editor’s tools', () => {
  it('are called what they are, however an agent writes their names', () => {
    const claude = 'mcp__vscode_editor__references';
    assert.deepEqual(
      titled(
        { title: claude, name: claude, rawInput: {} },
        { rawInput: args },
        { status: 'completed', rawOutput: [{ type: 'text', text: found }] },
      ),
      ['References of `total`: 12', claude],
    );
    const codex = 'mcp.vscode_editor.references';
    assert.deepEqual(
      titled(
        { title: codex, kind: 'execute', rawInput: { server: 's', tool: 't', arguments: args } },
        {
          status: 'completed',
          rawOutput: { result: { content: [{ type: 'text', text: found }] } },
        },
      ),
      ['References of `total`: 12', codex],
    );
    const openCode = 'vscode_editor_references';
    assert.deepEqual(
      titled(
        { title: openCode },
        { rawInput: args },
        { status: 'completed', rawOutput: { output: found } },
      ),
      ['References of `total`: 12', openCode],
    );
    const gemini = 'references (vscode_editor MCP Server)';
    assert.deepEqual(titled({ title: gemini, rawInput: args })[0], 'References of `total`');
  });

  it('say what they are about', () => {
    const title = (tool: string, rawInput: object): string =>
      titled({ title: `mcp__vscode_editor2__${tool}`, rawInput })[0];
    assert.equal(title('problems', {}), 'Problems');
    assert.equal(title('problems', { path: 'a.ts' }), 'Problems in `a.ts`');
    assert.equal(title('definition', { path: 'a.ts', line: 3 }), 'Definition of `a.ts:3`');
    assert.equal(title('symbols', { query: 'to`tal' }), 'Symbols that match `total`');
    assert.equal(title('hover', { symbol: 'x'.repeat(20_000) }).length < 10_000, true);
    assert.equal(title('open_editors', {}), 'Open editors');
  });

  it('are no others of that name', () => {
    for (const name of ['references', 'my_vscode_editor_x', 'mcp__vscode_editor__toString']) {
      assert.equal(titled({ title: name, rawInput: args })[0], name);
    }
  });
});
