import assert from 'node:assert/strict';
import {
  agentNames,
  sessionName,
  sessionTitle,
  titleAbout,
} from '../../../../src/model/agents/whose';
import { bench, config } from '../fakes';

const only = { title: 'Claude', isOnly: true };
const claude = { title: 'Claude', isOnly: false };
const codex = { title: 'Codex\u202e\n', isOnly: false };

describe('whose something is', () => {
  it('is said where there are several agents', () => {
    assert.equal(sessionName({ agent: claude, title: 'Fix\nit' }), '“Fix it” (Claude)');
    assert.equal(sessionTitle({ agent: codex, title: 'Fix it' }), 'Fix it · Codex');
    assert.equal(titleAbout('Rename Session', claude), 'Rename Session · Claude');
    assert.equal(titleAbout('Deleting', claude, codex, claude), 'Deleting · Claude, Codex');
  });

  it('is not said of the only agent', () => {
    assert.equal(sessionName({ agent: only, title: 'Fix it' }), '“Fix it”');
    assert.equal(sessionTitle({ agent: only, title: 'Fix it' }), 'Fix it');
    assert.equal(titleAbout('Rename Session', only), 'Rename Session');
    assert.equal(agentNames([only]), '');
  });

  it('follows the settings', async () => {
    const { agents, settings } = bench(['a']);
    const [first] = agents.all;
    assert.equal(first?.isOnly, true);
    settings.set(config('a'), config('b'));
    assert.deepEqual(
      agents.all.map(({ isOnly }) => isOnly),
      [false, false],
    );
    assert.equal(agents.all[0], first);
    await agents.close();
  });
});
