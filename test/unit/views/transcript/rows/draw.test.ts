import assert from 'node:assert/strict';
import type { Block, ToolContent, ToolKind } from '../../../../../src/shared/transcript/content';
import type {
  DrawnBlock,
  DrawnDiff,
  DrawnToolCall,
} from '../../../../../src/shared/transcript/drawn';
import type { ToolCallEntry } from '../../../../../src/shared/transcript/entries';
import { drawEntry } from '../../../../../src/views/transcript/rows/draw';
import { shortPath } from '../../../../../src/views/transcript/rows/drawTexts';

const cwd = '/code/project';

function drawBlock(block: Block): DrawnBlock {
  const drawn = drawEntry({ kind: 'agent', blocks: [block] }, cwd);
  assert.ok(drawn.kind === 'agent');
  const [first] = drawn.blocks;
  assert.ok(first);
  return first;
}

function drawTool(call: Partial<ToolCallEntry>): DrawnToolCall {
  const drawn = drawEntry(
    {
      kind: 'toolCall',
      toolCallId: 'c1',
      title: 'Edit',
      toolKind: 'edit',
      status: 'completed',
      content: [],
      locations: [],
      ...call,
    },
    cwd,
  );
  assert.ok(drawn.kind === 'toolCall');
  return drawn;
}

function drawDiff(oldText: string | null, newText: string): DrawnDiff {
  const diff: ToolContent = { type: 'diff', path: `${cwd}/src/a.ts`, oldText, newText };
  const [drawn] = drawTool({ content: [diff] }).content;
  assert.ok(drawn?.type === 'diff');
  return drawn;
}

