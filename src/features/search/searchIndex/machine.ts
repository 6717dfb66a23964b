import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import process from 'node:process';
import { lookAtAges } from '../../../util/seenAges';

/**
 * Several machines may share the folder: a home folder on a network, or a volume that several
 * containers mount. None of them can tell whether the others' processes are alive, and a network
 * file has no lock that all can rely on. So each machine has a separate index, named after the
 * machine.
 */

const ownName = /^index(?:-[0-9a-f]{12})?\.db/;
/** The index of earlier versions, which all machines shared. */
const earlierName = 'index.db';
/** Days without writes after which another machine's index is deleted. */
const maxUnusedDays = 90;
/** How old the indexes of other machines are; what can't be read of it counts as nothing known. */
const agesName = 'ages.json';
/** Suffixes of files that the engine may have written beside an index, apart from its lock. */
const companions = ['-journal', '-wal', '-shm'];

let fileName: string | undefined;

/** The file name of this machine's index; finding it out can take a second, so it is kept. */
export function indexFileName(): string {
  fileName ??= `index-${machineDigest()}.db`;
  return fileName;
}

function machineDigest(): string {
  const machine = `${machineId()}\0${process.platform === 'darwin' ? '' : os.hostname()}`;
  return createHash('sha256').update(machine).digest('hex').slice(0, 12);
}

/** Deletes an index, whatever kind of file is at its path, and its companion files. */
export function deleteIndexFile(file: string): void {
  for (const path of [file, ...companions.map((ending) => file + ending)]) {
    rmSync(path, { force: true, recursive: true });
  }
}

/** Deletes indexes that other machines haven't used for long, and those of earlier versions. */
export function deleteUnusedIndexes(folder: string): void {
  const names = indexesIn(folder);
  if (names.includes(earlierName)) {
    deleteIndex(folder, earlierName);
  }
  const others = names.flatMap((name) => {
    const isOther = name !== earlierName && name !== indexFileName();
    const facts = isOther ? statSync(`${folder}/${name}`, { throwIfNoEntry: false }) : undefined;
    return facts === undefined ? [] : [{ name, at: facts.mtimeMs, size: facts.size }];
  });
  if (others.length === 0) {
    return;
  }
  const { days, text } = lookAtAges(readText(`${folder}/${agesName}`), others, Date.now());
  writeFileSync(`${folder}/${agesName}`, text);
  for (const { name } of others) {
    if ((days.get(name) ?? 0) >= maxUnusedDays) {
      deleteIndex(folder, name);
    }
  }
}

/** Deletes the indexes of all other machines. */
export function deleteOtherIndexes(folder: string): void {
  for (const name of indexesIn(folder)) {
    if (name !== indexFileName()) {
      deleteIndex(folder, name);
    }
  }
  rmSync(`${folder}/${agesName}`, { force: true });
}

function deleteIndex(folder: string, name: string): void {
  deleteIndexFile(`${folder}/${name}`);
  rmSync(`${folder}/${name}.lock`, { force: true, recursive: true });
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function indexesIn(folder: string): readonly string[] {
  const names = readdirSync(folder).map((name) => ownName.exec(name)?.[0] ?? '');
  return [...new Set(names)].filter((name) => name !== '');
}

function machineId(): string {
  try {
    return process.platform === 'darwin'
      ? hardwareOfMac()
      : readFileSync('/etc/machine-id', 'utf8');
  } catch {
    return '';
  }
}

/** The host name of a Mac changes with the network. */
function hardwareOfMac(): string {
  const device = ['-rd1', '-c', 'IOPlatformExpertDevice'];
  const text = execFileSync('/usr/sbin/ioreg', device, { encoding: 'utf8', timeout: 5_000 });
  return /"IOPlatformUUID" = "([^"]+)"/.exec(text)?.[1] ?? '';
}
