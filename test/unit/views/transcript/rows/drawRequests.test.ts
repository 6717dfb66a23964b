import assert from 'node:assert/strict';
import type { FormField } from '../../../../../src/shared/requests/agentQuestions';
import type { ToolContent } from '../../../../../src/shared/transcript/content';
import type { DrawnElicitation, DrawnPermission } from '../../../../../src/shared/transcript/drawn';
import type {
  ElicitationEntry,
  PermissionEntry,
  ToolCallEntry,
} from '../../../../../src/shared/transcript/entries';
import { drawEntry } from '../../../../../src/views/transcript/rows/draw';

const cwd = '/code/project';

function callOf(call: Partial<ToolCallEntry>): ToolCallEntry {
  return {
    kind: 'toolCall',
    toolCallId: 'c1',
    title: 'Run',
    toolKind: 'execute',
    status: 'pending',
    content: [],
    locations: [],
    ...call,
  };
}

function drawPermission(
  call: Partial<ToolCallEntry>,
  more: Partial<PermissionEntry> = {},
): DrawnPermission {
  const entry: PermissionEntry = {
    ...more,
    kind: 'permission',
    requestId: 3,
    toolCall: callOf(call),
    options: [{ optionId: 'a', name: 'Allow', kind: 'allow_once' }],
    state: { kind: 'waiting' },
  };
  const drawn = drawEntry(entry, cwd);
  assert.ok(drawn.kind === 'permission');
  return drawn;
}

function drawForm(fields: readonly FormField[], message = 'Which?'): DrawnElicitation {
  const entry: ElicitationEntry = {
    kind: 'elicitation',
    requestId: 4,
    message,
    ask: { mode: 'form', fields },
    state: { kind: 'waiting' },
  };
  const drawn = drawEntry(entry, cwd);
  assert.ok(drawn.kind === 'elicitation');
  return drawn;
}

