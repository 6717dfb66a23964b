import assert from 'node:assert/strict';
import { type ContextReader, ProvidedContext } from '../../../../src/model/session/providedContext';

const session = {
  agentId: 'a',
  sessionId: 's',
  cwd: '/w',
  has: () => Promise.resolve(true),
};

function reader(texts: readonly string[]): ContextReader {
  return {
    read: () =>
      Promise.resolve(texts.map((text, index) => ({ uri: `x:${index}`, name: 'x', text }))),
    suggest: (typed) =>
      Promise.resolve([
        { source: 'x', about: 'all', mention: `@${typed}`, name: 'x', detail: texts[0] ?? '' },
      ]),
  };
}

describe('Context of prompts', () => {
  it('has the features loaded before it reads or suggests', async () => {
    const context: ProvidedContext = new ProvidedContext(() => {
      context.provide('x', reader(['now']));
      return Promise.resolve();
    });
    assert.deepEqual(await context.read({ source: 'x', about: '' }, session), [
      { uri: 'x:0', name: 'x', text: 'now' },
    ]);
    assert.equal((await context.suggest('pro', session))[0]?.mention, '@pro');
  });

  it('refuses what nothing reads', async () => {
    const context = new ProvidedContext(() => Promise.resolve());
    await assert.rejects(context.read({ source: 'y', about: '' }, session), /can read it/);
  });

  it('cuts parts, and all together', async () => {
    const context = new ProvidedContext(() => Promise.resolve());
    context.provide('x', reader(Array.from({ length: 8 }, () => 'a'.repeat(400_000))));
    const parts = await context.read({ source: 'x', about: '' }, session);
    assert.deepEqual(
      parts.map(({ text }) => text.length),
      [200_004, 200_004, 200_004],
    );
    assert.match(parts[0]?.text ?? '', /a\n\[…\]$/);
  });

  it('suggests what the others have if one fails', async () => {
    const context = new ProvidedContext(() => Promise.resolve());
    context.provide('broken', {
      read: () => Promise.resolve([]),
      suggest: () => Promise.reject(new Error('no')),
    });
    context.provide('x', reader(['now']));
    assert.equal((await context.suggest('', session)).length, 1);
  });

  it('finds what a word means; a word of a source that suggests nothing is told when it is read', async () => {
    const context = new ProvidedContext(() => Promise.resolve());
    context.provide('x', reader(['now']));
    assert.deepEqual(await context.find('x:some', session), {
      ...{ type: 'context', source: 'x', about: 'all', mention: '@x:some', name: 'x' },
      detail: 'now',
    });
    context.provide('x', { ...reader([]), suggest: () => Promise.resolve([]) });
    assert.deepEqual(await context.find('x:some', session), {
      ...{ type: 'context', source: 'x', about: '', mention: '@x:some', name: '@x:some' },
    });
    assert.equal(await context.find('y', session), undefined);
    assert.equal(await context.find('#y', session), undefined);
  });
});
