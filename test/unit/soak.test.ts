import assert from 'node:assert/strict';
import { Runner } from '../soak/runner';
import { posixOnly } from '../support/posixOnly';

/** Always the same input; `npm run soak` tries other and larger inputs. */
const seed = 1;

describe('the soak in its short form', function () {
  this.timeout(600_000);
  const runner = new Runner();
  after(() => runner.dispose());

  /** The failures in a part. */
  async function failuresOf(part: string): Promise<readonly string[]> {
    const checks = (await runner.offered()).filter((check) => check.part === part);
    assert.notEqual(checks.length, 0);
    const failures: string[] = [];
    for (const check of checks.filter(({ wholeOnly }) => !wholeOnly)) {
      const { failure, name } = await runner.run({ ...check, seconds: 20 }, seed, true);
      if (failure !== undefined) {
        failures.push(`${name}: ${failure}`);
      }
    }
    return failures;
  }

  it('what an agent sends neither stops the host nor floods the page', async () => {
    assert.deepEqual(await failuresOf('chain'), []);
  });

  posixOnly('a workspace that was made to do harm is read like any other', async () => {
    assert.deepEqual(await failuresOf('workspace'), []);
  });
});
