import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { fenced, inlineCode, plain } from '../../../../src/model/text/markdownCode';
import { contained } from '../../../../src/model/text/markdownText';
import {
  entryMarkdown,
  findCode,
  type TextHeader,
  transcriptMarkdown,
} from '../../../../src/model/transcript/transcriptText';
import type { ToolKind } from '../../../../src/shared/transcript/content';
import type { Entry, ToolCallEntry } from '../../../../src/shared/transcript/entries';
import { fc, tries } from '../../../support/properties';
import { agent, call, entriesOf, user } from '../updates';

const header: TextHeader = {
  title: 'Fix the cart',
  agentTitle: 'Demo Agent',
  cwd: '/project/shop',
  sessionId: 'abc',
  updatedAt: '2026-01-02T03:04:05Z',
};

const toolEntry: ToolCallEntry = {
  kind: 'toolCall',
  toolCallId: 'c',
  title: 'Look',
  toolKind: 'read',
  status: 'completed',
  content: [],
  locations: [],
};

/** Reads the document as VS Code does for its outline, with raw HTML as HTML. */
const reader = new MarkdownIt({ html: true });

interface Heading {
  readonly level: number;
  readonly text: string;
  readonly nested: boolean;
}

function headings(markdown: string): readonly Heading[] {
  const tokens = reader.parse(markdown, {});
  return tokens.flatMap((token, index) =>
    token.type === 'heading_open'
      ? [
          {
            level: Number(token.tag.slice(1)),
            text: (tokens[index + 1]?.children ?? []).map(({ content }) => content).join(''),
            nested: token.level > 0,
          },
        ]
      : [],
  );
}

const document = (entries: readonly Entry[]): string =>
  [...transcriptMarkdown(header, entries)].join('');

/** Lines that users and agents write, and lines that could break a document. */
const line = fc.constantFrom(
  ...['# One', '## 9. Fake', 'Text', '===', '---', '```', '````ts', '~~~', '> quote', '> ```'],
  ...[
    '- item',
    '  - ```',
    '  ```',
    '1. one',
    '   ~~~',
    '    code',
    '\t```',
    '',
    ' ',
    '<!--',
    '-->',
  ],
  ...['<div>', '</div>', '<script>', '- <pre>', '> <!-- x', '<?php', '<![CDATA[', '<!DOCTYPE x'],
  ...['| a | b |', '| - | - |', '[x]: y', '![i](https://x)', '<img src="x">', '\\', '`', '$$'],
  ...['- > # deep', '+ ## nine', '#', '######', 'Title  ', '***', '<a b', '<A@b.c>', '\u000b# x'],
);
const markdown = fc.oneof(
  fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n')),
  fc.string({ maxLength: 60, unit: fc.constantFrom(...'#`~-=*<>!/a \n\t\r[]()$:.1\\'.split('')) }),
);

