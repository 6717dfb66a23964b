import assert from 'node:assert/strict';
import process from 'node:process';
import { AcpError } from '../../../../src/protocol/errors';
import { spawnAgent } from '../../../../src/protocol/transport/stdio';
import type { Transport, TransportEnd } from '../../../../src/protocol/transport/transport';
import { inMemoryTransports } from '../../../support/inMemoryTransport';
import { until } from '../../../support/until';

/**
 * The requirements on every transport. The other end echoes all bytes; on the word `leave` it says
 * `bye` and exits.
 */
const transports: Record<string, () => Transport> = {
  'a child process over stdio': () => {
    const program = `process.stdin.on('data', (bytes) => process.stdout.write(bytes, () => {
      if (bytes.includes('leave')) process.stdout.write('bye', () => process.exit(3));
    }))`;
    return spawnAgent({ command: process.execPath, args: ['-e', program], graceMs: 200 });
  },
  'a line in memory': () => {
    const [own, other] = inMemoryTransports();
    other.onData((bytes) => {
      const text = Buffer.from(bytes).toString();
      void other.write(text).catch(() => undefined);
      if (text.includes('leave')) {
        void other.write('bye').catch(() => undefined);
        void other.close();
      }
    });
    return own;
  },
};

for (const [name, create] of Object.entries(transports)) {
  describe(`TR-9: ${name}`, function () {
    this.timeout(20_000);
    let transport: Transport;
    let received: string;
    let ends: TransportEnd[];

    beforeEach(() => {
      transport = create();
      received = '';
      ends = [];
      transport.onData((bytes) => {
        assert.equal(ends.length, 0, 'data after the end');
        received += Buffer.from(bytes).toString();
      });
      transport.onEnd((end) => ends.push(end));
    });

    afterEach(async () => {
      await transport.close();
    });

    it('TR-2, TR-9: takes bytes in both directions, in order', async () => {
      const lines = Array.from({ length: 200 }, (_, i) => `${i} 日本語\n`);
      await Promise.all(lines.map((line) => transport.write(line)));
      await until(() => received === lines.join(''));
    });

    it('carries a megabyte in one piece', async () => {
      const text = 'x'.repeat(1024 * 1024);
      await transport.write(text);
      await until(() => received.length === text.length);
    });

    it('stops when paused and goes on when resumed, nothing lost', async () => {
      await transport.write('a');
      await until(() => received === 'a');
      transport.pause();
      await transport.write('b');
      // Long enough for `b` to have arrived.
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.equal(received, 'a');
      transport.resume();
      await until(() => received === 'ab');
    });

    it('ends once, with the reason, after the last bytes, even when paused', async () => {
      transport.pause();
      await transport.write('leave');
      await until(() => ends.length > 0);
      assert.equal(received, 'leavebye');
      assert.equal(ends[0]?.error?.code, 'exited');
      await transport.close();
      assert.equal(ends.length, 1);
    });

    it('refuses to write after the end', async () => {
      await transport.write('leave');
      await until(() => ends.length > 0);
      await assert.rejects(transport.write('x'), AcpError);
    });

    it('closes without a reason, and as often as one likes', async () => {
      await transport.write('a');
      await Promise.all([transport.close(), transport.close()]);
      assert.deepEqual(ends, [{}]);
      await transport.close();
      await assert.rejects(transport.write('x'), AcpError);
    });

    it('can be closed at once', async () => {
      await transport.close();
      assert.deepEqual(ends, [{}]);
    });
  });
}
