import assert from 'node:assert/strict';
import { normalise, text } from '../v1/normalised';

function block(value: unknown): unknown {
  const update = normalise({ sessionUpdate: 'agent_message_chunk', content: value });
  return typeof update === 'string' ? update : (update as { content: unknown }).content;
}

describe('content blocks', () => {
  const known: readonly object[] = [
    text('**bold**'),
    { type: 'image', mimeType: 'image/png', data: 'AAAA', uri: 'file:///a.png' },
    { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' },
    {
      type: 'resource_link',
      uri: 'file:///a',
      name: 'a',
      title: 'A',
      description: 'd',
      mimeType: 'm',
      size: 3,
    },
    { type: 'resource_link', uri: 'file:///a', name: 'a' },
  ];
  for (const value of known) {
    it(`CO-7: ${JSON.stringify(value)}`, () => assert.deepEqual(block(value), value));
  }

  it('CO-4: a text resource', () => {
    const resource = { uri: 'file:///a', text: 'x', mimeType: 'text/plain' };
    assert.deepEqual(block({ type: 'resource', resource }), { type: 'resource', ...resource });
  });

  it('CO-4: of a binary resource only the size is kept', () => {
    const resource = { uri: 'file:///a', blob: 'AAECAw==' };
    assert.deepEqual(block({ type: 'resource', resource }), {
      type: 'resource',
      uri: 'file:///a',
      size: 4,
    });
  });

  it('CO-5: a link without a name gets its title or address', () => {
    assert.equal(
      (block({ type: 'resource_link', uri: 'u', title: 'T' }) as { name: string }).name,
      'T',
    );
    assert.equal((block({ type: 'resource_link', uri: 'u' }) as { name: string }).name, 'u');
  });

  it('CO-6: annotations of any shape do no harm', () => {
    assert.deepEqual(
      block({ ...text('a'), annotations: { audience: 7, priority: 'x' } }),
      text('a'),
    );
  });

  for (const [label, value] of [
    ['video', { type: 'video', data: 'x' }],
    ['text', { type: 'text', text: 5 }],
    ['image', { type: 'image', data: 'x' }],
    ['resource_link', { type: 'resource_link', name: 'no uri' }],
    ['resource', { type: 'resource', resource: { uri: 'u' } }],
    ['untyped', { text: 'x' }],
  ] as const) {
    it(`CO-8: ${JSON.stringify(value)} leaves a placeholder with its form`, () => {
      const raw = JSON.stringify(value, undefined, 2);
      assert.deepEqual(block(value), { type: 'unknown', label, raw });
    });
  }

  it('CO-8: the form of an unknown block is bounded in length, depth and number of values', () => {
    const deep = (depth: number): unknown => (depth === 0 ? 1 : { a: deep(depth - 1) });
    for (const data of ['x'.repeat(40_000), deep(128), Array(200_000).fill(1)]) {
      const { raw } = block({ type: 'film', data }) as { raw: string };
      assert.ok(raw.includes('left out') && raw.length <= 20_100, raw.slice(0, 100));
    }
  });

  it('a chunk without any content gives a reason', () => {
    for (const value of [undefined, null, 5, []]) {
      assert.equal(block(value), 'agent_message_chunk without content');
    }
  });
});
