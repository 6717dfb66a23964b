import assert from 'node:assert/strict';
import type { Glanced } from '../../../../src/features/glance/glanceItems';
import { sameAnswers, sameRequests } from '../../../../src/features/glance/sameRequests';
import { parseFromGlance } from '../../../../src/shared/glance/glance';
import type { PermissionOption } from '../../../../src/shared/requests/agentQuestions';
import type { PermissionEntry, ToolCallEntry } from '../../../../src/shared/transcript/entries';

const once: readonly PermissionOption[] = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];
let last = 0;

/** A request of a session of its own. */
function asks(
  call: Partial<ToolCallEntry>,
  more: Partial<PermissionEntry> = {},
  agentId = 'demo',
): Glanced {
  const requestId = ++last;
  const toolCall: ToolCallEntry = {
    ...{ kind: 'toolCall', toolCallId: `c${requestId}`, title: 'npm test', toolKind: 'execute' },
    ...{ status: 'pending', content: [], locations: [], ...call },
  };
  const entry: PermissionEntry = {
    ...{ kind: 'permission', requestId, toolCall, options: once, state: { kind: 'waiting' } },
    ...more,
  };
  return {
    ref: { agentId, sessionId: `s${requestId}` },
    item: {
      ...{ key: `k${requestId}`, group: 'needsAnswer', title: `Session ${requestId}` },
      ...{ where: agentId, toReview: 0, canStop: true, request: { requestId, answers: [] } },
    },
    entry,
  };
}

const runs = (command: string, more: object = {}) => ({ rawInput: { command, ...more } });
const isSame = (...all: readonly Glanced[]): boolean => sameRequests(all).length > 0;
const shown = (all: readonly Glanced[]) =>
  sameRequests(all).flatMap(({ requests }) =>
    requests.map(({ key, requestId }) => ({ key, requestId })),
  );

