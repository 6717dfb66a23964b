import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isOwnPeer } from '../../../../../src/features/editorTools/model/ownPeer';
import { until } from '../../../../support/until';

const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid';
/** A connection from port 40000 to port 8080 of this machine. */
const row = (user: number, inode = 7, address = '0100007F'): string =>
  `   1: ${address}:9C40 0100007F:1F90 01 00000000:00000000 00:00000000 00000000 ${user} 0 ${inode}`;
const home = '127.0.0.1';
const ports = { remoteAddress: home, remotePort: 40_000, localAddress: home, localPort: 8080 };

describe('whose a connection on this machine is', () => {
  const table = (text: string | undefined) => (file: string) =>
    Promise.resolve(file.endsWith('tcp') ? text : undefined);

  it('a program of the same user is let in, no other one', async () => {
    assert.equal(await isOwnPeer(ports, 1000, table(`${head}\n${row(1000)}`)), true);
    assert.equal(await isOwnPeer(ports, 1000, table(`${head}\n${row(1001)}`)), false);
    assert.equal(await isOwnPeer(ports, 1000, table(head)), false);
    const turned = { ...ports, remotePort: 8080, localPort: 40_000 };
    assert.equal(await isOwnPeer(turned, 1000, table(`${head}\n${row(1000)}`)), false);
  });

  it('SEC-192: another user’s connection from the same port of another address doesn’t pass for the user’s', async () => {
    const other = row(1001, 8, '0200007F');
    const theirs = { ...ports, remoteAddress: '127.0.0.2' };
    for (const rows of [
      [row(1000), other],
      [other, row(1000)],
    ]) {
      const text = [head, ...rows].join('\n');
      assert.equal(await isOwnPeer(ports, 1000, table(text)), true);
      assert.equal(await isOwnPeer(theirs, 1000, table(text)), false);
    }
  });

  it('SEC-192: a connection that was given up after something was sent isn’t root’s', async () => {
    assert.equal(await isOwnPeer(ports, 0, table(`${head}\n${row(0, 0)}`)), false);
    assert.equal(await isOwnPeer(ports, 0, table(`${head}\n${row(0)}`)), true);
  });

  it('a connection by an address of version 6 is found as well', async () => {
    const six = row(1000).replaceAll('0100007F', '0000000000000000FFFF00000100007F');
    const read = (file: string) => Promise.resolve(file.endsWith('6') ? `${head}\n${six}` : head);
    assert.equal(await isOwnPeer(ports, 1000, read), true);
  });

  it('a machine that tells nothing of that lets all in', async () => {
    assert.equal(await isOwnPeer(ports, 1000, table(undefined)), true);
  });

  it('SEC-192: a process of another user of this machine is refused', async function () {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) {
      this.skip();
    }
    const seen: { port: number | undefined; isOwn: Promise<boolean> }[] = [];
    const server = createServer(({ socket }, response) => {
      const isOwn = isOwnPeer(socket);
      seen.push({ port: socket.remotePort, isOwn });
      void isOwn.then((is) => response.end(String(is)));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const run = async (uid: number, code: string): Promise<string> => {
      const child = spawn(process.execPath, ['-e', code], { uid, cwd: '/', env: {} });
      let text = '';
      child.stdout.on('data', (part: Buffer) => {
        text += part.toString();
      });
      await once(child, 'close');
      return text.trim();
    };
    const asks = `fetch('http://127.0.0.1:${port}').then((got) => got.text()).then(console.log)`;
    assert.deepEqual([await run(0, asks), await run(65_534, asks)], ['true', 'false']);
    // A connection of the user's own is open; another user takes its port with another address.
    const agent = new Agent({ keepAlive: true });
    const own = get({ port, host: '127.0.0.1', agent });
    const [answer] = (await once(own, 'response')) as [IncomingMessage];
    answer.resume();
    const place = `{ port: ${port}, host: '127.0.0.1', localAddress: '127.0.0.2', localPort: ${seen.at(-1)?.port} }`;
    const copies = `require('http').get(${place}, (got) => got.pipe(process.stdout))`;
    assert.equal(await run(65_534, copies), 'false');
    agent.destroy();
    // Sent, and let go before anyone looks.
    const sends = `const s = require('net').connect(${port}, '127.0.0.1', () => s.write('GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n', () => process.exit()))`;
    const before = seen.length;
    await run(65_534, sends);
    await until(() => seen.length > before);
    assert.equal(await seen.at(-1)?.isOwn, false);
    server.close();
  });
});
