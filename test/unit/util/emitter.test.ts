import assert from 'node:assert/strict';
import { Emitter } from '../../../src/util/emitter';

describe('Emitter', () => {
  it('tells every listener, in the order of subscription', () => {
    const emitter = new Emitter<number>();
    const heard: string[] = [];
    emitter.event((value) => heard.push(`a${value}`));
    emitter.event((value) => heard.push(`b${value}`));
    emitter.fire(1);
    assert.deepEqual(heard, ['a1', 'b1']);
  });

  it('one function subscribed twice hears twice, and lets go once each', () => {
    const emitter = new Emitter<void>();
    let heard = 0;
    const listener = (): void => {
      heard++;
    };
    const first = emitter.event(listener);
    emitter.event(listener);
    emitter.fire();
    first.dispose();
    first.dispose();
    emitter.fire();
    assert.equal(heard, 3);
  });

  it('subscribing or unsubscribing during an event doesn’t affect the other listeners', () => {
    const emitter = new Emitter<void>();
    const heard: string[] = [];
    const own = emitter.event(() => {
      heard.push('once');
      own.dispose();
      emitter.event(() => heard.push('late'));
    });
    emitter.event(() => heard.push('always'));
    emitter.fire();
    assert.deepEqual(heard, ['once', 'always']);
    emitter.fire();
    assert.deepEqual(heard, ['once', 'always', 'always', 'late']);
  });

  it('a listener that throws is reported and does not silence the others', async () => {
    const emitter = new Emitter<void>();
    let heard = 0;
    emitter.event(() => {
      throw new Error('mine');
    });
    emitter.event(() => heard++);
    const others = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    const reported = new Promise((resolve) => process.once('uncaughtException', resolve));
    emitter.fire();
    const error = await reported;
    for (const other of others) {
      process.on('uncaughtException', other);
    }
    assert.equal((error as Error).message, 'mine');
    assert.equal(heard, 1);
  });

  it('hears nothing after dispose', () => {
    const emitter = new Emitter<void>();
    let heard = 0;
    emitter.event(() => heard++);
    emitter.dispose();
    emitter.fire();
    assert.equal(heard, 0);
  });
});