describe('requests that ask for the same', () => {
  it('SEC-340: are listed together, each with its session, its agent and its folder', () => {
    const one = asks(runs('npm test', { cwd: '/w/one' }));
    const two = asks(runs('npm test', { cwd: '/w/two' }), {}, 'other');
    const alone = asks(runs('npm run build'));
    const [same, ...others] = sameRequests([one, alone, two]);
    assert.deepEqual(others, []);
    assert.equal(same?.asked, 'npm test');
    assert.deepEqual(
      same.requests.map(({ title, where, folders }) => [title, where, folders]),
      [
        [one.item.title, 'demo', ['It runs in /w/one.']],
        [two.item.title, 'other', ['It runs in /w/two.']],
      ],
    );
  });

  it('SEC-340: have the same command, kind, variables and words, character by character', () => {
    const plain = runs('npm test');
    assert.ok(isSame(asks(plain), asks({ rawInput: JSON.stringify(plain.rawInput) })));
    assert.ok(isSame(asks(plain), asks(runs('npm test', { timeout: 5 }))));
    const other: readonly Glanced[] = [
      asks(runs('npm test\u202e')),
      asks(runs('npm test\u0000')),
      asks(runs('npm  test')),
      asks({ rawInput: { command: ['npm', 'test'] } }),
      asks(runs('npm test', { env: { NODE_OPTIONS: '-r ./x' } })),
      asks({ ...plain, title: 'npm test ' }),
      asks({ ...plain, toolKind: 'other' }),
      asks({ ...plain, name: 'shell' }),
      asks(plain, { title: 'May I?' }),
      asks(plain, { description: 'It only reads.' }),
      asks(plain, { own: { act: 'command', folder: '/w' } }),
      asks({}),
    ];
    for (const each of other) {
      assert.ok(!isSame(asks(plain), each), JSON.stringify(each.entry?.toolCall));
    }
  });

  it('SEC-340: without a command, have the same input and content, also what no title says', () => {
    const fetch = { toolKind: 'fetch', title: 'Fetch a page' } as const;
    const page = { ...fetch, rawInput: { url: 'https://example.com' } };
    const text = (words: string) =>
      [{ type: 'content', block: { type: 'text', text: words } }] as const;
    assert.ok(isSame(asks(page), asks(page, {}, 'other')));
    const hidden = { ...fetch, rawInput: { url: 'https://example.com', body: 'secrets' } };
    assert.ok(!isSame(asks(page), asks(hidden, {}, 'other')));
    assert.ok(
      !isSame(asks({ ...page, content: text('a') }), asks({ ...page, content: text('b') })),
    );
    assert.ok(!isSame(asks(page), asks({ ...page, locations: [{ path: '/etc/passwd' }] })));
    const huge = { ...fetch, rawInput: { url: 'x'.repeat(100_000) } };
    assert.ok(!isSame(asks(huge), asks(huge)));
  });

  it('SEC-340: aren’t changes of files, plans, folders, or questions with two ways to allow once', () => {
    const diff = { type: 'diff', path: '/w/a', oldText: null, newText: 'x' } as const;
    const two = [...once, { optionId: 'all', name: 'All', kind: 'allow_once' } as const];
    const kinds: readonly (readonly [Partial<ToolCallEntry>, Partial<PermissionEntry>])[] = [
      [{ content: [diff] }, {}],
      [{ toolKind: 'edit' }, {}],
      [{ toolKind: 'delete' }, {}],
      [{ toolKind: 'switch_mode' }, {}],
      [{ title: '/w' }, { own: { act: 'folder' } }],
      [{ title: '/w/a' }, { own: { act: 'write' } }],
      [runs('npm test'), { options: two }],
      [runs('npm test'), { options: once.slice(0, 2) }],
    ];
    for (const [call, more] of kinds) {
      assert.ok(!isSame(asks(call, more), asks(call, more)), JSON.stringify([call, more]));
    }
    const own = { own: { act: 'command', folder: '/w' } } as const;
    const input = { command: 'npm test', program: 'npm', arguments: ['test'] };
    const ran = (folder: string, more: object = {}) =>
      asks({ rawInput: { folder, ...input, ...more } }, { own: { act: 'command', folder } });
    assert.ok(isSame(ran('/w'), ran('/v')));
    assert.ok(!isSame(ran('/w'), ran('/v', { env: { PATH: '/tmp' } })));
    assert.ok(isSame(asks(runs('npm test'), own), asks(runs('npm test'), own)));
  });

  it('SEC-341: are at most twenty at once', () => {
    const all = Array.from({ length: 40 }, () => asks(runs('npm test')));
    assert.equal(sameRequests(all)[0]?.requests.length, 20);
    const many = all.map(({ item: { key }, entry }) => ({ key, requestId: entry?.requestId }));
    const parsed = parseFromGlance({ type: 'answerSame', answer: 'allow_once', requests: many });
    assert.ok(parsed?.type === 'answerSame');
    assert.equal(parsed.requests.length, 20);
    assert.equal(sameAnswers(all, 'allow_once', parsed.requests).length, 20);
  });

  it('SEC-340: an answer is for those that were shown, are still the same, and goes by the kind of option', () => {
    const one = asks(runs('npm test'));
    const two = asks(runs('npm test'), {
      options: [
        { optionId: 'yes', name: 'No', kind: 'reject_once' },
        { optionId: 'no', name: 'Yes', kind: 'allow_once' },
      ],
    });
    const seen = shown([one, two]);
    const late = asks(runs('npm test'));
    const answered = (all: readonly Glanced[], requests = seen) =>
      sameAnswers(all, 'allow_once', requests).map(({ ref, optionId }) => [
        ref.sessionId,
        optionId,
      ]);
    const both = [
      [one.ref.sessionId, 'yes'],
      [two.ref.sessionId, 'no'],
    ];
    assert.deepEqual(answered([late, one, two]), both);
    assert.deepEqual(
      sameAnswers([one, two], 'reject_once', seen).map(({ optionId }) => optionId),
      ['no', 'yes'],
    );
    const gone = asks(runs('npm test'));
    assert.deepEqual(answered([one, gone]), both.slice(0, 1), 'the second one waits no more');
    const next = { ...asks(runs('rm -rf build')), item: one.item, ref: one.ref };
    assert.deepEqual(answered([next, two, late]), both.slice(1), 'the first one asks anew');
    const mixed = [asks(runs('rm -rf build')), asks(runs('rm -rf build'))];
    const all = [one, two, ...mixed];
    assert.deepEqual(answered(all, [...seen, ...shown(mixed)]), both, 'they aren’t all the same');
  });

  it('takes from the page only what it can send', () => {
    const answer = { type: 'answerSame', answer: 'allow_once', requests: [] };
    assert.deepEqual(parseFromGlance(answer), answer);
    for (const wrong of ['allow_always', 'yes', undefined]) {
      assert.equal(parseFromGlance({ ...answer, answer: wrong }), undefined);
    }
    const requests = [
      5,
      null,
      { key: 'k' },
      { key: 5, requestId: 1 },
      { key: 'k', requestId: 0.5 },
    ];
    assert.deepEqual(parseFromGlance({ ...answer, requests }), answer);
  });
});
