import assert from 'node:assert/strict';
import { EchoFilter } from '../../../../src/model/turns/echoFilter';
import type { SessionUpdate } from '../../../../src/protocol/updates';
import { fc } from '../../../support/properties';
import { agent, user } from '../updates';

const anyText = fc.string({ minLength: 1, maxLength: 12 });
/** Texts of few letters, so that they often share a prefix. */
const alike = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 6 });

/** The text, split at these offsets. */
function cut(text: string, places: readonly number[]): string[] {
  const ends = [...new Set([...places.map((place) => place % text.length), text.length])];
  const sorted = ends.filter((end) => end > 0).sort((a, b) => a - b);
  return sorted.map((end, index) => text.slice(sorted[index - 1] ?? 0, end));
}

function shown(prompt: string, updates: readonly SessionUpdate[]): SessionUpdate[] {
  const filter = new EchoFilter([{ type: 'text', text: prompt }]);
  return updates.flatMap((update) => filter.take(update));
}

describe('The echo of a prompt: properties', () => {
  it('UP-6, T-22: however it is cut, and however often it comes, nothing of it is shown', () => {
    const echoes = fc.array(fc.array(fc.nat(), { maxLength: 5 }), { maxLength: 3 });
    fc.assert(
      fc.property(anyText, echoes, (prompt, cuts) => {
        const pieces = cuts.flatMap((places) => cut(prompt, places));
        const answer = agent('answer');
        assert.deepEqual(shown(prompt, [...pieces.map((piece) => user(piece)), answer]), [answer]);
      }),
    );
  });

  it('T-22: a text that is another is shown whole and in order', () => {
    fc.assert(
      fc.property(alike, alike, fc.array(fc.nat(), { maxLength: 5 }), (prompt, other, places) => {
        fc.pre(!other.startsWith(prompt));
        const updates = [...cut(other, places).map((piece) => user(piece)), agent('answer')];
        assert.deepEqual(shown(prompt, updates), updates);
      }),
    );
  });

  it('T-22: an echo right after another message isn’t part of it if their ids differ', () => {
    const other = user('context', 'm1');
    const echo = [user('do ', 'm2'), user('it', 'm2')];
    assert.deepEqual(shown('do it', [other, ...echo]), [other]);
    const goesOn = [other, user('do it', 'm1')];
    assert.deepEqual(shown('do it', goesOn), goesOn);
  });

  it('UP-5: updates other than the user’s messages are always shown, in order', () => {
    fc.assert(
      fc.property(alike, fc.array(fc.tuple(fc.boolean(), alike)), (prompt, said) => {
        const updates = said.map(([isUser, text]) => (isUser ? user(text) : agent(text)));
        const isAnswer = ({ sessionUpdate }: SessionUpdate): boolean =>
          sessionUpdate === 'agent_message_chunk';
        assert.deepEqual(shown(prompt, updates).filter(isAnswer), updates.filter(isAnswer));
      }),
    );
  });
});
