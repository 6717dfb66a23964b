import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { connectAgent, startTakesTooLong } from '../../../src/protocol/connectAgent';
import { AcpError } from '../../../src/protocol/errors';
import { spawnAgent } from '../../../src/protocol/transport/stdio';
import { fakeAgent } from '../../fakeAgent/scenario';
import { posixOnly } from '../../support/posixOnly';
import { removeTemporary, temporaryFile } from '../../support/temporary';
import { until } from '../../support/until';
import { TestLog } from './peer';

/** Stands in for npx: runs its arguments as a child once the file in `FETCHED` exists. */
const npx = `#!/usr/bin/env node
const { existsSync } = require('node:fs');
const look = setInterval(() => {
  if (existsSync(process.env.FETCHED)) {
    clearInterval(look);
    const [command, ...args] = process.argv.slice(2);
    const agent = require('node:child_process').spawn(command, args, { stdio: 'inherit' });
    agent.on('exit', (code) => process.exit(code ?? 1));
  }
}, 5);
`;

describe('an agent that its command fetches first', function () {
  this.timeout(20_000);
  afterEach(removeTemporary);

  posixOnly('T-33: is said to be fetched until it is started', async () => {
    const fetched = temporaryFile('fetched');
    const command = temporaryFile('npx');
    await writeFile(command, npx, { mode: 0o755 });
    const agent = fakeAgent({});
    const looks: boolean[] = [];
    const connecting = connectAgent(
      spawnAgent({
        command,
        args: [agent.command, ...agent.args],
        env: { FETCHED: fetched },
        graceMs: 300,
      }),
      {
        clientVersion: '1.2.3',
        log: new TestLog(),
        fetchLimits: { fetchMs: 60_000, lookMs: 5 },
        onFetching: (isFetching) => looks.push(isFetching),
      },
    );
    await until(() => looks.length > 5);
    assert.ok(looks.every((isFetching) => isFetching));
    await writeFile(fetched, '');
    const connection = await connecting;
    assert.equal(looks.at(-1), false);
    await connection.close();
  });

  describe('by a clock', () => {
    let time: number;
    beforeEach(() => {
      time = 0;
      performance.now = () => time;
    });
    afterEach(() => {
      Reflect.deleteProperty(performance, 'now');
    });

    /** Returns when a start is given up that is fetched until then and looked at each second. */
    async function givenUp(fetchedAt: number, fetchMs: number): Promise<number> {
      const isFetching = (): Promise<boolean> => {
        time += 1000;
        return Promise.resolve(time <= fetchedAt);
      };
      const limits = { startMs: 3000, fetchMs, lookMs: 0 };
      const never = new AbortController().signal;
      await assert.rejects(
        startTakesTooLong(isFetching, limits, () => undefined, never),
        (error) => error instanceof AcpError && error.code === 'timeout',
      );
      return time;
    }

    it('T-33: has the time that the download needs, and its usual time from then on', async () => {
      assert.equal(await givenUp(0, 60_000), 4000);
      assert.equal(await givenUp(50_000, 60_000), 54_000);
    });

    it('T-33: is given up when the download has no end', async () => {
      assert.equal(await givenUp(Number.POSITIVE_INFINITY, 60_000), 61_000);
    });
  });
});
