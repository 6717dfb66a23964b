import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer as createHttps } from 'node:https';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { makeCertificates } from '../../../../../../scripts/tests/certificates.mjs';
import { inProject } from '../../../../../support/project';
import {
  echoingHttp,
  echoingWebSocket,
  endServers,
  listening,
  type ServerCertificate,
} from '../../../../../support/remoteServers';
import { removeTemporary, temporaryFile } from '../../../../../support/temporary';

const program = inProject('out/unit/features/remote/model/transport/trusting.main.mjs');

describe('a server whose certificate is by a private authority', function () {
  this.timeout(20_000);
  let folder: string;
  let certificate: ServerCertificate;
  before(async () => {
    folder = temporaryFile('certificates');
    await makeCertificates(folder);
    const read = (name: string): Promise<string> => readFile(path.join(folder, name), 'utf8');
    certificate = { cert: await read('server.pem'), key: await read('server.key') };
  });
  after(removeTemporary);
  afterEach(endServers);

  /** What a process hears that trusts these further authorities. */
  async function heard(urls: readonly URL[], authorities?: string): Promise<unknown> {
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: authorities };
    const args = [program, ...urls.map(({ href }) => href)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    return JSON.parse(stdout);
  }

  it('SEC-152: is reached by a process that trusts the authority, over a WebSocket and over HTTP/2', async () => {
    const urls = [await echoingWebSocket(certificate), await echoingHttp(certificate)];
    const echo = '{"hello":1}';
    assert.deepEqual(await heard(urls, path.join(folder, 'authority.pem')), [echo, echo]);
  });

  it('SEC-152: gets nothing from a process that doesn’t trust it, and is said not to speak HTTP/2 if it doesn’t', async () => {
    const old = await listening(createHttps(certificate), 'https');
    const urls = [await echoingWebSocket(certificate), await echoingHttp(certificate), old];
    assert.deepEqual(await heard(urls), ['tls', 'tls', 'http1']);
  });
});
