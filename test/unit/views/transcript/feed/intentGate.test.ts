import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { Draft } from '../../../../../src/shared/transcript/prompt';
import type { FromWebview } from '../../../../../src/shared/transcript/webviewMessages';
import { canQueue, IntentGate } from '../../../../../src/views/transcript/feed/intentGate';

describe('what a webview asks for', () => {
  const window = (start: number): FromWebview => ({ type: 'window', start, end: 9, follow: false });
  const search = (text: string): FromWebview => ({ type: 'searchMentions', id: 1, text });

  it('is done once when only the newest counts, however often it comes', async () => {
    const done: FromWebview[] = [];
    const gate = new IntentGate((intent) => {
      done.push(intent);
      return Promise.resolve();
    });
    for (let at = 0; at < 300_000; at++) {
      assert.ok(gate.take(window(at % 9)));
      gate.take(search(`t${at}`));
    }
    assert.equal(done.length, 0);
    await setImmediate();
    assert.deepEqual(done, [window(299_999 % 9), search('t299999')]);
  });

  it('is done in its order', () => {
    const done: string[] = [];
    const gate = new IntentGate(({ type }) => {
      done.push(type);
      return Promise.resolve();
    });
    gate.take(window(1));
    gate.take({ type: 'resync' });
    gate.take({ type: 'cancelTurn' });
    assert.deepEqual(done, ['window', 'resync', 'cancelTurn']);
  });

  it('SEC-116: is refused while too much of it is being done', async () => {
    let finish = (): void => undefined;
    const gate = new IntentGate(
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    const pick: FromWebview = { type: 'pickFiles' };
    const taken = Array.from({ length: 400 }, () => gate.take(pick)).filter(Boolean);
    assert.equal(taken.length, 200);
    finish();
    await setImmediate();
    assert.ok(gate.take(pick));
  });

  it('waits as a prompt only while there is room for it', () => {
    const draft: Draft = { text: 'a', attachments: [] };
    const queue = Array.from({ length: 99 }, (_, id) => ({ id, draft }));
    assert.ok(canQueue(queue, draft));
    assert.ok(!canQueue([...queue, { id: 99, draft }], draft));
    const data = 'A'.repeat(60_000_000);
    const image = { type: 'image', name: 'a', mimeType: 'image/png', data } as const;
    const large: Draft = { text: '', attachments: [image] };
    const some = [1, 2, 3].map((id) => ({ id, draft: large }));
    assert.ok(!canQueue(some, large));
    assert.ok(canQueue(some.slice(1), large));
  });
});
