import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { ToWebview } from '../../../../../src/shared/transcript/webviewMessages';
import { NoticeFeed } from '../../../../../src/views/transcript/feed/noticeFeed';

type Notice = Extract<ToWebview, { type: 'notice' }>;

describe('notices for a webview', () => {
  let sent: Notice[];
  let taken: () => void;
  let isQuick: boolean;
  let feed: NoticeFeed;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    sent = [];
    isQuick = true;
    feed = new NoticeFeed({ title: 'Claude' }, (message) => {
      sent.push(message);
      return isQuick ? Promise.resolve() : new Promise<void>((resolve) => (taken = resolve));
    });
  });
  afterEach(() => {
    feed.dispose();
    mock.timers.reset();
  });

  async function later(): Promise<void> {
    for (let round = 0; round < 4; round++) {
      await Promise.resolve();
      mock.timers.tick(1000);
    }
  }

  const notice = (title: string) => ({ severity: 'info', title });

  it('NO-3: come at once while it is there', async () => {
    feed.start();
    feed.add({ ...notice('a'), description: 'b' });
    assert.deepEqual(sent, [{ type: 'notice', severity: 'info', title: 'a', description: 'b' }]);
    await later();
    feed.add(notice('c'));
    assert.equal(sent.at(-1)?.title, 'c');
  });

  it('SEC-104: wait in a bounded form while it is hidden: equal ones are one, and those beyond are counted', () => {
    for (let at = 0; at < 400_000; at++) {
      feed.add(notice(`n${at}`));
      feed.add(notice('again'));
    }
    assert.equal(sent.length, 0);
    feed.start();
    assert.equal(sent.length, 21);
    assert.equal(sent[1]?.title, 'again (400000 times)');
    assert.match(sent.at(-1)?.title ?? '', /sent 399981 more notices/);
  });

  it('wait so while it does not answer, too', async () => {
    isQuick = false;
    feed.start();
    for (let at = 0; at < 1000; at++) {
      feed.add(notice(`n${at}`));
    }
    await later();
    assert.equal(sent.length, 1);
    taken();
    await later();
    assert.equal(sent.length, 22);
    assert.match(sent.at(-1)?.title ?? '', /sent 979 more notices/);
  });

  it('are cut when they are long', () => {
    feed.start();
    feed.add({ ...notice('t'.repeat(1_000_000)), description: 'd'.repeat(1_000_000) });
    assert.ok(JSON.stringify(sent).length < 3000);
    assert.match(sent[0]?.title ?? '', /more characters/);
  });

  it('go on with the next webview when one never answers', async () => {
    isQuick = false;
    feed.start();
    feed.add(notice('a'));
    feed.stop();
    feed.add(notice('b'));
    isQuick = true;
    feed.start();
    await later();
    assert.deepEqual(
      sent.map(({ title }) => title),
      ['a', 'b'],
    );
  });
});
