import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { whileHeld } from '../../../model/files/heldFiles';
import { isBeingWritten, replaceFile } from '../../../model/files/wholeFiles';
import { inSequence } from '../../../util/async';
import {
  type Block,
  blocksIn,
  type CachedOf,
  getHeader,
  maxFileBytes,
  type OwnBlock,
  type Writing,
} from './cacheBlocks';

/** Files of all workspaces together. */
const maxFiles = 10_000;
const extension = '.transcript';

/** The transcript of one session as it is stored. */
export interface CachedFile {
  /** When it was stored, in ms since the epoch. */
  readonly at: number;
  readonly data: Buffer;
  readonly blocks: readonly Block[];
}

/** What this window has written, as long as the file is still that one. */
export interface OwnFile {
  readonly blocks: readonly OwnBlock[];
  readonly stamp: string;
}

/**
 * The files of cached transcripts: a folder for each workspace, in it one for each program of an agent, in it a file for
 * each session. A file is replaced as a whole, so it is never half written; whatever isn't as it should be is removed.
 */
export class CacheFiles {
  readonly #folder: string;
  readonly #place: string;
  readonly #inSequence = inSequence();

  /** `workspace` tells workspaces apart. */
  constructor(folder: string, workspace: string) {
    this.#folder = folder;
    this.#place = path.join(folder, getName(workspace));
  }

  /** The session's transcript, which counts as used now. */
  async read(of: CachedOf): Promise<CachedFile | undefined> {
    const file = this.#getFile(of);
    const found = await readCached(file, of);
    if (found !== undefined) {
      await utimes(file, new Date(), new Date(found.at)).catch(() => undefined);
    }
    return found;
  }

  /**
   * Replaces the session's transcript by what `make` wants of the current one, which may be nothing. Resolves with what
   * is stored then.
   */
  write(
    of: CachedOf,
    own: OwnFile | undefined,
    make: (
      header: Buffer,
      blocks: readonly Block[],
      isOwn: boolean,
    ) => Promise<Writing | undefined>,
  ): Promise<OwnFile | undefined> {
    return this.#inSequence(async () => {
      const file = this.#getFile(of);
      const isOwn = own !== undefined && own.stamp === (await findStamp(file));
      const before = isOwn ? own.blocks : ((await readCached(file, of))?.blocks ?? []);
      const header = getHeader(of);
      const writing = await make(header, before, isOwn);
      if (writing === undefined) {
        return undefined;
      }
      const { blocks, kept, added } = writing;
      if (added.length > 0 || blocks.length < before.length) {
        await this.#replace(file, kept > header.length ? kept : 0, [
          ...(kept > header.length ? [] : [header]),
          ...added,
        ]);
      }
      const stamp = await findStamp(file);
      return stamp === undefined ? undefined : { blocks, stamp };
    });
  }

  /** Which of these sessions have a transcript of this program. */
  async among(
    agentId: string,
    program: string,
    sessionIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const files = new Set(await namesIn(path.join(this.#place, folderName(agentId, program))));
    return new Set(sessionIds.filter((id) => files.has(`${getName(id)}${extension}`)));
  }

  /** Removes all transcripts of an agent in this workspace. */
  forgetAgent(agentId: string): Promise<void> {
    return this.#inSequence(async () => {
      for (const program of await namesIn(this.#place)) {
        if (program.startsWith(`${getName(agentId)}.`)) {
          await remove(path.join(this.#place, program));
        }
      }
    });
  }

  /** Removes a session's transcripts, of every program and workspace. */
  forget(agentId: string, sessionId: string): Promise<void> {
    return this.#inSequence(async () => {
      for (const place of await namesIn(this.#folder)) {
        for (const program of await namesIn(path.join(this.#folder, place))) {
          if (program.startsWith(`${getName(agentId)}.`)) {
            await remove(
              path.join(this.#folder, place, program, `${getName(sessionId)}${extension}`),
            );
          }
        }
      }
    });
  }

  /** Keeps only the transcripts of these agents, in this workspace; without a program, of any. */
  keepOnly(
    agents: readonly { readonly agentId: string; readonly program?: string }[],
  ): Promise<void> {
    return this.#inSequence(async () => {
      for (const name of await namesIn(this.#place)) {
        const isKept = agents.some(({ agentId, program }) =>
          program === undefined
            ? name.startsWith(`${getName(agentId)}.`)
            : name === folderName(agentId, program),
        );
        if (!isKept) {
          await remove(path.join(this.#place, name));
        }
      }
    });
  }

  /**
   * Removes the transcripts that were used longest ago, until all together have at most so many bytes, and what was left
   * unfinished.
   */
  bound(bytes: number): Promise<void> {
    return this.#inSequence(async () => {
      const files = (await this.#transcripts()).sort((a, b) => b.time - a.time);
      let sum = 0;
      for (const [index, { file, size }] of files.entries()) {
        sum += size;
        if (sum > bytes || index >= maxFiles) {
          await remove(file);
          sum -= size;
        }
      }
    });
  }

  /** Removes everything, of all workspaces. */
  clear(): Promise<void> {
    return this.#inSequence(() => remove(this.#folder));
  }

  #getFile({ agentId, program, sessionId }: CachedOf): string {
    const folder = path.join(this.#place, folderName(agentId, program));
    return path.join(folder, `${getName(sessionId)}${extension}`);
  }

  async #replace(file: string, kept: number, added: readonly Buffer[]): Promise<void> {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await replaceFile(file, Buffer.concat(added), { kept });
  }

  /** All transcripts; anything else that no window writes is removed. */
  async #transcripts(): Promise<{ file: string; size: number; time: number }[]> {
    const all: { file: string; size: number; time: number }[] = [];
    for (const place of await namesIn(this.#folder)) {
      for (const program of await namesIn(path.join(this.#folder, place))) {
        const folder = path.join(this.#folder, place, program);
        for (const name of await namesIn(folder)) {
          const file = path.join(folder, name);
          if (!name.endsWith(extension)) {
            await (isBeingWritten(name) ? undefined : remove(file));
            continue;
          }
          const found = await stat(file).catch(() => undefined);
          if (found?.isFile()) {
            // When it was last read, or stored.
            const time = Math.max(found.atimeMs, found.mtimeMs);
            all.push({ file, size: found.size, time });
          }
        }
      }
    }
    return all;
  }
}

/** Ids come from outside, and may be secret or anything but a file's name. */
function getName(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 32);
}

function folderName(agentId: string, program: string): string {
  return `${getName(agentId)}.${getName(program)}`;
}

/** Removes the file if it can't be read. */
async function readCached(file: string, of: CachedOf): Promise<CachedFile | undefined> {
  const found = await lstat(file).catch(() => undefined);
  if (found === undefined) {
    return undefined;
  }
  const data =
    found.isFile() && found.size <= maxFileBytes
      ? await readFile(file).catch(() => undefined)
      : undefined;
  const blocks = data && blocksIn(data, of);
  if (data === undefined || blocks === undefined) {
    await remove(file);
    return undefined;
  }
  return { at: found.mtimeMs, data, blocks };
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

async function remove(place: string): Promise<void> {
  await whileHeld(() => rm(place, { recursive: true, force: true }));
}

async function findStamp(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined);
  return found && `${found.ino} ${found.size} ${found.mtimeMs}`;
}
