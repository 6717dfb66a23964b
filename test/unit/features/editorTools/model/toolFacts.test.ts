import assert from 'node:assert/strict';
import { Offer } from '../../../../../src/features/editorTools/model/offers';
import { ToolFacts } from '../../../../../src/features/editorTools/model/toolFacts';
import { servedSession } from '../../../../support/servedSession';

describe('what is said of the editor’s tools', () => {
  const inHeader = { agent: { id: 'demo' }, info: { sessionId: 's' } };

  it('the header and the diagnosis name those that a session has and has used', () => {
    const facts = new ToolFacts();
    let changes = 0;
    facts.onDidChange(() => (changes += 1));
    const offer = new Offer();
    facts.opened(servedSession(), offer);
    assert.deepEqual(facts.of(inHeader), []);
    assert.deepEqual(facts.ofAgent('demo'), [
      'Session s was offered the tools of the editor, but the agent hasn’t asked for them.',
    ]);
    offer.noteListed(['problems', 'references']);
    const way = 'The agent reaches them over HTTP.';
    const title = `Tools of the editor: problems, references\n${way}\nNone was used.`;
    assert.deepEqual(facts.of(inHeader), [{ icon: 'tools', text: '2 tools', title }]);
    for (const tool of ['problems', 'references', 'problems']) {
      offer.noteUsed(tool);
    }
    assert.match(facts.of(inHeader)[0]?.title ?? '', /\nUsed: problems \(2\), references \(1\)\.$/);
    assert.deepEqual(facts.ofAgent('demo'), [
      `Session s has these tools of the editor: problems, references. ${way} Used: problems (2), references (1).`,
    ]);
    offer.way = 'acp';
    assert.match(facts.ofAgent('demo').join(), /by its own connection/);
    offer.way = 'program';
    assert.match(facts.ofAgent('demo').join(), /by a program that it starts/);
    assert.deepEqual(facts.ofAgent('other'), []);
    assert.deepEqual(facts.of({ ...inHeader, info: { sessionId: 'other' } }), []);
    assert.equal(changes, 5);
    facts.ended(offer);
    assert.deepEqual(facts.of(inHeader), []);
    assert.deepEqual(facts.ofAgent('demo'), []);
  });
});
