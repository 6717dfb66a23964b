import assert from 'node:assert/strict';
import process from 'node:process';
import { connectHttp } from '../../../src/features/remote/model/transport/http';
import { connectTcp } from '../../../src/features/remote/model/transport/tcp';
import { connectWebSocket } from '../../../src/features/remote/model/transport/webSocket';
import type { Transport, TransportEnd } from '../../../src/protocol/agentTransport';
import { AcpError } from '../../../src/protocol/errors';
import { spawnAgent } from '../../../src/protocol/transport/stdio';
import { inMemoryTransports } from '../../support/inMemoryTransport';
import {
  echoingHttp,
  echoingSocket,
  echoingWebSocket,
  endServers,
} from '../../support/remoteServers';
import { until } from '../../support/until';

/**
 * The requirements on every transport. The other end echoes all lines; on the word `leave` it says
 * `bye` and exits. The lines are JSON, as some transports read their own.
 */
const transports: Record<string, () => Transport | Promise<Transport>> = {
  'a child process over stdio': () => {
    const program = `process.stdin.on('data', (bytes) => process.stdout.write(bytes, () => {
      if (bytes.includes('leave')) process.stdout.write('"bye"\\n', () => process.exit(3));
    }))`;
    return spawnAgent({ command: process.execPath, args: ['-e', program], graceMs: 200 });
  },
  'a line in memory': () => {
    const [own, other] = inMemoryTransports();
    other.onData((bytes) => {
      const text = Buffer.from(bytes).toString();
      void other.write(text).catch(() => undefined);
      if (text.includes('leave')) {
        void other.write('"bye"\n').catch(() => undefined);
        void other.close();
      }
    });
    return own;
  },
  'a WebSocket': async () => connectWebSocket({ url: await echoingWebSocket() }),
  'a plain socket': async () => connectTcp({ url: await echoingSocket() }),
  'streamable HTTP': async () => connectHttp({ url: await echoingHttp() }),
};

const line = (text: string): string => `${JSON.stringify(text)}\n`;

for (const [name, create] of Object.entries(transports)) {
  describe(`TR-9: ${name}`, function () {
    this.timeout(20_000);
    let transport: Transport;
    let received: string;
    let ends: TransportEnd[];

    beforeEach(async () => {
      transport = await create();
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
      await endServers();
    });

    it('TR-2, TR-9: takes bytes in both directions, in order', async () => {
      const lines = Array.from({ length: 200 }, (_, i) => line(`${i} 日本語`));
      await Promise.all(lines.map((one) => transport.write(one)));
      await until(() => received === lines.join(''));
    });

    it('carries a megabyte in one piece', async () => {
      const text = line('x'.repeat(1024 * 1024));
      await transport.write(text);
      await until(() => received.length === text.length);
    });

    it('stops when paused and goes on when resumed, nothing lost', async () => {
      await transport.write(line('a'));
      await until(() => received === line('a'));
      transport.pause();
      await transport.write(line('b'));
      // Long enough for `b` to have arrived.
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.equal(received, line('a'));
      transport.resume();
      await until(() => received === line('a') + line('b'));
    });

    it('ends once, with the reason, after the last bytes, even when paused', async () => {
      transport.pause();
      await transport.write(line('leave'));
      await until(() => ends.length > 0);
      assert.equal(received, line('leave') + line('bye'));
      assert.equal(ends[0]?.error?.code, 'exited');
      await transport.close();
      assert.equal(ends.length, 1);
    });

    it('refuses to write after the end', async () => {
      await transport.write(line('leave'));
      await until(() => ends.length > 0);
      await assert.rejects(transport.write(line('x')), AcpError);
    });

    it('closes without a reason, and as often as one likes', async () => {
      await transport.write(line('a'));
      await Promise.all([transport.close(), transport.close()]);
      assert.deepEqual(ends, [{}]);
      await transport.close();
      await assert.rejects(transport.write(line('x')), AcpError);
    });

    it('can be closed at once', async () => {
      await transport.close();
      assert.deepEqual(ends, [{}]);
    });
  });
}
