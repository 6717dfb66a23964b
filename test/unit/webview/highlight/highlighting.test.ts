import assert from 'node:assert/strict';
import type { HighlightNode } from '../../../../src/webview/highlight/highlightJob';
import { type Child, toNodes } from '../../../../src/webview/highlight/toNodes';

const text = (value: string): Child => ({ type: 'text', value });
const scope = (children: readonly Child[]): Child => ({
  type: 'element',
  properties: { className: ['hljs-string'] },
  children,
});

function textIn(nodes: readonly HighlightNode[]): string {
  return nodes.map((node) => (node.type === 'text' ? node.value : textIn(node.children))).join('');
}

function countScopes(nodes: readonly HighlightNode[]): number {
  return nodes.reduce(
    (sum, node) => sum + (node.type === 'scope' ? 1 + countScopes(node.children) : 0),
    0,
  );
}

describe('scopes of code', () => {
  it('are drawn to the ten thousandth, with all of the text', () => {
    const nodes = toNodes(Array.from({ length: 20_000 }, () => scope([text('x')])));
    assert.equal(countScopes(nodes), 10_000);
    assert.equal(textIn(nodes), 'x'.repeat(20_000));
  });

  it('are drawn twenty deep, with all of the text', () => {
    let tree = [text('x')];
    for (let depth = 0; depth < 5000; depth++) {
      tree = [text('('), scope(tree), text(')')];
    }
    const nodes = toNodes(tree);
    assert.equal(countScopes(nodes), 20);
    assert.equal(textIn(nodes), `${'('.repeat(5000)}x${')'.repeat(5000)}`);
  });
});
