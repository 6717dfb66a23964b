import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';

type PeerSocket = Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'>;

/** Reads a table of the kernel; `undefined` if this machine has none. */
export type ReadTable = (file: string) => Promise<string | undefined>;

const tables = ['/proc/net/tcp', '/proc/net/tcp6'];
/** Columns of a row. */
const [userAt, inodeAt] = [7, 9];

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
  { remoteAddress, remotePort, localAddress, localPort }: PeerSocket,
  user: number | undefined = process.getuid?.(),
  read: ReadTable = readTable,
): Promise<boolean> {
  if (user === undefined) {
    return true;
  }
  const [peer, own] = [placeOf(remoteAddress, remotePort), placeOf(localAddress, localPort)];
  let isTold = false;
  // The second is looked at only by need: each takes some milliseconds.
  for (const file of tables) {
    const text = await read(file);
    isTold ||= text !== undefined;
    const row = text
      ?.split('\n')
      .map((line) => line.trim().split(/\s+/))
      .find(
        ([, local, remote]) => local?.endsWith(peer) === true && remote?.endsWith(own) === true,
      );
    if (row !== undefined) {
      // A connection that nobody holds any more (inode 0) counts as root's, whoever has sent something by it.
      return Number(row[userAt]) === user && row[inodeAt] !== '0';
    }
  }
  return !isTold;
}

/** As the tables end the name of a place, also where it is written as an address of version 6. */
function placeOf(address = '', port = 0): string {
  const parts = address
    .replace(/^::ffff:/i, '')
    .split('.')
    .map(Number);
  const bytes = Buffer.from(endianness() === 'LE' ? parts.toReversed() : parts);
  return `${bytes.toString('hex')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}
