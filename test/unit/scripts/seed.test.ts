import assert from 'node:assert/strict';
import { lineOf, seedOf } from '../../../scripts/tests/seed.mjs';
import { fc, settingsIn } from '../../support/properties';

/** The variable that a printed line sets. */
function variableIn(line: string): NodeJS.ProcessEnv {
  const [, name = '', value] = /(\w+)=(\S+)/.exec(line) ?? [];
  return { [name]: value };
}

describe('the seed of a run', () => {
  it('is another one each time, unless it is given', () => {
    assert.notEqual(seedOf({}), seedOf({}));
    assert.equal(seedOf({ ACP_SESSIONS_SEED: '7' }), '7');
  });

  it('is printed so that it repeats a failure', () => {
    const property = fc.property(fc.string(), fc.integer(), (text, count) => text.length < count);
    const printed = lineOf(seedOf({}));
    const first = fc.check(
      property,
      settingsIn({ ACP_SESSIONS_SEED: seedOf(variableIn(printed)) }),
    );
    const again = fc.check(property, settingsIn(variableIn(printed)));
    assert.ok(first.failed);
    assert.equal(printed, `Properties: ACP_SESSIONS_SEED=${first.seed}`);
    assert.deepEqual(again.failures, first.failures);
  });

  it('reaches the properties of every process', function () {
    // A debugger starts mocha itself, in one process.
    if (process.env['MOCHA_WORKER_ID'] === undefined) this.skip();
    const { seed } = fc.readConfigureGlobal();
    assert.equal(seed, Number(process.env['ACP_SESSIONS_SEED']));
  });
});
