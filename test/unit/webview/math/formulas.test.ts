import assert from 'node:assert/strict';
import temml from 'temml';
import { MarkdownBlocks } from '../../../../src/webview/markdown/markdownBlocks';
import type { MathNode } from '../../../../src/webview/math/mathJob';
import { maxDepth, maxElements, toMathNodes } from '../../../../src/webview/math/toMathNodes';

interface Found {
  readonly inline: readonly string[];
  readonly block: readonly string[];
}

function formulasIn(text: string): Found {
  const tokens = new MarkdownBlocks().update(text).flatMap((block) => block.tokens);
  const contents = (type: string): string[] =>
    [...tokens, ...tokens.flatMap(({ children }) => children ?? [])]
      .filter((token) => token.type === type)
      .map(({ content }) => content.trim());
  return { inline: contents('math_inline'), block: contents('math_block') };
}

describe('formulas in Markdown', () => {
  it('are found between the delimiters of LaTeX and of Markdown', () => {
    for (const [text, inline] of [
      ['Since $a^2 + b^2 = c^2$, we know', ['a^2 + b^2 = c^2']],
      ['Both ($x$) and $y$.', ['x', 'y']],
      ['Euler: \\(e^{i\\pi} = -1\\)', ['e^{i\\pi} = -1']],
      ['here $$x$$ within a line', ['x']],
      ['an escaped $a\\$b$ sign', ['a\\$b']],
      ['- a list with $n$ items', ['n']],
    ] as const) {
      assert.deepEqual(formulasIn(text), { inline, block: [] }, text);
    }
    for (const [text, block] of [
      ['$$\nx = 1\n$$', ['x = 1']],
      ['The sum:\n$$ \\sum_i x_i $$\nis', ['\\sum_i x_i']],
      ['\\[\n\\frac{a}{b}\n\\]', ['\\frac{a}{b}']],
      ['1. First\n\n   $$\n   y\n   $$\n2. Second', ['y']],
    ] as const) {
      assert.deepEqual(formulasIn(text), { inline: [], block }, text);
    }
  });

  it('are not found in prices, variables, code and escaped delimiters', () => {
    for (const text of [
      'It costs $5 and then $10 more.',
      'Between $5-$10.',
      'Set $HOME/bin:$PATH and $HOME, $PATH',
      'echo $$ and $$',
      'a `$x$` in code, and `\\(x\\)`',
      '```sh\n$$\necho\n$$\n```',
      '    $$\n    x\n    $$',
      '\\$x\\$ and \\\\(x\\\\)',
      '$$\nnever ended\n\nanother paragraph $$',
      'x$y$z',
      'a $ b $ c',
    ]) {
      assert.deepEqual(formulasIn(text), { inline: [], block: [] }, text);
    }
  });

  it('leave the rest of a message as it is while their end has not come', () => {
    const parser = new MarkdownBlocks();
    const text = 'Before\n\n$$\nx + y\n$$\n\n**After**\n\nmore\n\nand more';
    const whole = new MarkdownBlocks().update(text);
    let grown = parser.update('');
    for (let end = 1; end <= text.length; end++) {
      grown = parser.update(text.slice(0, end));
    }
    const types = (blocks: typeof whole): readonly string[] =>
      blocks.flatMap(({ tokens }) => tokens.map(({ type }) => type));
    assert.deepEqual(types(grown), types(whole));
    assert.ok(types(whole).includes('math_block'));
  });
});

function typeset(source: string): readonly MathNode[] {
  return toMathNodes(
    temml.__renderToMathMLTree(source, { displayMode: true, throwOnError: true, trust: false }),
  );
}

function elementsIn(nodes: readonly MathNode[]): readonly Exclude<MathNode, string>[] {
  return nodes.flatMap((node) =>
    typeof node === 'string' ? [] : [node, ...elementsIn(node.children)],
  );
}

describe('elements of a formula', () => {
  it('are those of MathML, with its attributes', () => {
    const elements = elementsIn(typeset('\\frac{a}{b} + \\sqrt{x}'));
    assert.deepEqual(
      elements.map(({ tag }) => tag).filter((tag) => tag !== 'mrow' && tag !== 'mspace'),
      ['math', 'mfrac', 'mi', 'mi', 'mo', 'msqrt', 'mi'],
    );
    assert.equal(elements[0]?.attributes['display'], 'block');
  });

  it('have no address, no script and no image, whatever the source says', () => {
    for (const source of [
      '\\href{javascript:alert(1)}{x}',
      '\\url{https://example.com}',
      '\\includegraphics{https://example.com/x.png}',
      '\\htmlData{a=b}{x}',
      '\\class{x}{y}',
      '\\style{background:url(https://example.com)}{x}',
      '\\color{url(https://example.com)}x',
      '\\text{<img src=x onerror=alert(1)>}',
    ]) {
      let nodes: readonly MathNode[] = [];
      try {
        nodes = typeset(source);
      } catch {
        // Refused by the library.
      }
      for (const { tag, attributes, style } of elementsIn(nodes)) {
        const values = [...Object.values(attributes), ...Object.values(style)].join(' ');
        assert.ok(!/example|javascript|[()]/.test(values), `${source}: ${tag} ${values}`);
        assert.ok(!('href' in attributes) && !('src' in attributes) && tag !== 'a', source);
      }
    }
  });

  it('that are unknown give way to their children, and unknown attributes to nothing', () => {
    const tree = {
      type: 'script',
      attributes: { src: 'x' },
      children: [
        {
          type: 'mi',
          attributes: { onclick: 'x', mathvariant: 'normal' },
          style: { position: 'fixed', color: 'red' },
          children: [{ text: 'x' }],
        },
      ],
    };
    assert.deepEqual(toMathNodes(tree), [
      {
        tag: 'mi',
        attributes: { mathvariant: 'normal' },
        style: { color: 'red' },
        children: ['x'],
      },
    ]);
  });

  it('are bounded in number and depth', () => {
    const wide = (count: number): unknown => ({
      type: 'mrow',
      children: Array.from({ length: count - 1 }, () => ({ text: 'x' })),
    });
    const deep = (depth: number): unknown =>
      Array.from({ length: depth }).reduce((child) => ({ type: 'mrow', children: [child] }), {
        text: 'x',
      });
    assert.equal(elementsIn(toMathNodes(wide(maxElements))).length, 1);
    assert.throws(() => toMathNodes(wide(2 * maxElements)), /too large/);
    assert.equal(elementsIn(toMathNodes(deep(maxDepth - 1))).length, maxDepth - 1);
    assert.throws(() => toMathNodes(deep(2 * maxDepth)), /too large/);
  });
});
