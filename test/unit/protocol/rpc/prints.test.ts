import assert from 'node:assert/strict';
import type { Step } from '../../../fakeAgent/scenario';
import { until } from '../../../support/until';
import { connect, endAgents, Peer, type Seen, startAgent } from '../peer';

describe('what an agent prints between its messages', () => {
  afterEach(endAgents);

  const authMethods = [{ id: 'm', name: 'M' }];
  const withoutHeld = (line: string): string => line.replaceAll('s3cret', '‹hidden›');

  async function start(...steps: readonly Step[]): Promise<Seen & { readonly printed: string[] }> {
    const scenario = { initialize: { authMethods }, on: { authenticate: steps } };
    const seen = await connect(startAgent(scenario), { withoutHeld });
    const printed: string[] = [];
    seen.connection.onPrint((line) => printed.push(line));
    return { ...seen, printed };
  }

  it('AUTH-3: is heard while it logs in, from stdout and stderr, without the keys that it was given', async () => {
    const { connection, printed, log } = await start(
      { line: 'Opening https://a.example/?state=x-1 for s3cret' },
      { stderr: '\u001b[1mWaiting for s3cret\u001b[0m\n' },
      { result: {} },
    );
    await connection.authenticate('m');
    await until(() => printed.length === 2);
    assert.deepEqual(printed.sort(), [
      'Opening https://a.example/?state=x-1 for ‹hidden›',
      'Waiting for ‹hidden›',
    ]);
    assert.deepEqual(log.lines, [
      'Not a message, on stdout: Opening https://a.example/?state=‹hidden› for ‹hidden›',
    ]);
  });

  it('T-30, SEC-126: is bounded in length and number, at twice the size', async () => {
    const peer = new Peer();
    const { connection } = await connect(peer.client);
    const printed: string[] = [];
    connection.onPrint((line) => printed.push(line));
    const seconds = Math.floor(performance.now() / 1000);
    peer.sendText(`${'x'.repeat(2 * 8192)}\n${'line\n'.repeat(2 * 50)}`);
    peer.answer('session/list', () => ({ sessions: [] }));
    await connection.listSessions({});
    assert.equal(printed[0]?.length, 8192);
    const passed = Math.floor(performance.now() / 1000) - seconds + 1;
    assert.ok(printed.length <= passed * 50, `${printed.length}`);
  });
});
