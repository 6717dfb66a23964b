import assert from 'node:assert/strict';
import type { Agent } from '../../../src/model/agent';
import type { TurnRecorder } from '../../../src/model/changes/turnRecorder';
import { SessionMemory } from '../../../src/model/kept/sessionMemory';
import { PromptTitles } from '../../../src/model/list/promptTitles';
import { RememberedSessions } from '../../../src/model/list/rememberedSessions';
import { type ExtraFolders, SessionPlaces } from '../../../src/model/places/sessionPlaces';
import type { Files, Opening } from '../../../src/model/ports';
import { FileRequests } from '../../../src/model/requests/fileRequests';
import type { Ruling } from '../../../src/model/rules/permissionRule';
import type { Asked } from '../../../src/model/rules/ruledAct';
import { type OwnServers, serverNotFound } from '../../../src/model/session/ownServers';
import type { Session } from '../../../src/model/session/session';
import type { SessionLimits } from '../../../src/model/session/sessionLink';
import { Sessions } from '../../../src/model/session/sessions';
import type { TurnNotes } from '../../../src/model/transcript/turnNotes/turnNotes';
import type { McpServer } from '../../../src/protocol/agentConnection';
import { AcpError } from '../../../src/protocol/errors';
import type { Failure } from '../../../src/shared/failure';
import type { OfferedRule } from '../../../src/shared/requests/agentQuestions';
import type { ToolKind } from '../../../src/shared/transcript/content';
import type { TurnOutcome } from '../../../src/shared/transcript/entries';
import type { Draft } from '../../../src/shared/transcript/prompt';
import { until } from '../../support/until';
import { memento } from './fakePlatform';
import {
  type AgentsBench,
  bench,
  type FakeConnection,
  type PromptAsked,
  session,
  silentLog,
} from './fakes';
import { FakeTerminals } from './fakeTerminals';

export interface SessionBench extends SessionsBench {
  readonly agent: Agent;
  /** The session `s0`, opened but not loaded. */
  readonly session: Session;
}

export interface SessionsBench extends AgentsBench {
  readonly sessions: Sessions;
  readonly terminals: FakeTerminals;
  /** The file system's contents, by path. */
  readonly disk: Map<string, string>;
  /** The paths of files that can't be written. */
  readonly writeProtected: Set<string>;
  /** The decision of the permission rules; replace it to make them decide. */
  decide: (agentId: string, kind: ToolKind, asked: Asked) => Ruling | undefined;
  /** The rule that is offered with each request. */
  offer: Promise<OfferedRule | undefined>;
  mcpServers: readonly McpServer[];
  /** What the servers were asked for, the latest last. */
  readonly openings: (Opening | undefined)[];
  /** Nothing is offered without it. */
  ownServers: OwnServers | undefined;
  /** Folders that don't exist. */
  readonly gone: Set<string>;
  /** Worktrees that are shown. */
  worktrees: readonly string[];
  readonly places: SessionPlaces;
  /** The value of the setting `acpSessions.additionalDirectories`. */
  readonly extra: { additionalDirectories: ExtraFolders };
}

/** One hour: a test that waits for a limit sets a shorter one. */
const hour = 3_600_000;
const limits: SessionLimits = {
  stallMs: hour,
  leftoversMs: hour,
  cancelMs: hour,
  tailMs: hour,
  quietMs: hour,
  silentMs: hour,
  heldMs: [],
};

