import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { UndecidedSockets } from '../../../../src/protocol/share/undecidedSockets';

describe('connections that have shown no token', () => {
  const opened = (undecided: UndecidedSockets, peer: string, count: number): PassThrough[] =>
    Array.from({ length: count }, () => {
      const socket = new PassThrough();
      undecided.add(socket, peer);
      return socket;
    });
  const open = (sockets: readonly PassThrough[]): number =>
    sockets.filter(({ destroyed }) => !destroyed).length;

  it('SEC-156: end the oldest of the busiest address, at twice as many as there may be', () => {
    const undecided = new UndecidedSockets();
    const [few, many] = [opened(undecided, 'a', 3), opened(undecided, 'b', 125)];
    assert.equal(open(few), 3);
    assert.equal(open(many), 61);
    assert.ok(many.slice(64).every(({ destroyed }) => !destroyed));
  });

  it('end none that was decided, nor any for one that is gone', async () => {
    const undecided = new UndecidedSockets();
    const [first, second] = opened(undecided, 'a', 64);
    assert.ok(first && second);
    undecided.decided(first);
    const closed = new Promise((resolve) => second.once('close', resolve));
    second.destroy();
    await closed;
    assert.equal(open(opened(undecided, 'a', 2)), 2);
    assert.equal(first.destroyed, false);
  });
});