describe('Transcript as Markdown', () => {
  it('has a heading for each turn, and below it one for all that was said and done', () => {
    const text = document(
      entriesOf(
        agent('Welcome'),
        user('Fix *it*\nplease'),
        call('1', { title: 'Edit cart.ts', kind: 'edit', status: 'completed' }),
        agent('Done'),
        user('Thanks'),
      ),
    );
    assert.deepEqual(
      headings(text).map(({ level, text: label }) => `${'#'.repeat(level)} ${label}`),
      [
        '# Fix the cart',
        '## Beginning',
        '### Demo Agent',
        '## 1. Fix *it* please',
        '### You',
        '### Edit: Edit cart.ts',
        '### Demo Agent',
        '## 2. Thanks',
        '### You',
      ],
    );
    assert.match(text, /- Agent: Demo Agent\n- Folder: `\/project\/shop`\n- Session: `abc`\n/);
  });

  it('shows a tool call with its status, its files and its change', () => {
    const [entry] = entriesOf(
      call('1', {
        title: 'Edit `cart.ts`',
        kind: 'edit',
        status: 'failed',
        locations: [{ path: '/project/shop/cart.ts', line: 12 }],
        rawInput: { path: 'cart.ts' },
        content: [
          { type: 'diff', path: '/project/shop/cart.ts', oldText: 'a\nb\n', newText: 'a\nc\n' },
          { type: 'terminal', terminalId: 't' },
        ],
        terminalOutput: [{ terminalId: 't', text: '\u001b[31m```\u001b[0m\r\n', append: false }],
      }),
    );
    assert.ok(entry);
    assert.equal(
      entryMarkdown(entry, header),
      [
        '### Edit: Edit \\`cart.ts\\`',
        '',
        '- Status: failed',
        '- File: `/project/shop/cart.ts:12`',
        '',
        'Input:',
        '',
        '```json\n{\n  "path": "cart.ts"\n}\n```',
        '',
        'Change: `/project/shop/cart.ts`',
        '',
        '```diff\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n```',
        '',
        'Terminal:',
        '',
        '````\n```\n````',
      ].join('\n'),
    );
  });

  it('contains the agent’s requests with their answers, and how a turn ended', () => {
    const [toolCall] = entriesOf(call('1', { title: 'Run tests' }));
    assert.ok(toolCall?.kind === 'toolCall');
    const permission: Entry = {
      kind: 'permission',
      requestId: 1,
      toolCall,
      options: [{ optionId: 'y', name: 'Allow', kind: 'allow_once' }],
      state: { kind: 'selected', optionId: 'y', by: 'rule' },
    };
    assert.equal(
      entryMarkdown(permission, header),
      '### Permission: Run tests\n\n- Answer: Allow (by a rule)',
    );
    const end: Entry = { kind: 'turn', outcome: { type: 'stopped', stopReason: 'max_tokens' } };
    assert.equal(entryMarkdown(end, header), '### Turn ended: max tokens');
    const silent: Entry = { kind: 'turn', outcome: { type: 'stopped', stopReason: 'end_turn' } };
    const named = { ...header, agentTitle: 'Gem*ini*' };
    assert.equal(entryMarkdown(silent, named), '### Gem\\*ini\\* ended the turn without an answer');
  });

  it('puts the headings of a message below its own and leaves code alone', () => {
    assert.equal(
      contained('# A\n\nB\n---\n\n```sh\n# comment\n<div>\n```\n\n<div>x</div>'),
      '#### A\n\n##### B\n\n\n```sh\n# comment\n<div>\n```\n\n&lt;div>x&lt;/div>',
    );
    assert.equal(
      contained('See <https://a.b> ![x](https://c)'),
      'See <https://a.b> &#33;[x](https://c)',
    );
  });

  it('keeps its structure whatever a message contains', () => {
    fc.assert(
      fc.property(fc.array(markdown, { minLength: 1, maxLength: 3 }), (texts) => {
        const entries = texts.map((text, index): Entry => {
          const blocks = [{ type: 'text', text }] as const;
          return { kind: index % 2 === 0 ? 'user' : 'agent', blocks };
        });
        const own = headings(document(entries)).filter(({ level }) => level <= 3);
        assert.equal(own.filter(({ level }) => level === 1).length, 1);
        assert.equal(own.filter(({ level }) => level === 2).length, Math.ceil(texts.length / 2));
        assert.equal(own.filter(({ level }) => level === 3).length, texts.length);
        assert.ok(own.every(({ nested }) => !nested));
      }),
      tries(2000),
    );
  });

  it('keeps code, names and labels what they are', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const [fence, ...others] = reader.parse(fenced(text), {});
        assert.equal(fence?.type, 'fence');
        assert.equal(others.length, 0);
        const inline = (source: string) => reader.parseInline(source, {})[0]?.children ?? [];
        assert.ok(inline(`x ${plain(text)}`).every(({ type }) => /^text/.test(type)));
        const code = inlineCode(text);
        assert.deepEqual(
          inline(code).map(({ type }) => type),
          code === '' ? [] : ['code_inline'],
        );
      }),
      tries(1000),
    );
  });

  it('TO-5: fences what a tool has printed, and leaves Markdown as that', () => {
    const printed = '# no heading\n- no list\n```\nno fence\n```';
    const content = [{ type: 'content', block: { type: 'text', text: printed } }] as const;
    const of = (toolKind: ToolKind): string =>
      entryMarkdown({ ...toolEntry, toolKind, content }, header);
    for (const toolKind of ['read', 'search', 'execute'] as const) {
      assert.ok(of(toolKind).includes(`\`\`\`\`\n${printed}\n\`\`\`\``), toolKind);
      assert.equal(headings(of(toolKind)).length, 1);
    }
    assert.ok(!of('think').includes('````'));
    const fencedByAgent = [
      { type: 'content', block: { type: 'text', text: '```ts\nlet a;\n```' } },
    ] as const;
    const own = entryMarkdown({ ...toolEntry, content: fencedByAgent }, header);
    assert.ok(own.includes('```ts\nlet a;\n```') && !own.includes('````'));
  });

  it('comes in pieces, one for each entry', () => {
    const entries = entriesOf(user('a'), agent('b'), user('c'));
    const pieces = transcriptMarkdown(header, entries);
    assert.match(String(pieces.next().value), /^# Fix the cart\n/);
    assert.match(String(pieces.next().value), /^\n## 1\. a\n\n### You\n\na\n$/);
    assert.equal([...pieces].length, 2);
  });
});

describe('a piece of code in a text', () => {
  const text = '```ts\nlet a = 1;\n\n```\r\n- x\n\n  ~~~\n  b\n  ~~~\n\n    c\n';

  it('is found by its place, without its fence', () => {
    assert.equal(findCode(text, 0), 'let a = 1;\n');
    assert.equal(findCode(text, 1), 'b');
    assert.equal(findCode('x\n\n    c\n', 0), 'c');
    assert.equal(findCode(text, 9), undefined);
  });
});
