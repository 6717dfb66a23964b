import assert from 'node:assert/strict';
import { knownAgents, throughNpx } from '../../../../src/commands/agents/knownAgents';

describe('known agents', () => {
  it('have ids of their own and packages with an exact version', () => {
    assert.equal(new Set(knownAgents.map(({ id }) => id)).size, knownAgents.length);
    for (const agent of knownAgents) {
      assert.match(agent.package, /^(?:@[\w-]+\/)?[\w-]+@\d+\.\d+\.\d+$/);
    }
  });

  it('run a program of exactly their package through npx', () => {
    const kilo = knownAgents.find(({ id }) => id === 'kilo');
    assert.ok(kilo);
    assert.deepEqual(throughNpx(kilo), [
      'npx',
      '--yes',
      '--package=@kilocode/cli@7.7.7',
      '--',
      'kilo',
      'acp',
    ]);
  });
});
