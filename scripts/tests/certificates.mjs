// @ts-check
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generate } from 'selfsigned';

/** The name that the certificate is for, besides loopback; nothing has it, so only a proxy knows where it is. */
export const serverName = 'agents.test';

/**
 * Makes a private authority and the certificate of a server: `authority.pem`, `server.pem` and `server.key`.
 *
 * @param {string} folder created if it is missing
 */
export async function makeCertificates(folder) {
  const kind = { keyType: /** @type {const} */ ('ec'), algorithm: 'sha256' };
  const authority = await generate([{ name: 'commonName', value: 'Private Authority' }], {
    ...kind,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const server = await generate([{ name: 'commonName', value: serverName }], {
    ...kind,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: serverName },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  await mkdir(folder, { recursive: true });
  await Promise.all([
    writeFile(path.join(folder, 'authority.pem'), authority.cert),
    writeFile(path.join(folder, 'server.pem'), server.cert),
    writeFile(path.join(folder, 'server.key'), server.private, { mode: 0o600 }),
  ]);
}
