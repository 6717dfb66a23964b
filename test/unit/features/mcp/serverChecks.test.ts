import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { answers, isThere } from '../../../../src/features/mcp/serverChecks';

describe('looking at MCP servers', () => {
  it('finds a program, and doesn’t look at other machines', async () => {
    assert.equal(await isThere(process.execPath), true);
    assert.equal(await isThere(path.join(process.execPath, 'no')), false);
    assert.equal(await isThere('/no-such-program'), false);
    assert.equal(await isThere('\\\\host\\share\\program'), true);
  });

  it('MCP-7: an address is asked without its path, query and password, and its redirect isn’t followed', async () => {
    const requests: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      requests.push(request);
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    assert.equal(await answers(`http://user:s3cret@127.0.0.1:${port}/s3cret?key=s3cret`), true);
    assert.deepEqual(
      requests.map(({ method, url }) => [method, url]),
      [['HEAD', '/']],
    );
    assert.equal(requests[0]?.headers.authorization, undefined);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    assert.equal(await answers(`http://127.0.0.1:${port}/`), false);
  });
});
