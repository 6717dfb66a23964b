import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { contained, findCode } from '../../../../src/model/text/markdownText';
import { entryMarkdown, transcriptMarkdown } from '../../../../src/model/transcript/transcriptText';
import type { Entry } from '../../../../src/shared/transcript/entries';
import { fc, tries } from '../../../support/properties';

/**
 * Renderers that a user may open an exported transcript with; all of them pass raw HTML through.
 */
const renderers = [
  new MarkdownIt({ html: true }),
  new MarkdownIt({ html: true, linkify: true }),
  new MarkdownIt({ html: true, breaks: true }).disable('table'),
  new MarkdownIt('commonmark'),
];

const elements = new Set(
  'h1 h2 h3 h4 h5 h6 p ul ol li pre code em strong s a blockquote hr br table thead tbody tr th td'.split(
    ' ',
  ),
);
const attributes = new Set(['href', 'title', 'class', 'start', 'style']);

/** Fails if the HTML has anything other than text and its formatting. */
function checkHtml(html: string, source: string): void {
  for (const [tag, name = '', rest = ''] of html.matchAll(/<\/?([^\s>/]*)([^>]*)>/g)) {
    assert.ok(elements.has(name), `${tag} in ${JSON.stringify(source)}`);
    for (const [, attribute = '', value = ''] of rest.matchAll(/([^\s=]+)="([^"]*)"/g)) {
      assert.ok(attributes.has(attribute), `${tag} in ${JSON.stringify(source)}`);
      const isLooks = attribute !== 'style' || /^text-align:(?:left|right|center)$/.test(value);
      assert.ok(isLooks, tag);
      if (attribute === 'href') {
        assert.doesNotMatch(
          value,
          /^(?!https?:|mailto:|file:)[a-z][a-z\d+.-]*:/i,
          `${tag} in ${JSON.stringify(source)}`,
        );
      }
    }
  }
}

function check(markdown: string): void {
  const written = `# Title\n\n${contained(markdown)}\n\n### You\n\n[x] [Folder] <b\n`;
  for (const renderer of renderers) {
    // The last line has one construct of each kind, which an open construct before it would
    // activate.
    const html = renderer.render(written);
    checkHtml(html, markdown);
    assert.match(html, /<h3>You<\/h3>/, `${JSON.stringify(markdown)} takes in what follows`);
    assert.match(html, /\[x\] \[Folder\] &lt;b/, markdown);
  }
}

const attacks = [
  '<img src=https://evil.example/p.png>',
  ' <img src=x onerror=alert(1)>',
  '\\<img src=x>',
  '\\\\<img src=x>',
  '\\\\\\<img src=x>',
  'text <img src=x>',
  'text <script>alert(1)</script> text',
  '<script>\nalert(1)\n</script>',
  '<script src=//evil.example></script>',
  '<svg/onload=alert(1)>',
  '<iframe srcdoc="&lt;script&gt;"></iframe>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=command:x>x</a>',
  '<details open ontoggle=alert(1)>',
  '<base href=//evil.example>',
  '<form action=//evil.example><button>x</form>',
  '<meta http-equiv=refresh content="0;url=//evil.example">',
  '<style>@import url(//evil.example)</style>',
  '<link rel=stylesheet href=//evil.example>',
  '<object data=x></object>',
  '<!-- comment\n\n# Hidden\n\n',
  '<!-- x --><img src=x>',
  '<?php echo 1 ?>',
  '<!DOCTYPE html>',
  '<![CDATA[<img src=x>]]>',
  '</div><img src=x>',
  '<IMG SRC=x>',
  '<img\nsrc=x>',
  '<x-a>',
  '![](https://evil.example/p.png)',
  '!\\[](https://evil.example/p.png)',
  '\\![](https://evil.example/p.png)',
  '\\\\![](https://evil.example/p.png)',
  '[![](https://evil.example/p.png)](https://evil.example)',
  '![x][y]\n\n[y]: https://evil.example/p.png',
  '![x]\n\n[x]: https://evil.example/p.png',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](javascript&colon;alert(1))',
  '[x](\\javascript:alert(1))',
  '[x](java\\script:alert(1))',
  '[x](<javascript:alert(1)>)',
  '[x]( <javascript:alert(1)> )',
  '[x](\njavascript:alert(1))',
  '> [x](\n> command:x)',
  '[x](vbscript:x)',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](data:image/svg+xml,x)',
  '[x](command:workbench.action.quit)',
  '[x](vscode://x/y)',
  '[a [x](command:x)](command:y)',
  '[x][y]\n\n[y]: command:x',
  '[x]: command:x',
  '[x]: https://evil.example\n[Folder]: https://evil.example',
  '> [x]: https://evil.example',
  '- [x]:\n  https://evil.example',
  '[x\n]: https://evil.example',
  '[x]: https://evil.example\n    <img src=x>',
  '<javascript:alert(1)>',
  '<command:x>',
  '<vscode:x>',
  '<https://ok.example/`x>`<img src=x>`',
  '```\n<img src=x>',
  '~~~\n<img src=x>\n',
  '````\n```\n<img src=x>',
  '- ```\n  <img src=x>',
  '> ```\n<img src=x>',
  '1. ~~~\n<img src=x>',
  '    <img src=x>\n<img src=x>',
  '\t<img src=x>\n\nx\n    <img src=x>',
  '`<img src=x>',
  '` a\n` <img src=x> ` b',
  '`` a ` <img src=x> ` b',
  '`a\\`<img src=x>`',
  '\\`a` <img src=x> `',
  '``a` <img src=x> `',
  '| a ` |\n| - |\n| <img src=x> ` |',
  '| `a | <img src=x>` |\n| - | - |',
  '`a\n| <img src=x>` | b |\n| - | - |',
  '---\ntitle: x\n---\n<img src=x>',
  'x\n===\n<img src=x>',
  '<img src=x>\n===',
  'a <img src=x>\nb\n---\n    <img src=x>',
  '# <img src=x> #',
  '## 1. Fake turn\n\n### You',
  '<div>\n\n# x\n\n</div>',
  '$$\n\\href{javascript:alert(1)}{x}\n$$',
  '\u000b<img src=x>',
  '\u0000<img src=x>',
  '\r<img src=x>\r\n<img src=x>',
  '&lt;img src=x&gt;',
  '\\',
  'a\\\n<img src=x>',
  'https://evil.example/\\<img src=x>',
  'https://evil.example/\\![x](https://evil.example/p.png)',
  'https://evil.example/`<img src=x>`',
  'www.evil.example`<img src=x>`',
  '```|\n---\n<img src=x>',
];

