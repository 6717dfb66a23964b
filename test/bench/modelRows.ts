import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { SearchSettings } from '../../src/features/search/model/searchSettings';
import { Agents } from '../../src/model/agents/agents';
import { PromptTitles } from '../../src/model/list/promptTitles';
import { RememberedLists } from '../../src/model/list/rememberedLists';
import { RememberedSessions } from '../../src/model/list/rememberedSessions';
import { SessionPlaces } from '../../src/model/places/sessionPlaces';
import type { AgentConfig, Files, Log, Workspace } from '../../src/model/ports';
import { FileRequests } from '../../src/model/requests/fileRequests';
import type { Session } from '../../src/model/session/session';
import { Sessions } from '../../src/model/session/sessions';
import type { Transport } from '../../src/protocol/agentTransport';
import { connectAgent } from '../../src/protocol/connectAgent';
import { spawnAgent } from '../../src/protocol/transport/stdio';
import { getVersions } from '../../src/protocol/versions';
import {
  type BenchAgent,
  promptedAgent,
  promptedId,
  replayingAgent,
  sessionOf,
  subagentCount,
  subagentsAgent,
  subagentsId,
} from './agent';
import { drainBare } from './floor';
import { interleaved, median } from './statistics';
import type { TableRow } from './table';

const cwd = process.cwd();
export const silentLog: Log = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
  trace: () => undefined,
};

const refuse = () => Promise.reject(new Error('The benchmark has nothing of the kind'));
const nothing: Files = { read: refuse, write: refuse };

/** The extension's model with its agents, in plain Node. */
export function modelOf(
  { command, args, env, protocol = '1' }: BenchAgent,
  transportOf: (agent: AgentConfig) => Transport = spawnAgent,
  remote?: AgentConfig['remote'],
): {
  readonly agents: Agents;
  readonly sessions: Sessions;
  readonly settings: SearchSettings;
} {
  const config: AgentConfig = {
    ...{ id: 'bench', title: 'Bench', command, args, env, cwd, protocol },
    ...(remote && { remote }),
  };
  const never = () => ({ dispose: () => undefined });
  const folders = [{ name: 'bench', path: cwd }];
  const workspace: Workspace = { folders, trusted: true, onDidChange: never };
  const realPath = (file: string) => Promise.resolve(file);
  const storage = { get: () => undefined, update: () => Promise.resolve() };
  const remembered = new RememberedSessions(storage);
  const agents = new Agents({
    settings: { agents: { agents: [config], problems: [] }, onDidChangeAgents: never },
    workspace,
    connect: async (agent, requests, signal) =>
      connectAgent(transportOf(agent), {
        ...{ clientVersion: '0.0.0', log: silentLog, requests, signal },
        versions: getVersions(protocol),
      }),
    realPath,
    log: silentLog,
    remembered,
    promptTitles: new PromptTitles(storage),
    lists: new RememberedLists(storage, { remembersLists: true }),
  });
  const sessions = new Sessions({
    agents,
    log: silentLog,
    files: new FileRequests({ files: nothing, workspace, realPath }),
    terminals: { shellFor: refuse, create: refuse },
    rules: { decide: () => undefined, offer: () => Promise.resolve(undefined) },
    mcp: { servers: () => Promise.resolve([]) },
    promptContext: { read: () => Promise.resolve([]) },
    places: new SessionPlaces({
      storage,
      workspace,
      settings: { additionalDirectories: 'none' },
      folderIsGone: () => Promise.resolve(false),
      realPath,
      worktrees: { below: () => [], at: () => undefined },
    }),
    remembered,
  });
  const settings: SearchSettings = { searchIndex: 'text', onDidChangeSearchIndex: never };
  return { agents, sessions, settings };
}

