import assert from 'node:assert/strict';
import {
  type GlancedSession,
  type GlanceSources,
  glanceItems,
  shownItems,
} from '../../../../src/features/glance/glanceItems';
import {
  describeWork,
  findLastLine,
  findTurnEnd,
  KeptTurns,
} from '../../../../src/features/glance/lastTurn';
import type { SessionRow } from '../../../../src/model/agent';
import { parseFromGlance } from '../../../../src/shared/glance/glance';
import type { PlanItem } from '../../../../src/shared/transcript/content';
import type { Entry, PermissionEntry } from '../../../../src/shared/transcript/entries';

const agent = { id: 'demo', title: 'Demo', isOnly: true };
const running = { kind: 'running', cancelling: false, canForce: false, began: 1_000 } as const;
const said = (text: string): Entry => ({ kind: 'agent', blocks: [{ type: 'text', text }] });
const call = (title: string, status = 'in_progress'): Entry =>
  ({
    kind: 'toolCall',
    toolCallId: title,
    title,
    status,
    toolKind: 'execute',
    content: [],
    locations: [],
  }) as Entry;
const prompt = (ended?: number): Entry => ({
  kind: 'user',
  blocks: [{ type: 'text', text: 'Go' }],
  turn: { began: 1, ...(ended !== undefined && { ended }) },
});

interface Parts {
  readonly entries?: readonly Entry[];
  readonly turn?: GlancedSession['turns']['current'];
  readonly waiting?: readonly number[];
  readonly phase?: unknown;
  readonly gitBranch?: string;
  readonly checklist?: readonly PlanItem[];
}

function session(id: string, parts: Parts = {}): GlancedSession {
  const { entries = [], turn = { kind: 'idle' }, waiting = [], gitBranch, checklist } = parts;
  return {
    ...{ agent, title: `Title ${id}` },
    info: { sessionId: id, cwd: '/w', additionalDirectories: [], ...(gitBranch && { gitBranch }) },
    phase: parts.phase ?? { kind: 'ready' },
    ...{ turns: { current: turn }, requests: { waiting }, transcript: { entries, checklist } },
  } as unknown as GlancedSession;
}

function permission(title: string, options = 2): PermissionEntry {
  return {
    kind: 'permission',
    requestId: 7,
    toolCall: call(title, 'pending') as PermissionEntry['toolCall'],
    options: Array.from({ length: options }, (_, index) => ({
      optionId: `o${index}`,
      name: `Option ${index}\n`,
      kind: index === 1 ? 'allow_once' : 'reject_once',
    })),
    state: { kind: 'waiting' },
  };
}

function glance(sources: Partial<GlanceSources>) {
  return glanceItems({
    ...{ sessions: [], rows: [], reviews: [] },
    isUnread: () => false,
    findAgent: () => agent as never,
    findAlias: () => undefined,
    findLastTurn: () => undefined,
    toInfo: () => undefined,
    ...sources,
  }).map(({ item }) => item);
}

const row = (id: string, info: object, updatedAt = 1): SessionRow => ({
  ...{ key: id, agentId: 'demo', title: `Row ${id}`, updatedAt },
  info: { sessionId: id, cwd: '/w', additionalDirectories: [], ...info },
});
const review = (sessionId: string, files: number) => ({
  ...{ agentId: 'demo', sessionId, pending: Array.from<never>({ length: files }) },
  turns: [{ prompt: 'Tidy up' }] as never[],
});

