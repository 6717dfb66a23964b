import assert from 'node:assert/strict';
import type { ConfigOption } from '../../../../src/shared/transcript/config';
import { getFileUris, mayHoldFiles } from '../../../../src/webview/composer/attachments/transfer';
import {
  complete,
  triggerAt,
  withPlainCommand,
} from '../../../../src/webview/composer/draft/trigger';
import {
  filtered,
  getChoiceName,
  getChoices,
  inOrder,
  namedValue,
  needsFilter,
} from '../../../../src/webview/composer/options/configChoices';
import { usageText } from '../../../../src/webview/composer/options/usageText';
import { fc } from '../../../support/properties';

describe('completion at the caret', () => {
  it('is a command at the start, or a mention after a space or bracket', () => {
    const at = (text: string): string | undefined => {
      const trigger = triggerAt(text.replace('|', ''), text.indexOf('|'));
      return trigger && `${trigger.kind} ${trigger.start} ${trigger.query}`;
    };
    assert.equal(at('/|'), 'command 0 ');
    assert.equal(at('/co|mpact'), 'command 0 co');
    assert.equal(at('@|'), 'mention 0 ');
    assert.equal(at('see @src/a|'), 'mention 4 src/a');
    assert.equal(at('(@a|)'), 'mention 1 a');
    assert.equal(at('one\n@a|'), 'mention 4 a');
    assert.equal(at('/compact |'), undefined);
    assert.equal(at(' /co|'), undefined);
    assert.equal(at('ann@exa|'), undefined);
    assert.equal(at('@a b|'), undefined);
    assert.equal(at('|@a'), undefined);
    assert.equal(at('／co|'), 'command 0 co');
    assert.equal(at('＠a|'), 'mention 0 a');
    assert.equal(at('この@a|'), 'mention 2 a');
    assert.equal(at('看看，@src|'), 'mention 3 src');
    assert.equal(at('파일@a|'), 'mention 2 a');
    assert.equal(at('é@a|'), undefined);
  });

  it('is replaced in place, with one space after it', () => {
    const whole = (text: string, word: string): string => {
      const caret = text.indexOf('|');
      const plain = text.replace('|', '');
      const trigger = triggerAt(plain, caret);
      assert.ok(trigger);
      const written = complete(plain, trigger, word);
      return `${written.text.slice(0, written.caret)}|${written.text.slice(written.caret)}`;
    };
    assert.equal(whole('/c|', '/compact'), '/compact |');
    assert.equal(whole('see @c|, please', '@cart.ts'), 'see @cart.ts |, please');
    assert.equal(whole('／c|', '/compact'), '/compact |');
    assert.equal(whole('看＠c|', '@cart.ts'), '看@cart.ts |');
    assert.equal(whole('see @c| please', '@cart.ts'), 'see @cart.ts |please');
  });

  it('CM-2: a command of the agent that was written whole with a fullwidth mark is sent with a slash', () => {
    const commands = [{ name: 'compact' }];
    assert.equal(withPlainCommand('／compact now', commands), '/compact now');
    assert.equal(withPlainCommand('／和', commands), '／和');
    assert.equal(withPlainCommand('a ／compact', commands), 'a ／compact');
  });

  it('is found at any caret of any text without a slip', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(50), (text, at) => {
        const caret = Math.min(at, text.length);
        const trigger = triggerAt(text, caret);
        if (trigger) {
          assert.ok(trigger.start >= 0 && trigger.end === caret);
          assert.equal(text.slice(trigger.start + 1, caret), trigger.query);
        }
      }),
    );
  });
});

describe('pickers', () => {
  const option = (id: string, category?: string): ConfigOption => ({
    id,
    name: id,
    type: 'boolean',
    value: false,
    ...(category !== undefined && { category }),
  });
  const order = (...options: readonly ConfigOption[]): string[] =>
    inOrder(options).map(({ id }) => id);

  it("CF-2: stand in the agent's order", () => {
    assert.deepEqual(
      order(option('z', 'model'), option('a', 'mode'), option('m', 'model'), option('b')),
      ['z', 'a', 'm', 'b'],
    );
  });

  it('CF-4: leave out no category that they do not know', () => {
    const options = [option('x'), option('y', '_own'), option('z', 'future'), option('s', 'speed')];
    assert.deepEqual(order(...options), ['x', 'y', 'z', 's']);
  });

  it('CF-5: have what configures the model right after the first model', () => {
    assert.deepEqual(
      order(
        option('effort', 'model_config'),
        option('mode', 'mode'),
        option('model', 'model'),
        option('thought', 'thought_level'),
        option('context', 'model_config'),
        option('second', 'model'),
      ),
      ['mode', 'model', 'effort', 'context', 'thought', 'second'],
    );
    assert.deepEqual(order(option('effort', 'model_config'), option('mode')), ['effort', 'mode']);
  });

  const groups = [
    {
      name: 'Anthropic',
      choices: [
        { value: 'opus', name: 'Opus', description: 'The large one' },
        { value: 'haiku', name: 'Haiku' },
      ],
    },
    { choices: [{ value: 'local', name: 'Mine' }] },
  ];

  it('CF-3: find choices in groups, by any of their words', () => {
    const found = (query: string): string[] =>
      filtered(groups, query).flatMap(({ choices }) => choices.map(({ value }) => value));
    assert.deepEqual(found(''), ['opus', 'haiku', 'local']);
    assert.deepEqual(found('anthropic large'), ['opus']);
    assert.deepEqual(found('LOCAL'), ['local']);
    assert.deepEqual(found('nobody'), []);
    assert.equal(needsFilter(groups), false);
    const many = Array.from({ length: 11 }, (_, at) => ({ value: `${at}`, name: `${at}` }));
    assert.equal(needsFilter([{ choices: many }]), true);
  });

  it('MO-2, MO-4: name a mode, and show the id of one that is not in the list', () => {
    const choices = getChoices({
      currentModeId: 'plan',
      modes: [{ id: 'plan', name: 'Plan', description: 'No changes' }],
    });
    assert.equal(getChoiceName(choices, 'plan'), 'Plan');
    assert.equal(getChoiceName(choices, 'yolo'), 'yolo');
    assert.equal(getChoiceName(getChoices({ currentModeId: 'x', modes: [] }), 'x'), 'x');
  });
});

