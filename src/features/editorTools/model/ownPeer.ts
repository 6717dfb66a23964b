import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

/** Reads a table of the kernel; `undefined` if this machine has none. */
export type ReadTable = (file: string) => Promise<string | undefined>;

const tables = ['/proc/net/tcp', '/proc/net/tcp6'];

async function readTable(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'latin1');
  } catch {
    return undefined;
  }
}

/**
 * Whether the other end of a connection on this machine belongs to the user: Claude writes the token into the arguments
 * of its process, which all users of a machine can read. Only Linux tells whose a connection is; elsewhere all pass.
 */
export async function isOwnPeer(
  { remotePort, localPort }: Pick<Socket, 'remotePort' | 'localPort'>,
  user: number | undefined = process.getuid?.(),
  read: ReadTable = readTable,
): Promise<boolean> {
  const texts = (await Promise.all(tables.map(read))).filter((text) => text !== undefined);
  if (texts.length === 0 || user === undefined) {
    return true;
  }
  const [peer, own] = [portEnd(remotePort), portEnd(localPort)];
  const rows = texts.flatMap((text) => text.split('\n').slice(1));
  const row = rows
    .map((line) => line.trim().split(/\s+/))
    .find(([, local, remote]) => local?.endsWith(peer) === true && remote?.endsWith(own) === true);
  return row !== undefined && Number(row[7]) === user;
}

function portEnd(port: number | undefined): string {
  return `:${(port ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