/** Measures from requesting the session to the whole transcript in the model. */
export async function drainIntoModel(
  sessionId: string,
  source: BenchAgent = replayingAgent(cwd),
  look: (session: Session) => void = () => undefined,
  transportOf?: (agent: AgentConfig) => Transport,
): Promise<number> {
  const { agents, sessions } = modelOf(source, transportOf);
  try {
    const agent = agents.all[0];
    if (!agent) {
      throw new Error('No agent');
    }
    await agent.connect();
    const session = sessions.open(agent, { sessionId, cwd, additionalDirectories: [] });
    const started = performance.now();
    await session.load();
    const milliseconds = performance.now() - started;
    if (session.phase.kind !== 'ready') {
      throw new Error(`The load ended as ${JSON.stringify(session.phase)}`);
    }
    look(session);
    return milliseconds;
  } finally {
    await agents.close();
  }
}

export function modelRow(): Promise<TableRow> {
  return drainRow({
    what: 'agent to model, plain Node, 100,000 updates',
    most: 1.12,
    sessionId: sessionOf(100_000),
    source: replayingAgent(cwd),
  });
}

/** Measures a session whose subagents do nearly all; each must have its own. */
export function subagentsRow(): Promise<TableRow> {
  return drainRow({
    what: `agent to model, plain Node, 100,000 updates of ${subagentCount} subagents`,
    most: 1.2,
    sessionId: subagentsId,
    source: subagentsAgent(cwd),
    look: ({ transcript }) => {
      const filled = transcript.entries.filter(
        (entry) => entry.kind === 'subagent' && entry.entries.length > 0,
      );
      if (filled.length !== subagentCount) {
        throw new Error(`${filled.length} of ${subagentCount} subagents have a transcript`);
      }
    },
  });
}

interface DrainRow {
  readonly what: string;
  /** The limit, in times of the client that keeps what it reads. */
  readonly most: number;
  readonly sessionId: string;
  readonly source: BenchAgent;
  /** Throws if something is missing: what isn't read costs nothing. */
  readonly look?: (session: Session) => void;
}

/**
 * The way from agent to model beside a bare client that keeps what it reads, as a client must keep what it shows; the one
 * that forgets it is the floor of the machine and is only shown.
 */
export async function drainRow({
  what,
  most,
  sessionId,
  source,
  look,
}: DrainRow): Promise<TableRow> {
  const { a, b } = await interleaved(
    5,
    async () => ({
      bare: await drainBare(source, { sessionId, cwd }),
      keeping: await drainBare(source, { sessionId, cwd, keeps: true }),
    }),
    () => drainIntoModel(sessionId, source, look),
  );
  const bare = median(a.map((floor) => floor.bare.milliseconds));
  const keeping = median(a.map((floor) => floor.keeping.milliseconds));
  const model = median(b);
  const times = (floor: number): string => `${(model / floor).toFixed(2)} ×`;
  return {
    what,
    limit: `≤ ${most} × a client that keeps what it reads`,
    measured:
      `${times(keeping)} (${Math.round(model)} ms, client ${Math.round(keeping)} ms); ` +
      `${times(bare)} one that forgets it (${Math.round(bare)} ms)`,
    met: model <= most * keeping,
  };
}

/** Measures from sending a prompt to the agent's first word in reply, which includes more than the way to its stdin. */
export async function promptRow(): Promise<TableRow> {
  const rounds = 9;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-bench-'));
  const { agents, sessions } = modelOf(promptedAgent(folder, rounds, 0));
  try {
    const agent = agents.all[0];
    if (!agent) {
      throw new Error('No agent');
    }
    const info = { sessionId: promptedId, cwd: folder, additionalDirectories: [] };
    const session = sessions.open(agent, info);
    await session.load();
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const sent = performance.now();
      session.turns.submit({ text: 'quick', attachments: [] });
      await firstWord(session);
      times.push(performance.now() - sent);
      while (session.turns.current.kind === 'running') {
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    }
    const measured = median(times);
    return {
      what: "prompt to the agent's stdin, and its first word back",
      limit: '< 10 ms',
      measured: `${measured.toFixed(1)} ms`,
      met: measured < 10,
    };
  } finally {
    await agents.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function firstWord({ transcript }: Session): Promise<void> {
  return new Promise((resolve) => {
    const listening = transcript.onDidChange(() => {
      if (transcript.entries.at(-1)?.kind === 'agent') {
        listening.dispose();
        resolve();
      }
    });
  });
}
