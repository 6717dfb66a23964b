import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** The folder of a session's record, which depends on where the session works. */
export function recordFolder(
  folder: string,
  place: string,
  key: readonly [string, string],
): string {
  return path.join(folder, recordName(place), recordName(JSON.stringify(key)));
}

export function isRecordName(name: string): boolean {
  return /^[0-9a-f]{16}$/.test(name);
}

/** Whether sessions that work in one of these places have records. They are only looked up if there are records at all. */
export async function hasRecords(
  folder: string,
  places: () => Promise<readonly string[]>,
): Promise<boolean> {
  const stored = new Set(await readdir(folder).catch(() => []));
  return stored.size > 0 && (await places()).some((place) => stored.has(recordName(place)));
}

/** What the folder of a place, or of one of its sessions, is called. */
export function recordName(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
