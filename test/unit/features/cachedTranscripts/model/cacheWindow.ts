import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { TranscriptCache } from '../../../../../src/features/cachedTranscripts/model/transcriptCache';
import type { Entry, TranscriptChange } from '../../../../../src/shared/transcript/entries';
import { Emitter } from '../../../../../src/util/emitter';
import { type FakeConnection, silentLog } from '../../../model/fakes';
import { type SessionBench, sessionBench } from '../../../model/sessionBench';

export interface CacheWindow extends SessionBench {
  readonly cache: TranscriptCache;
  readonly setting: { transcriptCacheLimit: number };
}

const open: TranscriptCache[] = [];

const folders: string[] = [];

/** The path of a folder for a cache, which doesn't exist yet. */
export async function newCacheFolder(): Promise<string> {
  const base = await mkdtemp(path.join(os.tmpdir(), 'acp-cache-'));
  folders.push(base);
  return path.join(base, 'transcripts');
}

/** Ends all caches, and removes their folders. */
export async function removeCaches(): Promise<void> {
  for (const cache of open.splice(0)) {
    cache.dispose();
  }
  for (const folder of folders.splice(0)) {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A window of a workspace with the session `s0` of the agent `demo` open, not loaded, and this cache. */
export function cacheWindow(
  folder: string,
  prepare: (connection: FakeConnection) => void = () => undefined,
  { trusted = true, place = 'here' } = {},
): CacheWindow {
  const made = sessionBench(prepare);
  const { agents, sessions, workspace } = made;
  workspace.trusted = trusted;
  const setting = {
    transcriptCacheLimit: 1e6,
    onDidChangeTranscriptCache: new Emitter<void>().event,
  };
  const cache = new TranscriptCache({
    ...{ folder, place, agents, sessions, workspace },
    settings: setting,
    log: silentLog,
  });
  open.push(cache);
  return Object.assign(made, { cache, setting });
}

/** Loads the session in one window, and closes that. */
export async function openedBefore(
  folder: string,
  prepare: (connection: FakeConnection) => void,
  options?: { readonly trusted?: boolean },
): Promise<void> {
  const { session, cache, agents } = cacheWindow(folder, prepare, options);
  await session.load();
  await cache.end();
  cache.dispose();
  await agents.close();
}

/** All files of the cache, relative to its folder. */
export async function filesIn(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) {
    return [];
  }
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  return all
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

export function textsOf(entries: readonly Entry[]): readonly string[] {
  return entries.map((entry) =>
    'blocks' in entry
      ? entry.blocks.map((block) => (block.type === 'text' ? block.text : block.type)).join('')
      : entry.kind,
  );
}

/** What is shown, kept up to date by its changes alone. */
export function followed({ session: { shown } }: Pick<CacheWindow, 'session'>): {
  readonly entries: Entry[];
  readonly changes: TranscriptChange[];
} {
  const entries = [...shown.entries];
  const changes: TranscriptChange[] = [];
  shown.onDidChange((change) => {
    changes.push(change);
    switch (change.type) {
      case 'reset':
        entries.length = 0;
        return;
      case 'appended':
        entries.push(...shown.entries.slice(change.from, change.to));
        return;
      case 'updated':
        entries[change.index] = shown.entries[change.index]!;
    }
  });
  return { entries, changes };
}
