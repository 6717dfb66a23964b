import { setImmediate } from 'node:timers/promises';
import type { Agent } from '../../../src/model/agent';
import { describeFailure } from '../../../src/model/failures/failures';
import type { Files } from '../../../src/model/ports';
import type { Session } from '../../../src/model/session/session';
import type { Sessions } from '../../../src/model/session/sessions';
import { findTooltip } from '../../../src/views/sessions/nodes/tooltips';
import { folder } from '../model/fakePlatform';
import { session as info } from '../model/fakes';
import { Peer, type Raw } from '../protocol/peer';
import { snapshotOf, windowWith } from './wireWindow';

/** What an agent sends for one request of the client; its answer comes last. */
export interface Exchange {
  readonly answers: string;
  readonly lines: readonly Raw[];
}

/** The exchanges in a log: an answer says in `answers` what it answers, and everything before it belongs to it. */
export function exchangesIn(log: string): readonly Exchange[] {
  const exchanges: Exchange[] = [];
  let lines: Raw[] = [];
  for (const text of log.trim().split('\n')) {
    const line = JSON.parse(text) as Raw;
    lines.push(line);
    if (typeof line['answers'] === 'string') {
      exchanges.push({ answers: line['answers'], lines });
      lines = [];
    }
  }
  return exchanges;
}

interface User {
  readonly agent: Agent;
  readonly sessions: Sessions;
  /** The new session. */
  session: Session | undefined;
}

/** What a user does so that the client sends the request. */
const acts: Readonly<Record<string, (user: User) => unknown>> = {
  initialize: ({ agent }) => agent.connect(),
  'session/list': ({ agent }) => agent.lists.of(folder).load(),
  'session/new': async (user) => {
    user.session = await user.sessions.create(user.agent, folder);
  },
  'session/prompt': ({ session }) => session?.turns.submit({ text: 'Go on', attachments: [] }),
  'session/set_config_option': ({ session }) =>
    session?.setConfigOption(session.facts.configOptions[0]?.id ?? '', 'another'),
  'session/set_mode': ({ session }) => session?.setMode('another'),
  'session/set_title': ({ agent, sessions, session }) =>
    session && sessions.rename(agent, session.info, 'Another'),
  '_session/steering': async ({ agent, session }) => {
    const connection = await agent.connect();
    return session && connection.steer(session.info.sessionId, [{ type: 'text', text: 'Hurry' }]);
  },
  'session/load': ({ agent, sessions }) => sessions.open(agent, info('session-1')).load(),
  'session/fork': ({ agent, sessions, session }) => session && sessions.fork(agent, session.info),
};

const mcpServers = (['http', 'sse'] as const).map((type) => {
  return { type, name: type, url: 'https://example.com/mcp', headers: {} };
});

/**
 * What a user sees and can do, and what the agent got, after this exchange and those that it needs: the start and a new
 * session. As a text, without what differs from one time to the next.
 */
export async function outcomeOf(exchanges: readonly Exchange[], index: number): Promise<string> {
  const needed = exchanges.filter(
    ({ answers }, at) => at === index || (at < index && isNeeded.has(answers)),
  );
  const peer = scripted(needed);
  const seen: unknown[] = [];
  const files: Files = {
    read: (...read) => Promise.resolve(String(seen.push({ read }))),
    write: (...written) => Promise.resolve(void seen.push({ written })),
  };
  const { agents, sessions } = windowWith(peer, { mcpServers, files });
  const user: User = { agent: agents.all[0]!, sessions, session: undefined };
  const known = new Set<Session>();
  sessions.onDidChange((session) => {
    if (!known.has(session)) {
      known.add(session);
      session.onNotice((notice) => seen.push(notice));
    }
    // Not at once: the request is only about to be shown.
    queueMicrotask(() => allowOnce(session));
  });
  for (const { answers } of needed) {
    try {
      await acts[answers]?.(user);
    } catch (error) {
      seen.push(describeFailure(error, 'agent'));
    }
    await settled();
  }
  const outcome = { ...whatIsThere(user), seen, got: peer.received };
  await agents.close();
  return JSON.stringify(outcome, (key, value: unknown) =>
    isNow(value) || key === 'requestId' ? undefined : value,
  );
}

const isNeeded: ReadonlySet<string> = new Set(['initialize', 'session/new']);

/** Whether this is a time of the test itself. */
function isNow(value: unknown): boolean {
  const time = typeof value === 'string' ? Date.parse(value) : value;
  return typeof time === 'number' && Math.abs(Date.now() - time) < 3_600_000;
}

function whatIsThere({ agent, sessions }: User): object {
  const list = agent.lists.of(folder);
  const { state } = agent;
  return {
    title: agent.title,
    tooltip: findTooltip({ kind: 'agent', id: '', parent: undefined, agent }),
    ...(state.kind === 'ready' && {
      is: state.connection.info,
      can: state.connection.capabilities,
      signIn: state.connection.authMethods,
    }),
    // In the order of their keys: those that were made now differ in their times.
    rows: list.rows.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    tabs: sessions.all.map(snapshotOf),
  };
}

/** Answers what the session asks with the first option. */
function allowOnce({ requests, transcript }: Session): void {
  for (const index of requests.waiting) {
    const entry = transcript.entries[index];
    if (entry?.kind === 'permission') {
      requests.answerPermission(entry.requestId, entry.options[0]?.optionId ?? '');
    }
  }
}

/** Waits until no message is on its way: all of them are in this process, and need a few turns of the event loop. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) {
    await setImmediate();
  }
}

/** An agent that plays the exchanges in their order, and answers anything else with an empty object. */
function scripted(exchanges: readonly Exchange[]): Peer {
  const left = [...exchanges];
  const peer = new Peer();
  const play = async ({ id, method }: Raw): Promise<void> => {
    const lines = left[0]?.answers === method ? left.shift()?.lines : undefined;
    for (const { answers, ...message } of lines ?? [{ answers: method, result: {} }]) {
      peer.send({ jsonrpc: '2.0', ...message, ...(answers !== undefined && { id }) });
      if (message['method'] !== undefined && message['id'] !== undefined) {
        await peer.message((each) => each['method'] === undefined && each['id'] === message['id']);
      }
    }
  };
  for (const method of [...Object.keys(acts), 'session/close']) {
    peer.answer(method, (message) => void play(message));
  }
  return peer;
}
