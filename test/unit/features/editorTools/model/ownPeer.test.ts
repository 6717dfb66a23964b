import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isOwnPeer } from '../../../../../src/features/editorTools/model/ownPeer';

const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid';
/** A connection from port 40000 to port 8080 of this machine. */
const row = (user: number): string =>
  `   1: 0100007F:9C40 0100007F:1F90 01 00000000:00000000 00:00000000 00000000 ${user} 0 1`;
const ports = { remotePort: 40_000, localPort: 8080 };

describe('whose a connection on this machine is', () => {
  const table = (text: string | undefined) => (file: string) =>
    Promise.resolve(file.endsWith('tcp') ? text : undefined);

  it('a program of the same user is let in, no other one', async () => {
    assert.equal(await isOwnPeer(ports, 1000, table(`${head}\n${row(1000)}`)), true);
    assert.equal(await isOwnPeer(ports, 1000, table(`${head}\n${row(1001)}`)), false);
    assert.equal(await isOwnPeer(ports, 1000, table(head)), false);
    const turned = { remotePort: 8080, localPort: 40_000 };
    assert.equal(await isOwnPeer(turned, 1000, table(`${head}\n${row(1000)}`)), false);
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
    const server = createServer(({ socket }, response) => {
      void isOwnPeer(socket).then((isOwn) => response.end(String(isOwn)));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const code = `fetch('http://127.0.0.1:${port}').then((got) => got.text()).then(console.log)`;
    const says = async (uid: number): Promise<string> => {
      const child = spawn(process.execPath, ['-e', code], { uid, cwd: '/', env: {} });
      let text = '';
      child.stdout.on('data', (part: Buffer) => {
        text += part.toString();
      });
      await once(child, 'close');
      return text.trim();
    };
    assert.deepEqual([await says(0), await says(65_534)], ['true', 'false']);
    server.close();
  });
});