describe('sessions at a glance', () => {
  it('puts each session in the group that matters most, in a fixed order', () => {
    const unread = session('unread', { entries: [prompt(60)] });
    const later = session('later', { entries: [prompt(90)] });
    const items = glance({
      sessions: [
        session('nothing'),
        session('reviewed'),
        unread,
        later,
        session('second', { turn: { ...running, began: 2_000 } }),
        session('first', {
          turn: running,
          entries: [call('npm test'), said('So far\n\nso **good**\n```')],
        }),
        session('asks', { turn: running, waiting: [0], entries: [permission('rm -rf build')] }),
      ],
      rows: [
        row('elsewhere', { state: 'running' }),
        row('listed', { state: 'idle', lastTurnEndedAt: '2026-01-01T00:00:00Z' }),
        row('unread', { state: 'running' }),
      ],
      reviews: [review('reviewed', 1), review('unread', 2), review('closed', 3), review('kept', 0)],
      isUnread: (one) => one === unread || one === later,
    });
    assert.deepEqual(
      items.map(({ key, group, toReview }) => [key.split(':').at(-1), group, toReview]),
      [
        ['asks', 'needsAnswer', 0],
        ['elsewhere', 'running', 0],
        ['first', 'running', 0],
        ['second', 'running', 0],
        ['listed', 'done', 0],
        ['later', 'done', 0],
        ['unread', 'done', 2],
        ['reviewed', 'review', 1],
        ['closed', 'review', 3],
      ],
    );
    const first = items.find(({ title }) => title === 'Title first');
    assert.deepEqual([first?.doing, first?.said, first?.since], ['npm test', 'so good', 1_000]);
    assert.equal(items.at(-1)?.title, 'Tidy up');
  });

  it('V2-TURN-9, V2-TURN-13: says what waits elsewhere, and isn’t busy with what goes on in the background', () => {
    const [one, ...others] = glance({
      sessions: [
        session('waits', { turn: { ...running, waits: true }, entries: [call('npm test')] }),
        session('background', { turn: { kind: 'idle', background: 2 } }),
      ],
    });
    assert.equal(one?.doing, 'Waiting for an answer elsewhere');
    assert.deepEqual(others, []);
    assert.equal(describeWork([call('npm test', 'paused')]), 'npm test');
    const silentSince = new Date(2026, 0, 1, 14, 5).getTime();
    const [silent] = glance({ sessions: [session('a', { turn: { ...running, silentSince } })] });
    assert.match(silent?.doing ?? '', /^Nothing from Demo since 2:05/);
  });

  it('PL-1: says how far a running session is with its list, in one bounded line', () => {
    const checklist: readonly PlanItem[] = [
      { content: 'Read', status: 'completed', priority: 'medium' },
      { content: `Write\n${'x'.repeat(5_000)}`, status: 'in_progress', priority: 'medium' },
    ];
    const [one, two] = glance({
      sessions: [session('a', { turn: running, checklist }), session('b', { turn: running })],
    });
    const { done, count, now = '' } = one?.progress ?? {};
    assert.deepEqual([done, count], [1, 2]);
    assert.match(now, /^Write x+…$/);
    assert.ok(now.length <= 201);
    assert.equal(two?.progress, undefined);
  });

  it('SEC-31: offers to answer a request here only if all of it can be shown', () => {
    const ask = (entry: Entry) =>
      glance({ sessions: [session('a', { waiting: [0], entries: [entry] })] })[0];
    const short = ask(permission('rm -rf \u202e build'));
    assert.equal(short?.asked, 'rm -rf ⟨U+202E⟩ build');
    assert.deepEqual(short.request, {
      requestId: 7,
      answers: [
        { optionId: 'o0', name: 'Option 0', icon: 'circle-slash', isMain: false },
        { optionId: 'o1', name: 'Option 1', icon: 'check', isMain: true },
      ],
    });
    const own = { act: 'command', folder: '/tmp/x' } as const;
    assert.equal(ask({ ...permission('npm test'), own })?.asked, 'npm test\nIt runs in /tmp/x.');
    const rawInput = { command: 'npm publish', cwd: '/tmp/x' };
    const titled = permission('Tool call');
    assert.equal(
      ask({
        ...titled,
        toolCall: { ...titled.toolCall, rawInput },
        title: 'Publish?',
        description: 'It can’t\nbe taken back.',
      })?.asked,
      'Publish?\nIt can’t be taken back.\nTool call\nnpm publish\nIt runs in /tmp/x.',
    );
    const long = ask(permission(`rm ${'x'.repeat(1_000)}`));
    assert.equal(long?.request, undefined);
    assert.ok((long?.asked?.length ?? 0) < 250);
    assert.equal(ask(permission('rm', 12))?.request, undefined);
    const question = { kind: 'elicitation', requestId: 1, message: 'Which\none?' } as Entry;
    assert.deepEqual([ask(question)?.asked, ask(question)?.request], ['Which one?', undefined]);
  });

  it('EX-4, SEC-31: offers no answer to a plan, whose text is in the transcript only', () => {
    const offers = (call: object) => {
      const { toolCall, ...entry } = permission('Plan');
      const waiting = { ...entry, toolCall: { ...toolCall, ...call } } as Entry;
      const [item] = glance({ sessions: [session('a', { waiting: [0], entries: [waiting] })] });
      return item?.request !== undefined;
    };
    const block = { type: 'text', text: '1. Delete it all' };
    const mode = { toolKind: 'switch_mode' };
    assert.ok(!offers({ ...mode, content: [{ type: 'content', block }] }));
    assert.ok(!offers({ ...mode, rawInput: { plan: block.text } }));
    assert.ok(offers(mode));
  });

  it('PE-9, SEC-31: says what would run and what would change with a title that says something else', () => {
    const asked = (title: string, call: object) => {
      const entry = permission(title);
      const waiting = { ...entry, toolCall: { ...entry.toolCall, ...call } } as Entry;
      return glance({ sessions: [session('a', { waiting: [0], entries: [waiting] })] })[0]?.asked;
    };
    assert.equal(
      asked('List files', { rawInput: { command: 'rm -rf ~' } }),
      'List files\nrm -rf ~',
    );
    assert.equal(asked('Run `ls`', { rawInput: { command: 'ls' } }), 'Run `ls`');
    assert.equal(
      asked('npm test', { rawInput: { command: 'npm test', env: { NODE_OPTIONS: '-r ./x' } } }),
      'npm test\nIt sets NODE_OPTIONS=-r ./x.',
    );
    const diff = { type: 'diff', path: '/home/me/.bashrc', oldText: null, newText: 'x' };
    assert.equal(asked('Tidy up', { content: [diff] }), 'Tidy up\n/home/me/.bashrc');
  });

  it('PE-9, SEC-4: offers no answer if the input says what may change the command and can’t be shown in lines', () => {
    const offers = (beside: object) => {
      const { toolCall, ...entry } = permission('npm test');
      const rawInput = { command: 'npm test', ...beside };
      const waiting = { ...entry, toolCall: { ...toolCall, rawInput } } as Entry;
      const [item] = glance({ sessions: [session('a', { waiting: [0], entries: [waiting] })] });
      return item?.request !== undefined;
    };
    assert.ok(offers({ description: 'Runs the tests', timeout: 1_000 }));
    assert.ok(!offers({ user: 'root' }));
    assert.ok(!offers({ env: { LIST: ['a'] } }));
  });

  it('SUB-7: a question of a subagent says its name and that of what started it', () => {
    const ask = (entry: Entry) =>
      glance({ sessions: [session('a', { waiting: [0], entries: [entry] })] })[0];
    const child = { number: 1, title: 'Review' };
    const first = ask({ ...permission('rm'), from: child });
    assert.equal(first?.asker, 'Review (subagent of Demo)');
    assert.notEqual(first.request, undefined);
    const nested = { number: 2, title: 'Look\u202e', parent: 'Review' };
    const long = ask({ ...permission(`rm ${'x'.repeat(1_000)}`), from: nested });
    assert.equal(long?.asker, 'Look⟨U+202E⟩ (subagent of Review)');
    const question = { kind: 'elicitation', requestId: 1, message: 'Which?', from: nested };
    assert.equal(ask(question as Entry)?.asker, 'Look⟨U+202E⟩ (subagent of Review)');
    assert.equal(ask(permission('rm'))?.asker, undefined);
  });

  it('names the agent if there are several, and the branch; the user’s own name comes first', () => {
    const of = (one: GlancedSession) =>
      glance({
        sessions: [one],
        findAgent: () => ({ ...agent, isOnly: false }),
        findAlias: () => 'Mine',
      })[0];
    const item = of(session('a', { turn: running, gitBranch: `fix\n${'x'.repeat(100)}` }));
    assert.equal(item?.title, 'Mine');
    assert.match(item.where, /^Demo · fix x{36}…$/);
  });

  it('says how a turn ended, and stops nothing twice', () => {
    const failure = { code: 'exited', title: 'Demo has stopped', detail: '', actions: [] } as const;
    const ended = (entry: Entry) =>
      glance({
        sessions: [session('a', { entries: [prompt(5), entry] })],
        isUnread: () => true,
      })[0];
    const failed = { type: 'failed', failure, canResend: true } as const;
    assert.equal(ended({ kind: 'turn', outcome: failed })?.doing, 'Demo has stopped');
    const stopped = { type: 'stopped', stopReason: 'cancelled' } as const;
    assert.equal(ended({ kind: 'turn', outcome: stopped })?.doing, 'Stopped');
    assert.equal(ended(said('x'))?.doing, undefined);
    const stopping = glance({
      sessions: [session('a', { turn: { ...running, cancelling: true } })],
    });
    assert.deepEqual([stopping[0]?.doing, stopping[0]?.canStop], ['Stopping…', false]);
    const broken = session('a', { phase: { kind: 'failed', failure } });
    assert.equal(glance({ sessions: [broken] }).length, 0);
    assert.equal(glance({ sessions: [broken], isUnread: () => true })[0]?.doing, failure.title);
  });

  it('still knows what a session has said that is closed, for the last ones that were open', () => {
    const kept = new KeptTurns();
    kept.note('4:demos1', [prompt(5), said('All done.')]);
    const lastTurn = kept.get('4:demos1');
    assert.deepEqual(lastTurn, { since: 5, said: 'All done.' });
    const [item] = glance({ rows: [row('s1', {}, 90)], findLastTurn: () => lastTurn });
    assert.deepEqual([item?.group, item?.since, item?.said], ['done', 5, 'All done.']);
    for (let count = 0; count < 200; count++) {
      kept.note(`s${count}`, []);
    }
    assert.equal(kept.get('4:demos1'), undefined);
    assert.ok(kept.get('s100') && !kept.get('s99'));
  });

  it('SEC-100: is bounded in items, and in what it reads of each', () => {
    const many = Array.from({ length: 300 }, (_, index) => session(`s${index}`, { turn: running }));
    const all = glanceItems({
      ...{ sessions: many, rows: [], reviews: [], isUnread: () => false },
      ...{ findAgent: () => undefined, findAlias: () => undefined },
      ...{ findLastTurn: () => undefined, toInfo: () => undefined },
    });
    const { items, left } = shownItems(all);
    assert.deepEqual([items.length, left], [100, 200]);
    const entries = Array.from({ length: 100_000 }, () => call('x', 'completed'));
    let read = 0;
    const counted = new Proxy(entries, {
      get: (target, name) => {
        read += /^\d+$/.test(String(name)) ? 1 : 0;
        return Reflect.get(target, name) as unknown;
      },
    });
    assert.equal(findLastLine([said('too long ago'), ...counted]), undefined);
    read = 0;
    assert.equal(describeWork(counted), 'Working…');
    assert.equal(findTurnEnd(counted), undefined);
    assert.equal(findLastLine(counted), undefined);
    assert.ok(read < 1_000, `${read}`);
    assert.ok((findLastLine([said('word '.repeat(100_000))])?.length ?? 0) <= 201);
  });

  it('takes from the page only what it can send', () => {
    const answer = { type: 'answer', key: 'k', requestId: 1, optionId: 'o' };
    for (const message of [{ type: 'ready' }, { type: 'stop', key: 'k' }, answer]) {
      assert.deepEqual(parseFromGlance(message), message);
    }
    const wrong = [null, 5, 'ready', [], {}, { type: 'open' }, { type: 'open', key: 5 }];
    const worse = [
      { ...answer, requestId: 1.5 },
      { ...answer, optionId: 'x'.repeat(40_000) },
    ];
    for (const message of [...wrong, ...worse, { type: 'constructor', key: 'k' }]) {
      assert.equal(parseFromGlance(message), undefined);
    }
  });
});
