import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ProtocolChoice } from '../../src/protocol/versions';
import { replacedMessage } from '../fakeAgent/generateVersion2';
import { type FakeAgentCommand, fakeAgent, type Step, update } from '../fakeAgent/scenario';

/** An agent with the version of the protocol in which it is asked; version 1 unless it says so. */
export interface BenchAgent extends FakeAgentCommand {
  readonly protocol?: ProtocolChoice;
}

/** The numbers of updates of the loaded sessions. */
export const sizes = [1_000, 10_000, 100_000] as const;

export const sessionOf = (size: number): string => `bench-${size}`;
export const titleOf = (size: number): string => `Session of ${size} updates`;
/** The text of the last entry that the agent replays. */
export const lastEntryOf = (size: number): string => `The end of ${size} updates.`;

/** An agent with one session of each size, replayed as fast as the pipe takes it. */
export function replayingAgent(cwd: string): FakeAgentCommand {
  return replayingAfter(cwd, []);
}

/** An agent as that of `replayingAgent`, each replay of which begins with these steps. */
export function replayingAfter(cwd: string, first: readonly Step[]): FakeAgentCommand {
  const replays: Record<string, readonly Step[]> = {};
  for (const size of sizes) {
    const lastEntry = update.user(lastEntryOf(size), 'last');
    replays[sessionOf(size)] = [
      ...first,
      { generate: size - 1 },
      { update: lastEntry },
      { result: {} },
    ];
  }
  const sessions = sizes.map((size, index) => ({
    sessionId: sessionOf(size),
    cwd,
    title: titleOf(size),
    updatedAt: `2026-01-0${index + 1}T12:00:00Z`,
  }));
  return fakeAgent({ sessions, replays });
}

export const version2Id = 'bench-version-2';

/** An agent with one session, which it replays over version 2 by these steps. */
function version2Agent(cwd: string, steps: readonly Step[]): BenchAgent {
  const initialized = {
    protocolVersion: 2,
    info: { name: 'fake-agent', title: 'Fake Agent', version: '1.0.0' },
    capabilities: { session: {} },
  };
  const resume: readonly Step[] = [
    ...steps,
    { update: { sessionUpdate: 'state_update', state: 'idle' } },
    { result: {} },
  ];
  const command = fakeAgent({
    sessions: [{ sessionId: version2Id, cwd, title: 'Session over version 2' }],
    on: { initialize: [{ result: initialized }], 'session/resume': resume },
  });
  return { ...command, protocol: '2' };
}

/** An agent whose stream is that of `replayingAgent`, in the shapes of version 2. */
export function replayingVersion2(cwd: string, size: number): BenchAgent {
  const lastEntry = {
    ...{ sessionUpdate: 'user_message', messageId: 'last' },
    content: [{ type: 'text', text: lastEntryOf(size) }],
  };
  return version2Agent(cwd, [{ generate: size - 1, mix: 'version2' }, { update: lastEntry }]);
}

const replacements = 100;
/** The message that is replaced, and what it says in the end. */
export const replacedId = 'replaced';
export const replacedBy = `Draft ${replacements - 1}.`;

/**
 * An agent whose first message is replaced this many times (a multiple of 100), when 1,000 other updates have followed
 * it.
 */
export function replacingVersion2(cwd: string, times: number): BenchAgent {
  // Ready to be written, so that the agent takes little of the time.
  const lines = Array.from({ length: replacements }, (_, round) => {
    const params = { sessionId: version2Id, update: replacedMessage(replacedId, round) };
    return `${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params })}\n`;
  });
  return version2Agent(cwd, [
    { update: replacedMessage(replacedId, 0) },
    { generate: 1_000, mix: 'version2' },
    { repeat: [{ raw: lines.join('') }], times: times / replacements },
  ]);
}

export const subagentsId = 'bench-subagents';
export const subagentCount = 200;

/** An agent with one session of 100,000 updates, nearly all of them of its subagents, in turns. */
export function subagentsAgent(cwd: string): FakeAgentCommand {
  const ids = Array.from({ length: subagentCount }, (_, at) => `subagent-${at}`);
  const tell = (
    sessionId: string,
    state: { readonly state: string; readonly stopReason?: string },
  ): Step => ({
    update: { sessionUpdate: 'subagent_update', sessionId, title: sessionId, state },
  });
  const rounds = 2;
  const each = (100_000 - 2 * subagentCount) / (rounds * subagentCount);
  const steps: readonly Step[] = [
    ...ids.map((id) => tell(id, { state: 'running' })),
    ...Array.from({ length: rounds }, () =>
      ids.map((sessionId): Step => ({ generate: each, sessionId })),
    ).flat(),
    ...ids.map((id) => tell(id, { state: 'idle', stopReason: 'end_turn' })),
    { result: {} },
  ];
  const sessions = [{ sessionId: subagentsId, cwd, title: 'Session of many subagents' }];
  return fakeAgent({ sessions, replays: { [subagentsId]: steps } });
}

/** An agent with enough sessions to fill hundreds of pages. */
export function listingAgent(cwd: string, count: number): FakeAgentCommand {
  return fakeAgent({ sessions: { count, cwd }, pageSize: 50 });
}