/** Agents with these ids, and the sessions opened on them. */
export function sessionsBench(
  ids: readonly string[] = ['demo'],
  prepare: (connection: FakeConnection) => void = () => undefined,
  own: Partial<SessionLimits> = {},
  storage = memento(),
  recorder?: TurnRecorder,
  notes?: TurnNotes,
): SessionsBench {
  const made = bench(
    ids,
    prepare,
    new RememberedSessions(storage),
    undefined,
    new PromptTitles(storage),
  );
  const terminals = new FakeTerminals();
  const disk = new Map<string, string>();
  const writeProtected = new Set<string>();
  const { agents, workspace, realPaths } = made;
  const realPath = (path: string): Promise<string | undefined> =>
    Promise.resolve(realPaths.get(path));
  const extra: { additionalDirectories: ExtraFolders } = { additionalDirectories: 'none' };
  const gone = new Set<string>();
  const places = new SessionPlaces({
    storage,
    workspace,
    settings: extra,
    folderIsGone: (path) => Promise.resolve(gone.has(path)),
    realPath,
    worktrees: {
      below: () => whole.worktrees.map((path) => ({ path })),
      at: () => undefined,
    },
  });
  const sessions = new Sessions({
    agents,
    log: silentLog,
    files: new FileRequests({ files: diskFiles(disk, writeProtected), workspace, realPath }),
    terminals,
    rules: {
      decide: (agentId, kind, asked) => whole.decide(agentId, kind, asked),
      offer: () => whole.offer,
    },
    mcp: {
      servers: (_, agentName, opening) => {
        whole.openings.push(opening);
        return Promise.resolve(agentName === 'reads-itself' ? [] : whole.mcpServers);
      },
    },
    ownServers: {
      offer: async (to) => whole.ownServers?.offer(to),
      answer: (...request) =>
        whole.ownServers?.answer(...request) ?? Promise.reject(serverNotFound()),
    },
    promptContext: { read: () => Promise.resolve([]) },
    places,
    remembered: made.remembered,
    limits: { ...limits, ...own },
    ...(notes && { notes }),
    ...(recorder && { recorders: { of: () => recorder } }),
  });
  new SessionMemory(sessions, made.remembered, made.promptTitles, silentLog);
  const whole: SessionsBench = Object.assign(made, {
    sessions,
    terminals,
    disk,
    writeProtected,
    decide: () => undefined,
    offer: Promise.resolve(undefined),
    mcpServers: [],
    openings: [],
    ownServers: undefined,
    extra,
    gone,
    worktrees: [],
    places,
  });
  return whole;
}

function diskFiles(disk: Map<string, string>, writeProtected: ReadonlySet<string>): Files {
  return {
    read: (path) => {
      const text = disk.get(path);
      return text === undefined
        ? Promise.reject(new AcpError('gone', path))
        : Promise.resolve(text);
    },
    write: (path, content) => {
      if (writeProtected.has(path)) {
        return Promise.reject(new Error('EACCES'));
      }
      disk.set(path, content);
      return Promise.resolve();
    },
  };
}

export function sessionBench(
  prepare: (connection: FakeConnection) => void = () => undefined,
  own: Partial<SessionLimits> = {},
  recorder?: TurnRecorder,
  notes?: TurnNotes,
): SessionBench {
  const made = sessionsBench(['demo'], prepare, own, memento(), recorder, notes);
  const agent = made.agents.get('demo');
  assert.ok(agent);
  const opened = made.sessions.open(agent, session('s0', { title: 'First' }));
  return Object.assign(made, { agent, session: opened });
}

/** The texts of a session's messages. */
export function texts({ transcript }: Session): string[] {
  return transcript.entries.map((entry) =>
    'blocks' in entry
      ? entry.blocks.map((block) => (block.type === 'text' ? block.text : block.type)).join('')
      : entry.kind,
  );
}

/** Makes the agent replay these texts as separate messages. */
export function replays(connection: FakeConnection, ...messages: readonly string[]): void {
  connection.replay = ({ sessionId }) => {
    for (const [index, text] of messages.entries()) {
      connection.send(sessionId, {
        sessionUpdate: 'agent_message_chunk',
        messageId: `${index}`,
        content: { type: 'text', text },
      });
    }
  };
}

/** The failure that a session has ended in. */
export function failureOf({ phase }: Session): Failure {
  assert.ok(phase.kind === 'failed', `the phase is ${phase.kind}`);
  return phase.failure;
}

export function draft(text: string): Draft {
  return { text, attachments: [] };
}

/** Sends a prompt and resolves when the agent has received it. */
export async function prompted(
  { session, connections }: SessionBench,
  text = 'go',
): Promise<{ readonly connection: FakeConnection; readonly prompt: PromptAsked }> {
  const count = (): number => connections.reduce((sum, { prompts }) => sum + prompts.length, 0);
  const before = count();
  session.turns.submit(draft(text));
  await until(() => count() > before);
  const connection = connections.at(-1);
  const prompt = connection?.prompts.at(-1);
  assert.ok(connection && prompt);
  return { connection, prompt };
}

/** The last entry, which must be the end of a turn. */
export function lastOutcome({ transcript }: Session): TurnOutcome {
  const entry = transcript.entries.at(-1);
  assert.ok(entry?.kind === 'turn', `the last entry is ${entry?.kind}`);
  return entry.outcome;
}
