import type { HighlightNode } from './highlightJob';

/** Highlighted code by lines; a scope that spans several lines is repeated in each of them. */
export function getLines(nodes: readonly HighlightNode[]): readonly (readonly HighlightNode[])[] {
  const lines: HighlightNode[][] = [[]];
  for (const node of nodes) {
    for (const [at, line] of linesOfNode(node).entries()) {
      if (at > 0) {
        lines.push([]);
      }
      lines.at(-1)?.push(...line);
    }
  }
  return lines;
}

function linesOfNode(node: HighlightNode): readonly (readonly HighlightNode[])[] {
  return node.type === 'text'
    ? node.value.split('\n').map((value) => (value === '' ? [] : [{ type: 'text', value }]))
    : getLines(node.children).map((children) => [{ ...node, children }]);
}