export const promptedTitle = 'Session of a few turns';
export const promptedId = 'bench-turns';
export const streamSeconds = 10;
/** The stream's batch size in updates, and the interval between batches in milliseconds. */
const batch = 20;
const batchMs = 20;

const endTurn: Step = { result: { stopReason: 'end_turn' } };

/**
 * An agent for prompts: for the first `quick` prompts it signals their arrival (file `prompted`), for the next `asked`
 * prompts it requests a permission (file `asked`), for the next `steered` prompts it waits, and from then on it streams
 * text and thoughts, 1,000 updates a second, for `streamSeconds`. It signals what is sent into a turn (file `steered`).
 */
export function promptedAgent(folder: string, quick = 5, asked = 5, steered = 1): FakeAgentCommand {
  const touch = (name: string): Step => ({ touch: path.join(folder, name) });
  const says = [touch('prompted'), { update: update.agent('Here I am.') }, endTurn];
  const asks: readonly Step[] = [
    touch('asked'),
    { request: 'session/request_permission', params: permission, wait: true },
    endTurn,
  ];
  const streams: readonly Step[] = [
    {
      repeat: [{ updates: streamBatch() }, { waitMs: batchMs }],
      times: (streamSeconds * 1000) / batchMs,
    },
    endTurn,
  ];
  // Long enough for some prompts that are sent into it.
  const waits: readonly Step[] = [{ waitMs: 5000 }, endTurn];
  const prompts = [
    ...repeated(says, quick),
    ...repeated(asks, asked),
    ...repeated(waits, steered),
    streams,
  ];
  return fakeAgent({
    initialize: { _meta: { steering: { supported: true } } },
    sessions: [{ sessionId: promptedId, cwd: folder, title: promptedTitle }],
    on: {
      'session/prompt': prompts,
      '_session/steering': [touch('steered'), { result: { outcome: 'injected' } }],
    },
  });
}

export const streamers = 12;
export const streamerTitle = (index: number): string => `Streaming session ${index}`;
export const streamerId = (index: number): string => `bench-stream-${index}`;

/** An agent with this many sessions; each prompt streams this many updates a second for so many seconds. */
export function streamingAgent(
  folder: string,
  sessions: number,
  updatesPerSecond: number,
  seconds: number,
): FakeAgentCommand {
  const count = (updatesPerSecond * batchMs) / 1000;
  // Each batch ends differently, so that there is something to draw.
  const batches = ['to', 'fro'].map((word): readonly Step[] => {
    const updates = Array.from({ length: count }, (_, index) => streamUpdate(index));
    return [{ updates: [...updates.slice(1), update.agent(`\n\n${word}`)] }, { waitMs: batchMs }];
  });
  const times = (seconds * 1000) / batchMs / batches.length;
  return fakeAgent({
    sessions: Array.from({ length: sessions }, (_, index) => ({
      sessionId: streamerId(index),
      cwd: folder,
      title: streamerTitle(index),
    })),
    on: { 'session/prompt': [{ repeat: batches.flat(), times }, endTurn] },
  });
}

const permission = {
  sessionId: '$sessionId',
  toolCall: { toolCallId: 'call', title: 'npm run deploy', kind: 'execute' },
  options: [
    { optionId: 'yes', name: 'Allow it', kind: 'allow_once' },
    { optionId: 'no', name: 'Reject it', kind: 'reject_once' },
  ],
};

/** Alternates text and thoughts, so that entries are added rather than one growing. */
function streamBatch() {
  return Array.from({ length: batch }, (_, index) => streamUpdate(index));
}

function streamUpdate(index: number) {
  const words = `Word by word, ${index} of a batch. `;
  return index % 10 === 9 ? update.thought(words) : update.agent(words);
}

function repeated<T>(value: T, times: number): T[] {
  return Array.from({ length: times }, () => value);
}

export const readId = 'bench-entries';
export const readTitle = 'Session of 100,000 entries';
export const lastReadEntry = 'The end of 100,000 entries.';
export const otherTitle = 'Session beside it';
export const otherEntry = 'Something else.';

/**
 * An agent whose session replays 100,000 entries; it records the messages that it receives in `received` in its folder.
 */
export function readAgent(cwd: string): FakeAgentCommand {
  const last = update.user(lastReadEntry, 'last');
  return fakeAgent({
    sessions: [
      { sessionId: readId, cwd, title: readTitle },
      { sessionId: 'bench-other', cwd, title: otherTitle },
    ],
    replays: {
      [readId]: [{ generate: 99_999, mix: 'messages' }, { update: last }, { result: {} }],
      'bench-other': [{ update: update.user(otherEntry, 'other') }, { result: {} }],
    },
    record: path.join(cwd, 'received'),
  });
}

/** Returns when the agent touched the file, in ms since 1970. Deletes the file. */
export async function touched(folder: string, name: string): Promise<number> {
  const file = path.join(folder, name);
  for (let waited = 0; waited < 10_000; waited += 5) {
    const found = await stat(file).catch(() => undefined);
    if (found) {
      await rm(file);
      return found.mtimeMs;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`The agent never got as far as “${name}”`);
}
