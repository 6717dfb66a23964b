import { setTimeout } from 'node:timers/promises';
import type { Agent, SessionList, SessionRow } from '../../../model/agent';
import type { Agents } from '../../../model/agents/agents';
import type { Log, WorkspaceFolder } from '../../../model/ports';
import type { Sessions } from '../../../model/session/sessions';
import type { SessionIndexer } from './sessionIndexer';

export interface IndexFolderOptions {
  readonly agents: Pick<Agents, 'all'>;
  readonly sessions: Sessions;
  readonly indexer: SessionIndexer;
  readonly log: Log;
  /** Whether the session is shown to the user by now; if so, it isn't closed. */
  readonly isShown: (agentId: string, sessionId: string) => boolean;
  /** Milliseconds between two sessions. */
  readonly pause: number;
}

export interface FolderProgress {
  readonly done: number;
  /** Number of sessions listed so far. */
  readonly total: number;
}

export interface FolderIndexed {
  /** Sessions that were loaded for indexing. */
  readonly indexed: number;
  readonly failed: number;
  /** Titles of agents that can't load and close sessions, or couldn't be started. */
  readonly skipped: readonly string[];
}

/**
 * Loads each session of these folders that isn't indexed yet, one at a time with a pause in
 * between, and closes it again. Open sessions are left alone. Ends early when `signal` aborts.
 */
export async function indexFolder(
  options: IndexFolderOptions,
  folders: readonly WorkspaceFolder[],
  signal: AbortSignal,
  report: (progress: FolderProgress) => void,
): Promise<FolderIndexed> {
  const skipped: string[] = [];
  const rows: { readonly agent: Agent; readonly row: SessionRow }[] = [];
  for (const agent of options.agents.all) {
    if (await canIndex(agent)) {
      for (const folder of folders) {
        const list = agent.lists.of(folder);
        await readAll(list, signal);
        for (const row of list.rows.filter(({ unlisted }) => unlisted !== 'remembered')) {
          rows.push({ agent, row });
        }
      }
    } else {
      skipped.push(agent.title);
    }
  }
  let indexed = 0;
  let failed = 0;
  for (const [done, { agent, row }] of rows.entries()) {
    report({ done, total: rows.length });
    if (signal.aborted) {
      break;
    }
    const result = await indexSession(options, agent, row.info, signal);
    indexed += result === 'indexed' ? 1 : 0;
    failed += result === 'failed' ? 1 : 0;
    if (result !== 'known') {
      await setTimeout(options.pause, undefined, { signal }).catch(() => undefined);
    }
  }
  return { indexed, failed, skipped };
}

async function canIndex(agent: Agent): Promise<boolean> {
  try {
    await agent.connect();
  } catch {
    return false;
  }
  return agent.supports('load') && agent.supports('close');
}

async function readAll(list: SessionList, signal: AbortSignal): Promise<void> {
  await list.load();
  while (!signal.aborted && list.more.kind === 'ready') {
    await list.loadMore(true);
  }
}

async function indexSession(
  options: IndexFolderOptions,
  agent: Agent,
  info: SessionRow['info'],
  signal: AbortSignal,
): Promise<'known' | 'indexed' | 'failed'> {
  const { sessions, indexer } = options;
  const { sessionId } = info;
  if (sessions.find(agent.id, sessionId) !== undefined || (await indexer.has(agent.id, info))) {
    return 'known';
  }
  return indexer.unseen(agent.id, sessionId, async () => {
    const session = sessions.open(agent, info);
    const isShown = (): boolean => options.isShown(agent.id, sessionId);
    const giveUp = (): void => {
      if (!isShown()) {
        session.cancelLoad();
      }
    };
    // No one can answer its requests: closing the session cancels them.
    const listening = session.onDidChangeState(() => {
      if (session.requests.waiting.length > 0 && !isShown()) {
        void session.close();
      }
    });
    signal.addEventListener('abort', giveUp);
    try {
      await session.load();
      const { phase } = session;
      await indexer.idle;
      return phase.kind === 'ready' || phase.kind === 'empty' ? 'indexed' : 'failed';
    } finally {
      signal.removeEventListener('abort', giveUp);
      listening.dispose();
      if (!isShown()) {
        await session.close();
      }
    }
  });
}