describe('a value behind its name', () => {
  it('CF-3: says the name once, also when the agent repeats it in each value', () => {
    for (const [name, value, said] of [
      ['Thinking', 'Thinking: medium', 'Thinking: medium'],
      ['thinking', 'Thinking (high)', 'Thinking (high)'],
      ['Mode', 'Mode', 'Mode'],
      ['Thinking', 'medium', 'Thinking: medium'],
      ['Mode', 'Modern', 'Mode: Modern'],
      ['Effort', 'Low effort', 'Effort: Low effort'],
    ] as const) {
      assert.equal(namedValue(name, value), said);
    }
  });
});

describe('usage in words', () => {
  it('US-1: says how full the context is and what it cost, in any unit', () => {
    const text = usageText({ used: 84_000, size: 200_000, cost: { amount: 1.5, currency: 'USD' } });
    assert.equal(text.short, '42% of context');
    assert.equal(text.detail, '42% of context used: 84K of 200K tokens');
    assert.equal(text.cost, '1.50 USD');
    const cost = (amount: number, currency: string): string | undefined =>
      usageText({ used: 1, size: 2, cost: { amount, currency } }).cost;
    assert.equal(cost(12.345, 'credits'), '12.35 credits');
    assert.equal(cost(0.00123, 'EUR'), '0.0012 EUR');
    assert.equal(cost(0, 'USD'), '0.00 USD');
    assert.equal(cost(Number.NaN, 'USD'), undefined);
    assert.equal(usageText({ used: 1, size: 2 }).cost, undefined);
  });

  it('US-3: makes sense of any numbers', () => {
    const edges: readonly (readonly [used: number, size: number, percent: number | undefined])[] = [
      [0, 0, undefined],
      [5, 0, undefined],
      [0, 10, 0],
      [20, 10, 100],
      [999, 1000, 99],
      [2 ** 64, 2 ** 64, 100],
      [5, 2 ** 64, 0],
      [Number.POSITIVE_INFINITY, 10, 100],
      [Number.NaN, 10, undefined],
      [-5, 10, 0],
    ];
    for (const [used, size, percent] of edges) {
      const text = usageText({ used, size, cost: { amount: used, currency: '' } });
      assert.equal(text.percent, percent, `${used} of ${size}`);
      assert.doesNotMatch(Object.values(text).join(' '), /NaN|Infinity|∞/);
    }
  });

  it('US-4: changes its color at 75, 90 and 95 percent', () => {
    const level = (used: number): string => usageText({ used, size: 1000 }).level;
    assert.deepEqual([749, 750, 899, 900, 949, 950, 1000].map(level), [
      'normal',
      'raised',
      'raised',
      'high',
      'high',
      'full',
      'full',
    ]);
    assert.equal(usageText({ used: 10, size: 0 }).level, 'normal');
  });
});

describe('a drop', () => {
  const transfer = (data: Readonly<Record<string, string>>) => ({
    types: Object.keys(data),
    getData: (type: string) => data[type] ?? '',
  });

  it('holds files in each form that VS Code and file managers give them in', () => {
    const a = 'file:///project/a.ts';
    const b = 'vscode-remote://ssh/project/b.ts';
    assert.deepEqual(getFileUris(transfer({ 'text/uri-list': `# two\r\n${a}\r\n${b}\r\n` })), [
      a,
      b,
    ]);
    assert.deepEqual(
      getFileUris(transfer({ 'application/vnd.code.uri-list': `${a}\n${b}`, 'text/uri-list': a })),
      [a, b],
    );
    assert.deepEqual(getFileUris(transfer({ resourceurls: JSON.stringify([a, 5, b]) })), [a, b]);
  });

  it('is no file when it is a link, a text or broken', () => {
    assert.deepEqual(getFileUris(transfer({ 'text/uri-list': 'https://example.org/' })), []);
    assert.deepEqual(getFileUris(transfer({ resourceurls: '{' })), []);
    assert.equal(mayHoldFiles(transfer({ 'text/plain': 'x' })), false);
    assert.equal(mayHoldFiles(transfer({ Files: '' })), true);
    assert.equal(mayHoldFiles(transfer({ 'text/uri-list': '' })), true);
  });
});