const pieces = fc.constantFrom(
  ...[
    '<img src=x>',
    '<script>',
    '</script>',
    '<b',
    '<!--',
    '-->',
    '<https://a.b>',
    '<',
    '>',
    '&lt;',
  ],
  ...[
    '`',
    '``',
    '```',
    '~~~',
    '\\',
    '!',
    '[',
    ']',
    '(',
    ')',
    ':',
    '![x](',
    '[x](',
    '[x]:',
    '](',
    ' ',
  ],
  ...[
    'javascript:x',
    'command:x',
    'https://a.b',
    '&#106;',
    '\n',
    '\n\n',
    '\n    ',
    '\n> ',
    '\n- ',
    '\n\t',
  ],
  ...[
    '|',
    '\n| a | b |\n| - | - |\n',
    '\n===\n',
    '\n---\n',
    '# ',
    '*',
    '_',
    'text',
    '"',
    "'",
    '\u000c',
  ],
);

const link = { type: 'resource_link', uri: 'file:///a', name: 'a' } as const;

describe('Markdown of a hostile agent, written out', () => {
  it(`SEC-39: is text for every renderer: ${attacks.length} attacks`, () => {
    assert.ok(attacks.length >= 60);
    for (const attack of attacks) {
      check(attack);
      check(`- item\n\n  ${attack.replaceAll('\n', '\n  ')}`);
      check(`> ${attack.replaceAll('\n', '\n> ')}`);
      check(`text \`code\` ${attack}`);
    }
  });

  it('is text for every renderer: attacks one after another', () => {
    const mixture = fc.array(fc.constantFrom(...attacks), { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(mixture, fc.constantFrom('\n', '\n\n', ' ', ''), (texts, between) =>
        check(texts.join(between)),
      ),
      tries(1000),
    );
  });

  it('is text for every renderer: any mixture of what means something', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 14 }), (texts) => check(texts.join(''))),
      tries(1000),
    );
  });

  it('SEC-39: is text in every part of a document', () => {
    for (const attack of attacks) {
      const call = {
        kind: 'toolCall',
        toolCallId: 'c',
        title: attack,
        name: attack,
        toolKind: 'edit',
        status: 'completed',
        content: [
          { type: 'content', block: { type: 'text', text: attack } },
          { type: 'diff', path: attack, oldText: 'a', newText: attack },
          { type: 'content', block: { type: 'resource', uri: attack, text: attack } },
          { type: 'content', block: { type: 'resource_link', uri: attack, name: attack } },
          { type: 'terminal', terminalId: 't' },
        ],
        locations: [{ path: attack }],
        rawInput: { attack },
        rawOutput: attack,
        terminalOutput: new Map([['t', attack]]),
      } as const satisfies Entry;
      const failure = { code: 'internal', title: attack, detail: attack, actions: [] } as const;
      const entries: readonly Entry[] = [
        { kind: 'user', blocks: [{ type: 'text', text: attack }] },
        call,
        { kind: 'plan', items: [{ content: attack, priority: 'low', status: 'pending' }] },
        { kind: 'compaction', compactionId: 'c', status: attack, summary: [], error: attack },
        { kind: 'turn', outcome: { type: 'failed', failure, canResend: false } },
        {
          kind: 'elicitation',
          requestId: 1,
          message: attack,
          ask: { mode: 'url', url: attack, elicitationId: 'e' },
          state: { kind: 'accepted', values: { [attack]: attack } },
        },
      ];
      const header = { title: attack, agentTitle: attack, cwd: attack, sessionId: attack };
      const text = [...transcriptMarkdown(header, entries)].join('');
      for (const renderer of renderers) {
        checkHtml(renderer.render(text), attack);
      }
    }
  });

  it('is text below a list of ours, where what is indented is no code', () => {
    const indented = [
      '\t<img src=x onerror=alert(1)>',
      '    text <script>alert(1)</script> text',
      '   ```\n<img src=x>\n```',
      '\n     <iframe src=/x></iframe>',
    ];
    for (const text of indented) {
      const block = { type: 'text', text } as const;
      const entries: readonly Entry[] = [
        {
          kind: 'toolCall',
          toolCallId: 'c',
          title: 'Call',
          toolKind: 'other',
          status: 'completed',
          content: [{ type: 'content', block }],
          locations: [],
        },
        { kind: 'compaction', compactionId: 'c', status: 'completed', summary: [block] },
        { kind: 'agent', blocks: [{ type: 'text', text: '- a\n' }, link, block] },
      ];
      const header = { title: 't', agentTitle: 'a', cwd: '/', sessionId: 's' };
      const document = [...transcriptMarkdown(header, entries)].join('');
      for (const renderer of renderers) {
        checkHtml(renderer.render(document), text);
      }
    }
  });

  it('stays readable where an agent is honest', () => {
    const honest = [
      '# Plan',
      '',
      'Use `Vec<T>` and **not** `<img>`, see [the docs](https://a.b/c_(d)) or [a.ts](src/a.ts:12).',
      'If a < b && b > c then <https://a.b>; [top](#top), [up](../x.md), [m](mailto:a@b.c)',
      '',
      '- one',
      '  - [ ] two: `a`',
      '',
      '```html',
      '<img src=x> [x]: y',
      '```',
      '',
      '| a | b |',
      '| - | - |',
    ].join('\n');
    assert.equal(contained(honest), honest.replace('# Plan', '#### Plan'));
  });

  it('keeps diagrams, and formulas as blocks that GitHub and VS Code draw', () => {
    const diagram = '```mermaid\nflowchart LR\n  A["<b>"] --> B\n```';
    const source = '\\frac{a}{b} < \\left[\\begin{matrix} a & b \\\\ c \\end{matrix}\\right]';
    const fenced = `\`\`\`math\n${source}\n\`\`\``;
    assert.equal(contained(diagram), diagram);
    for (const block of [`$$\n${source}\n$$`, `$$${source}$$`, `\\[\n${source}\n\\]`, fenced]) {
      assert.equal(contained(`So\n${block}\nand $x_1 < y$.`), `So\n${fenced}\nand $x_1 < y$.`);
    }
    const tricky = '$$\n```\n<img src=x>\n$$\n\n# Next';
    assert.equal(contained(tricky), '````math\n```\n<img src=x>\n````\n\n#### Next');
    check(tricky);
  });

  it('writes formulas within a line as GitHub and VS Code draw them', () => {
    for (const [written, shown] of [
      ['so \\(x_1\\), and', 'so $x_1$, and'],
      ['- \\( a <b \\)', '- $a \\lt b$'],
      ['## Of $$E = mc^2$$', '##### Of $E = mc^2$'],
      [
        '> \\[ \\left[a\\right](b) ![x](y) \\] and `\\(x\\)`',
        '> $\\left[a\\right] (b) ! [x] (y)$ and `\\(x\\)`',
      ],
      ['one \\(a\\)\ntwo \\(b\\) \\(c\\)', 'one $a$\ntwo $b$ $c$'],
      ['[see \\(x\\)](https://a.b) and $y$', '[see $x$](https://a.b) and $y$'],
    ] as const) {
      assert.equal(contained(written), shown);
      check(written);
    }
    for (const kept of ['costs $5 and $6', 'n\\(x\\)th', '\\(a $ b\\)', '\\(a ` b\\)']) {
      assert.ok(!/\$[^ ]*\$/.test(contained(kept)), kept);
    }
    const many = '\\(x\\) <b> '.repeat(20_000);
    assert.ok(contained(many).startsWith('$x$ &lt;b> $x$'));
  });

  it('counts blocks as a message shows them: code, diagrams and formulas', () => {
    const message = '```mermaid\nA\n```\n\n$$\nx\n$$\n\n- $$y$$\n\n```ts\nlet z;\n```';
    const found = [0, 1, 2, 3, 4].map((at) => findCode(message, at));
    assert.deepEqual(found, ['A', 'x', 'y', 'let z;', undefined]);
  });

  it('has its changes compared only as far as that is worth it', () => {
    const lines = (word: string): string =>
      Array.from({ length: 3000 }, (_, at) => `${word} ${at}`).join('\n');
    const diff = { type: 'diff', path: 'a', oldText: lines('a'), newText: lines('b') } as const;
    const text = entryMarkdown(
      {
        kind: 'toolCall',
        toolCallId: 'c',
        title: 't',
        toolKind: 'edit',
        status: 'completed',
        content: Array.from({ length: 500 }, () => diff),
        locations: [],
      },
      { agentTitle: 'A' },
    );
    assert.equal(text.match(/too large to compare/g)?.length, 500);
  });
});