describe('drawing what agents ask', () => {
  it('PE-2: finds the command in a tool’s input, whatever it is called there', () => {
    const commandIn = (rawInput: unknown): string | undefined =>
      drawPermission({ rawInput }).command?.text;
    assert.equal(commandIn({ command: 'npm test && ls' }), 'npm test && ls');
    assert.equal(commandIn({ cmd: 'make' }), 'make');
    assert.equal(commandIn({ command: 'git', args: ['log', '-1'] }), 'git log -1');
    assert.equal(commandIn({ command: ['bash', '-lc', 'rm -rf x'] }), 'bash -lc "rm -rf x"');
    assert.equal(commandIn({ command: ['echo', 7, 'a"b'] }), 'echo 7 "a\\"b"');
    for (const none of [undefined, null, 'text', {}, { command: '' }, { command: [] }, [1]]) {
      assert.equal(commandIn(none), undefined);
    }
  });

  it('PE-2: shows the request in full, or says what is cut', () => {
    const long = drawPermission({ rawInput: { command: `echo ${'x'.repeat(50_000)}` } });
    assert.deepEqual([long.command?.omitted, long.toolCall.rawInput?.omitted], [0, 0]);
    const huge = drawPermission({ rawInput: { command: 'x'.repeat(150_000) } });
    assert.equal(huge.command?.omitted, 50_000);
    const diffOf = (newText: string) => {
      const diff: ToolContent = { type: 'diff', path: `${cwd}/a`, oldText: null, newText };
      const [drawn] = drawPermission({ content: [diff] }).toolCall.content;
      assert.ok(drawn?.type === 'diff');
      return drawn;
    };
    const whole = diffOf('x\n'.repeat(2500));
    assert.deepEqual([whole.lines.length, whole.cut, whole.added], [2500, false, 2500]);
    const wide = diffOf('x'.repeat(19_000));
    assert.deepEqual([wide.lines[0]?.text.length, wide.cut], [19_000, false]);
    assert.equal(diffOf('x\n'.repeat(3500)).cut, true);
    assert.equal(diffOf('x'.repeat(21_000)).cut, true, 'a shortened line is a cut change');
  });

  it('EL-3, EL-7: bounds the texts of a question, and leaves names and values as they are', () => {
    const long = 'x'.repeat(30_000);
    const drawn = drawForm(
      [
        {
          type: 'string',
          name: long,
          title: long,
          description: long,
          required: true,
          initial: 'a',
        },
        {
          type: 'select',
          name: 's',
          title: 'S',
          required: false,
          choices: [{ value: long, title: long }],
        },
        { type: 'unknown', name: 'u', title: 'U', required: false },
      ],
      long,
    );
    assert.match(drawn.message, /^x{20000}… \(10000 more characters\)$/);
    assert.ok(drawn.ask.mode === 'form');
    const [text, select, unknown] = drawn.ask.fields;
    assert.equal(text?.name, long);
    assert.ok(text.title.length < 600 && (text.description ?? '').length < 2100);
    assert.ok(select?.type === 'select');
    assert.equal(select.choices[0]?.value, long);
    assert.ok(select.choices[0].title.length < 600);
    assert.equal(unknown?.type, 'unknown');
  });

  it('EL-11: an address is whole, or too long to be opened and says how much is missing', () => {
    const drawn = (length: number): unknown => {
      const url = 'https://a.example/'.padEnd(length, 'x');
      const { ask, shortened } = drawEntry(
        {
          kind: 'elicitation',
          requestId: 4,
          message: 'Open',
          ask: { mode: 'url', url, elicitationId: 'e' },
          state: { kind: 'waiting' },
        },
        cwd,
      ) as DrawnElicitation;
      return ask.mode === 'url' && [ask.url.length, ask.omitted, shortened];
    };
    assert.deepEqual(drawn(4000), [4000, undefined, undefined]);
    assert.deepEqual(drawn(8000), [300, 7700, true]);
  });

  it('TE-9: keeps the end of a long output from the start of a line, and less while it runs', () => {
    const line = `${'y'.repeat(99)}\n`;
    const outputOf = (state: 'running' | 'exited') => {
      const entry = callOf({
        content: [{ type: 'terminal', terminalId: 't' }],
        terminalOutput: new Map([['t', `first\n${line.repeat(2000)}last`]]),
        terminals: new Map([
          ['t', state === 'running' ? { kind: state } : { kind: state, exitCode: 0, signal: null }],
        ]),
      });
      const drawn = drawEntry(entry, cwd);
      const content = drawn.kind === 'toolCall' ? drawn.content[0] : undefined;
      assert.ok(content?.type === 'terminal' && content.output);
      assert.equal(content.state?.kind, state);
      return content.output;
    };
    const running = outputOf('running');
    const exited = outputOf('exited');
    for (const { text } of [running, exited]) {
      assert.ok(text.startsWith('y'.repeat(99)) && text.endsWith('last'));
    }
    assert.ok(running.text.length <= 20_000 && exited.text.length > 90_000);
    assert.equal(exited.text.length + exited.omitted, 6 + 200_000 + 4);
  });

  it('TE-9: an output of one line isn’t cut within a color', () => {
    const drawn = drawEntry(
      callOf({
        content: [{ type: 'terminal', terminalId: 't' }],
        terminalOutput: new Map([['t', `${'y'.repeat(50)}\u001b[38;5;196m${'x'.repeat(99_994)}`]]),
      }),
      cwd,
    );
    const content = drawn.kind === 'toolCall' ? drawn.content[0] : undefined;
    assert.ok(content?.type === 'terminal' && content.output);
    assert.deepEqual(
      [content.output.text, content.output.omitted],
      ['x'.repeat(99_994), 50 + '\u001b[38;5;196m'.length],
    );
  });

  it('PR-7: says what the agent has dropped', () => {
    const message = drawEntry({ kind: 'user', blocks: [], dropped: true }, cwd);
    const call = drawEntry(callOf({ dropped: true }), cwd);
    assert.ok('dropped' in message && 'dropped' in call);
    assert.ok(!('dropped' in drawEntry(callOf({}), cwd)));
  });

  it('V2-PERM-1, V2-PERM-3: the request’s own words are bounded, and its title isn’t said twice', () => {
    const own = drawPermission(
      { title: 'Run', rawInput: { command: 'ls', cwd: '/code/project/src' } },
      { title: 'x'.repeat(1000), description: 'y'.repeat(20_000) },
    );
    assert.match(own.title ?? '', /^x{500}… \(500 more characters\)$/);
    assert.match(own.description ?? '', /^y{10000}… \(10000 more characters\)$/);
    assert.equal(own.shortened, true);
    assert.deepEqual(own.folders, ['/code/project/src']);
    assert.equal(drawPermission({ title: 'Run' }, { title: ' Run ' }).title, undefined);
    assert.equal(drawPermission({ rawInput: { cwd: '/code' } }).folders, undefined, 'no command');
  });

  it('PE-9, SEC-4: says every folder and variable that the input names, however it spells that, within bounds', () => {
    const draw = (beside: object) => drawPermission({ rawInput: { command: 'ls', ...beside } });
    const one = draw({ Current_Working_Dir: '/etc', options: { ENV_VARS: { A: '1', B: '2' } } });
    assert.deepEqual([one.folders, one.variables], [['/etc'], ['A=1', 'B=2']]);
    assert.deepEqual([draw({}).folders, draw({}).variables], [undefined, undefined]);
    const env = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`V${at}`, '1']));
    const many = draw({ env, cwd: `/${'x'.repeat(1_000)}` });
    assert.deepEqual([many.variables?.length, many.shortened], [20, true]);
    assert.match(many.folders?.[0] ?? '', /^\/x{499}… \(501 more characters\)$/);
  });
});