describe('drawing entries', () => {
  it('cuts long texts and says how much is missing', () => {
    assert.deepEqual(drawBlock({ type: 'text', text: 'short' }), {
      type: 'text',
      text: 'short',
      omitted: 0,
    });
    const drawn = drawBlock({ type: 'text', text: `${'x'.repeat(99_999)}😀tail` });
    assert.ok(drawn.type === 'text');
    assert.equal(drawn.text.length, 99_999, 'a character is never cut in half');
    assert.equal(drawn.omitted, 6);
  });

  it('TO-5: shows what tools printed as it is, and what they put between fences as Markdown', () => {
    const text = (toolKind: ToolCallEntry['toolKind'], value: string): string | undefined => {
      const block: Block = { type: 'text', text: value };
      const [drawn] = drawTool({ toolKind, content: [{ type: 'content', block }] }).content;
      return drawn?.type === 'block' ? drawn.block.type : undefined;
    };
    const listing = '- rw-r--r-- a.txt\n* b.txt';
    assert.deepEqual(
      (['read', 'search'] as const).map((kind) => text(kind, listing)),
      ['printed', 'printed'],
    );
    assert.equal(text('execute', 'It printed:\n```console\n$ ls\n```\nand more'), undefined);
    assert.equal(text('read', '```ts\nconst a = 1;\n```'), 'text');
    assert.equal(text('think', listing), 'text');
    assert.equal(text('other', '[\n  { "page": 1 }\n]'), 'printed');
    assert.equal(text('other', '[1](a.md) and {2}'), 'text');
  });

  it('TO-5, TE-9: shows what a command printed as a terminal, however its agent gives it', () => {
    const output = (toolKind: ToolCallEntry['toolKind'], value: string): unknown => {
      const block: Block = { type: 'text', text: value };
      return drawTool({ toolKind, content: [{ type: 'content', block }] }).content[0];
    };
    const terminal = (text: string): unknown => ({
      type: 'terminal',
      terminalId: '',
      output: { text, omitted: 0 },
    });
    assert.deepEqual(output('execute', '- a\n* b'), terminal('- a\n* b'));
    assert.deepEqual(output('execute', '```console\n$ ls\n```'), terminal('$ ls'));
    const colours = '\u001b[32mok\u001b[0m 1';
    assert.deepEqual(output('read', colours), terminal(colours), 'Codex calls a listing a read');
    const block: Block = { type: 'text', text: 'so far' };
    const [running] = drawTool({
      toolKind: 'execute',
      status: 'in_progress',
      content: [{ type: 'content', block }],
    }).content;
    assert.ok(running?.type === 'terminal' && running.waits);
  });

  it('T-74: has the command of a call whose title says something else, word for word', () => {
    const command = (title: string, rawInput: unknown, toolKind: ToolKind = 'execute') =>
      drawTool({ toolKind, title, rawInput }).command?.text;
    assert.equal(command('Run a command', { command: 'ls  -l "a"' }), 'ls  -l "a"');
    assert.equal(command('Run a command', { cmd: ['git', 'log'] }), 'git log');
    assert.equal(command('2 commands', { commands: ['ls', 'npm test'] }), 'ls\nnpm test');
    assert.equal(command('Make the list', { command: 'Make' }), 'Make');
    for (const title of ['echo `a`', '`echo `a``', '`echo \\`a\\``', 'Ran `echo `a``']) {
      assert.equal(command(title, { command: 'echo `a`' }), undefined, title);
    }
    assert.equal(command('Edit', { command: 'view', path: '/a' }, 'edit'), undefined);
    assert.equal(command('Run', { command: '' }), undefined);
    const long = drawTool({ toolKind: 'execute', rawInput: { command: 'x'.repeat(30_000) } });
    assert.equal(long.command?.omitted, 10_000);
  });

  it('T-74: a description of a command isn’t drawn like its output', () => {
    const block: Block = { type: 'text', text: 'Say hi' };
    const content = [{ type: 'content', block }] as const;
    const typeOf = (description: string) =>
      drawTool({ toolKind: 'execute', content, rawInput: { command: 'echo hi', description } })
        .content[0]?.type;
    assert.deepEqual([typeOf('Say hi'), typeOf('Greet')], ['block', 'terminal']);
  });

  it('TE-9: says with which code a command has failed, whatever its agent calls that', () => {
    const block: Block = { type: 'text', text: 'no such file' };
    const exit = (rawOutput: unknown): number | undefined => {
      const content = [{ type: 'content', block }] as const;
      const [drawn] = drawTool({ toolKind: 'execute', content, rawOutput }).content;
      assert.ok(drawn?.type === 'terminal');
      return drawn.exitCode;
    };
    assert.equal(exit({ output: 'no such file', metadata: { exit: 3, truncated: false } }), 3);
    assert.equal(exit({ content: 'no', contents: [{ type: 'shell_exit', exitCode: 1 }] }), 1);
    assert.equal(exit({ exit_code: 127 }), 127);
    assert.equal(exit({ exitCode: 0 }), undefined);
    assert.equal(exit({ exitCode: 'none', metadata: null, contents: [null] }), undefined);
  });

  it('draws the to-do list that a call has set, in the place of its JSON', () => {
    const todos = [
      { content: 'Read the cart', status: 'completed', priority: 'high' },
      { description: 'Change the rounding', status: 'in_progress' },
      { content: 'Run the tests', status: 'pending', activeForm: 'Running', id: '3' },
    ];
    const json: ToolContent = {
      type: 'content',
      block: { type: 'text', text: JSON.stringify(todos, undefined, 2) },
    };
    const drawn = drawTool({ toolKind: 'other', rawInput: { todos }, content: [json] });
    assert.deepEqual(drawn.todos, [
      { content: 'Read the cart', status: 'completed', priority: 'high' },
      { content: 'Change the rounding', status: 'in_progress', priority: 'medium' },
      { content: 'Run the tests', status: 'pending', priority: 'medium' },
    ]);
    assert.deepEqual(drawn.content, []);
    const said: ToolContent = {
      type: 'content',
      block: { type: 'text', text: 'The list is set.' },
    };
    assert.equal(drawTool({ rawInput: { todos }, content: [said] }).content.length, 1);
    for (const broken of ['x', [], [7], [{ content: 'a' }], [{ content: 'a', status: 'maybe' }]]) {
      assert.equal(drawTool({ rawInput: { todos: broken } }).todos, undefined);
    }
  });

  it('TE-9: knows a terminal without output whose call may still print', () => {
    const content: readonly ToolContent[] = [{ type: 'terminal', terminalId: 'x' }];
    const [running] = drawTool({ status: 'pending', content }).content;
    const [ended] = drawTool({ status: 'completed', content }).content;
    assert.ok(running?.type === 'terminal' && ended?.type === 'terminal');
    assert.deepEqual([running.waits, ended.waits], [true, undefined]);
  });

  it('shows only images that are pictures and not too large', () => {
    const image = (mimeType: string, data: string): DrawnBlock =>
      drawBlock({ type: 'image', mimeType, data });
    assert.deepEqual(image('image/PNG', 'AAAA'), {
      type: 'image',
      mimeType: 'image/png',
      data: 'AAAA',
    });
    assert.equal(image('image/svg+xml', 'AAAA').type, 'label');
    assert.equal(image('text/html', 'AAAA').type, 'label');
    assert.equal(image('image/png', 'A'.repeat(8_000_001)).type, 'label');
  });

  it('names what it does not show', () => {
    assert.deepEqual(drawBlock({ type: 'audio', mimeType: 'audio/wav', data: 'A'.repeat(4000) }), {
      type: 'label',
      icon: 'audio',
      label: 'Audio',
      detail: 'audio/wav, 3 KB',
    });
    const unknown = drawBlock({ type: 'unknown', label: 'hologram' });
    assert.ok(unknown.type === 'label' && unknown.label.includes('hologram'));
    const known = drawBlock({ type: 'unknown', label: 'hologram', raw: '{}' });
    assert.ok(known.type === 'unknown' && known.raw === '{}');
    const binary = drawBlock({ type: 'resource', uri: `file://${cwd}/a%20b.bin`, size: 12 });
    assert.ok(binary.type === 'label');
    assert.deepEqual([binary.label, binary.detail], ['a b.bin', '12 bytes']);
  });

  it('calls a linked resource by its title', () => {
    const link = drawBlock({
      type: 'resource_link',
      uri: 'https://example.org/a',
      name: 'a',
      title: 'Page A',
      mimeType: 'text/html',
      size: 2.5 * 1024 ** 2,
    });
    assert.ok(link.type === 'link');
    assert.deepEqual([link.label, link.detail], ['Page A', 'text/html, 2.5 MB']);
  });

  it('shows paths relative to the session’s folder where they lie inside', () => {
    assert.equal(shortPath('/code/project/src/a.ts', cwd), 'src/a.ts');
    assert.equal(shortPath('/code/other/a.ts', cwd), '/code/other/a.ts');
    assert.equal(shortPath('/code/project', cwd), '/code/project');
    assert.equal(shortPath('src/a.ts', cwd), 'src/a.ts');
    const [location] = drawTool({ locations: [{ path: `${cwd}/a.ts`, line: 7 }] }).locations;
    assert.deepEqual(location, { path: `${cwd}/a.ts`, line: 7, label: 'a.ts:7', index: 0 });
  });

  it('formats raw input and output, bounded, and leaves texts as they are', () => {
    const drawn = drawTool({ rawInput: { a: [1] }, rawOutput: 'plain "text"' });
    assert.equal(drawn.rawInput?.text, '{\n  "a": [\n    1\n  ]\n}');
    assert.equal(drawn.rawOutput?.text, 'plain "text"');
    const long = drawTool({ rawOutput: { text: 'x'.repeat(50_000) } }).rawOutput;
    assert.equal(long?.text.length, 20_000);
    assert.ok(long.omitted > 30_000);
    assert.equal(drawTool({}).rawInput, undefined);
    assert.equal(drawTool({ rawInput: null }).rawInput?.text, 'null');
  });

  it('hides raw output that is empty or already shown', () => {
    const printed = (text: string): readonly ToolContent[] => [
      { type: 'content', block: { type: 'text', text } },
    ];
    assert.equal(drawTool({ rawInput: {}, rawOutput: '' }).rawInput, undefined);
    assert.equal(drawTool({ rawInput: {}, rawOutput: '' }).rawOutput, undefined);
    const fencedText = '```console\ncaps-1\n```';
    for (const content of [printed('caps-1\n'), printed(fencedText)]) {
      assert.equal(drawTool({ rawOutput: 'caps-1', content }).rawOutput, undefined);
    }
    const terminal: readonly ToolContent[] = [{ type: 'terminal', terminalId: 'x' }];
    const same = {
      rawOutput: 'caps-1',
      content: terminal,
      terminalOutput: new Map([['x', 'caps-1\n']]),
    };
    assert.equal(drawTool(same).rawOutput, undefined);
    const other = drawTool({ rawOutput: 'more', content: printed('caps-1') }).rawOutput;
    assert.deepEqual(other, { text: 'more', omitted: 0, isJson: false });
    for (const rawOutput of [
      { output: 'caps-1\n', metadata: { exit: 0 } },
      { content: [{ type: 'text', text: 'caps-1\n' }] },
      { exit_code: 0 },
    ]) {
      assert.equal(drawTool({ rawOutput, content: printed('caps-1') }).rawOutput, undefined);
    }
    assert.equal(drawTool({ rawInput: { a: 1 } }).rawInput?.isJson, true);
  });

  it('names files only, and those within the folder by their path in it', () => {
    const locations = [{ path: cwd }, { path: '/elsewhere' }, { path: `${cwd}/a.ts` }];
    const rawInput = { command: 'ls', cwd: '/elsewhere' };
    const command = drawTool({ toolKind: 'execute', rawInput, locations });
    assert.deepEqual(
      command.locations.map(({ label, index }) => [label, index]),
      [['a.ts', 2]],
      'a click opens the file that the chip names',
    );
    assert.deepEqual(drawTool({ toolKind: 'search', locations: [{ path: cwd }] }).locations, []);
    assert.equal(drawTool({ title: `${cwd}/src/a.ts` }).title, 'src/a.ts');
    const title = `cat ${cwd}/src/a.ts`;
    assert.equal(
      drawTool({ toolKind: 'execute', title }).title,
      title,
      'a command is never altered',
    );
    assert.equal(
      drawTool({ toolKind: 'read', title: `Viewing ${cwd}/src/a.ts` }).title,
      'Viewing src/a.ts',
    );
    assert.equal(
      drawTool({ toolKind: 'read', title: `Read ${cwd}, ${cwd}2/b, /x${cwd}/c` }).title,
      `Read ${cwd}, ${cwd}2/b, /x${cwd}/c`,
    );
  });

  it('TE-9: shows output of terminals that the agent ran, and none where it gave none', () => {
    const content: ToolContent[] = [
      { type: 'terminal', terminalId: 't1' },
      { type: 'terminal', terminalId: 'toString' },
    ];
    assert.deepEqual(drawTool({ content, terminalOutput: new Map([['t1', 'ok']]) }).content[0], {
      type: 'terminal',
      terminalId: 't1',
      output: { text: 'ok', omitted: 0 },
    });
    assert.deepEqual(drawTool({ content }).content[1], {
      type: 'terminal',
      terminalId: 'toString',
    });
  });

  it('reduces a diff to its hunks', () => {
    const before = Array.from({ length: 40 }, (_, index) => `line ${index}`);
    const after = before.map((line, index) => (index === 5 || index === 30 ? `${line}!` : line));
    const drawn = drawDiff(before.join('\n'), after.join('\n'));
    assert.deepEqual([drawn.added, drawn.removed, drawn.cut, drawn.isNew], [2, 2, false, false]);
    assert.equal(drawn.label, 'src/a.ts');
    assert.deepEqual(
      drawn.lines.filter(({ type }) => type !== 'same'),
      [
        { type: 'removed', text: 'line 5' },
        { type: 'added', text: 'line 5!' },
        { type: 'gap', text: '' },
        { type: 'removed', text: 'line 30' },
        { type: 'added', text: 'line 30!' },
      ],
    );
  });

  it('shows a new file as added lines', () => {
    const drawn = drawDiff(null, 'a\nb\n');
    assert.deepEqual([drawn.isNew, drawn.added, drawn.removed], [true, 2, 0]);
    assert.deepEqual(drawn.lines, [
      { type: 'added', text: 'a' },
      { type: 'added', text: 'b' },
    ]);
  });

  it('bounds a diff: its lines, their length, and the work', () => {
    const many = drawDiff('', 'x\n'.repeat(900));
    assert.deepEqual([many.lines.length, many.cut, many.added], [200, true, 900]);
    const wide = drawDiff('', 'x'.repeat(5000));
    assert.equal(wide.lines[0]?.text.length, 1000);
    const rewrite = drawDiff(
      Array.from({ length: 9000 }, (_, index) => `old ${index}`).join('\n'),
      Array.from({ length: 7000 }, (_, index) => `new ${index}`).join('\n'),
    );
    assert.deepEqual([rewrite.lines.length, rewrite.cut], [0, true]);
    assert.deepEqual([rewrite.added, rewrite.removed], [7000, 9000]);
    const huge = drawDiff(`same\n${'a'.repeat(1_000_000)}`, `same\n${'b'.repeat(1_000_000)}`);
    assert.deepEqual([huge.added, huge.removed, huge.cut], [1, 1, true]);
  });

  it('compares a diff once, however often it is drawn', () => {
    const diff: ToolContent = { type: 'diff', path: 'a', oldText: 'a', newText: 'b' };
    const draw = (): unknown => drawTool({ content: [diff] }).content[0];
    const [first, second] = [draw(), draw()] as DrawnDiff[];
    assert.equal(first?.lines, second?.lines);
  });

  it('V2-DIFF-2, V2-DIFF-5: draws what happened to a file, and its lines as what follows it', () => {
    const file = (name: string): string => `${cwd}/${name}`;
    const change = { type: 'fileChange', operation: 'move', path: file('new') } as const;
    const diff = (name: string) =>
      ({ type: 'diff', path: file(name), oldText: 'a', newText: 'b' }) as const;
    const { content } = drawTool({
      content: [
        { ...change, oldPath: file('old') },
        diff('new'),
        diff('new'),
        diff('other'),
        diff('new'),
        { ...change, operation: 'delete', fileType: 'binary' },
        { ...change, path: '/[build.example]/srv/app', oldPath: '/elsewhere/old' },
      ],
    });
    assert.deepEqual(
      content.map((part) => (part.type === 'diff' ? [part.label, part.goesOn] : part)),
      [
        {
          ...{ ...change, oldPath: file('old'), label: 'new', oldLabel: 'old' },
          ...{ hasLines: true, opens: true },
        },
        ['new', true],
        ['new', true],
        ['other', undefined],
        ['new', undefined],
        { ...change, operation: 'delete', fileType: 'binary', label: 'new' },
        {
          ...{ ...change, path: '/[build.example]/srv/app', label: '/[build.example]/srv/app' },
          ...{ oldPath: '/elsewhere/old', oldLabel: '/elsewhere/old' },
        },
      ],
    );
  });

  it('V2-PLAN-3: draws a plan that isn’t a list', () => {
    const drawn = drawEntry(
      { kind: 'plan', items: [], blocks: [{ type: 'text', text: '# Plan' }] },
      cwd,
    );
    assert.deepEqual(drawn, {
      kind: 'plan',
      items: [],
      blocks: [{ type: 'text', text: '# Plan', omitted: 0 }],
    });
  });
});
