import assert from 'node:assert/strict';
import type { HeaderFact } from '../../../../../src/shared/transcript/webviewMessages';
import { Emitter } from '../../../../../src/util/emitter';
import {
  type FactsSession,
  ProvidedHeaderFacts,
} from '../../../../../src/views/transcript/tabs/providedHeaderFacts';

const session = {
  ...{ agent: { id: 'a' }, info: { cwd: '/x' }, phase: { kind: 'ready' } },
} as FactsSession;
const fact: HeaderFact = { icon: 'warning', text: 'a'.repeat(200), title: 'b'.repeat(4_000) };

describe('what features say in a header', () => {
  it('is bounded at twice the number and length, and follows its changes', () => {
    const facts = new ProvidedHeaderFacts();
    const changed = new Emitter<void>();
    let changes = 0;
    facts.onDidChange(() => {
      changes += 1;
    });
    assert.deepEqual(facts.of(session), []);
    facts.provide(() => Array.from({ length: 5 }, () => fact), changed.event);
    facts.provide(() => Array.from({ length: 7 }, () => fact), changed.event);
    const shown = facts.of(session);
    assert.equal(shown.length, 6);
    assert.ok(shown.every(({ text, title }) => text.length <= 101 && title.length < 2_200));
    changed.fire();
    assert.equal(changes, 4);
    facts.dispose();
  });
});
