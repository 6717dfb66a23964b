import assert from 'node:assert/strict';
import { awayNews, newsOf } from '../../../../src/features/glance/awayNews';
import { parseFromGlance } from '../../../../src/shared/glance/glance';
import { Emitter } from '../../../../src/util/emitter';
import { Absence } from '../../../../src/views/attention/absence';
import type { Happening } from '../../../../src/views/attention/attention';

describe('what has happened since the window last had the focus', () => {
  const focus = new Emitter<{ readonly focused: boolean }>();
  let happened: Emitter<{
    readonly session: Happening['session'];
    readonly kind: Happening['kind'];
  }>;
  let absence: Absence;
  let time: number;
  beforeEach(() => {
    time = 1_000;
    happened = new Emitter();
    const sessions = { onDidHappen: happened.event };
    absence = new Absence({ sessions, onDidChangeWindowState: focus.event, now: () => time });
  });
  afterEach(() => absence.dispose());

  const ref = (sessionId: string) => ({ agentId: 'demo', sessionId });
  const happens = (sessionId: string, kind: Happening['kind']): void => {
    const session = { agent: { id: 'demo' }, info: { sessionId } } as Happening['session'];
    happened.fire({ session, kind });
  };
  const leave = (): void => focus.fire({ focused: false });
  const sources = (asking: readonly string[] = [], reviewed: readonly string[] = []) => ({
    absence,
    reviews: reviewed.map((id) => ({ ...ref(id), pending: [{}] as never[] })),
    isAsking: ({ sessionId }: { readonly sessionId: string }) => asking.includes(sessionId),
  });

  it('is counted by kind, with the last thing of each session, and not what the user has seen happen', () => {
    happens('before', 'turnEnded');
    leave();
    time = 9_000;
    leave();
    happens('a', 'needsAnswer');
    happens('a', 'turnEnded');
    happens('b', 'needsAnswer');
    happens('c', 'needsAnswer');
    happens('d', 'failed');
    focus.fire({ focused: true });
    happens('after', 'turnEnded');
    assert.deepEqual(awayNews(sources(['b'], ['a', 'before'])), {
      since: 1_000,
      counts: [
        { kind: 'asks', count: 1 },
        { kind: 'failed', count: 1 },
        { kind: 'finished', count: 1 },
        { kind: 'toReview', count: 1 },
      ],
    });
  });

  it('is no news any more once it was seen, or the user has left again', () => {
    let told = 0;
    leave();
    happens('a', 'turnEnded');
    happens('b', 'turnEnded');
    absence.onDidChange(() => told++);
    absence.see([ref('a')]);
    absence.see([ref('a')]);
    assert.equal(told, 1);
    assert.deepEqual(newsOf(sources()).finished, [ref('b')]);
    focus.fire({ focused: true });
    leave();
    assert.equal(awayNews(sources()), undefined);
  });

  it('SEC-343: is bounded in sessions', () => {
    leave();
    for (let at = 0; at < 400; at++) {
      happens(`s${at}`, 'turnEnded');
    }
    assert.equal(absence.news.length, 200);
    assert.deepEqual(absence.news.at(-1)?.ref, ref('s399'));
  });

  it('takes from the page only what it can send', () => {
    assert.deepEqual(parseFromGlance({ type: 'seeNews' }), { type: 'seeNews' });
    const open = { type: 'openNews', kind: 'asks' };
    assert.deepEqual(parseFromGlance(open), open);
    assert.equal(parseFromGlance({ ...open, kind: 'constructor' }), undefined);
  });
});
