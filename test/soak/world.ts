import assert from 'node:assert/strict';
import type { Session } from '../../src/model/session/session';
import type { AgentRequests } from '../../src/protocol/agentRequests';
import { connectAgent } from '../../src/protocol/connectAgent';
import { getVersions, type ProtocolChoice } from '../../src/protocol/versions';
import type { Entry } from '../../src/shared/transcript/entries';
import { ableInitialize } from '../fakeAgent/scenario';
import { until } from '../support/until';
import { type FakeConnection, session as listedSession } from '../unit/model/fakes';
import { type SessionsBench, sessionsBench } from '../unit/model/sessionBench';
import { goodInitialize, Peer, TestLog } from '../unit/protocol/peer';
import { shownRows, Tab } from './tab';

/** The id of the open session. */
export const sessionId = 's0';

/** The length of the pieces of an agent's endless text. */
const pieceLength = 500;

/** Repeats something like a process that writes to a pipe: the other side gets its turns. */
export async function flood(count: number, send: (index: number) => void): Promise<void> {
  for (let index = 0; index < count; index++) {
    send(index);
    if (index % pieceLength === pieceLength - 1) {
      await turn();
    }
  }
}

/** Lets other work run: one turn of the event loop. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const initialized2 = {
  protocolVersion: 2,
  info: { name: 'soak', version: '1' },
  capabilities: { session: { fork: {}, delete: {} } },
};

/** Number of polls before the world counts as stuck. */
const patience = 400;

/** The whole chain, from an agent's bytes to the page's state, with the agent in this process. */
export class SoakWorld {
  readonly peer: Peer;
  readonly log = new TestLog();
  readonly bench: SessionsBench;
  session!: Session;
  tab!: Tab;
  #asked = 0;

  readonly #protocol: ProtocolChoice;

  private constructor(protocol: ProtocolChoice) {
    this.#protocol = protocol;
    this.peer = new Peer(protocol === '2' ? initialized2 : goodInitialize(ableInitialize));
    this.peer.answer('session/load', () => ({}));
    this.peer.answer('session/resume', () => ({}));
    this.peer.answer('session/close', () => ({}));
    this.bench = sessionsBench();
    this.bench.connect = () => this.#connect();
  }

  /** Resolves once the session is loaded and visible. */
  static async open(protocol: '1' | '2' = '1'): Promise<SoakWorld> {
    const world = new SoakWorld(protocol);
    const { agents, sessions } = world.bench;
    const agent = agents.get('demo');
    assert.ok(agent);
    world.session = sessions.open(agent, listedSession(sessionId));
    world.tab = new Tab(world.session);
    await world.session.load();
    await world.settled();
    return world;
  }

  /** Sends one update of the open session. */
  update(update: unknown, to = sessionId): void {
    this.peer.update(to, update);
  }

  /** Sends an update whose JSON is too deep or too large to build from a value. */
  updateText(json: string, to = sessionId): void {
    const params = `{"sessionId":${JSON.stringify(to)},"update":${json}}`;
    this.line(`{"jsonrpc":"2.0","method":"session/update","params":${params}}`);
  }

  line(text: string): void {
    this.peer.sendText(`${text}\n`);
  }

  /**
   * Checks that the next ordinary update reaches the page after everything sent before, and that no message to the page
   * exceeded its bounds.
   */
  async settled(): Promise<void> {
    this.#asked += 1;
    const text = `Still here ${this.#asked}.`;
    const messageId = `still-here-${this.#asked}`;
    const content = { type: 'text', text };
    this.update({ sessionUpdate: 'agent_message_chunk', messageId, content });
    const before = this.session.transcript.entries.length;
    await until(() => this.#placeOf(text, before) !== -1);
    const { tab, session } = this;
    const isShown = (): boolean => {
      const place = this.#placeOf(text, before);
      const count = tab.page.count.value;
      const isBelow = place < count - shownRows && tab.page.entry(count - 1).value !== undefined;
      return count === session.transcript.entries.length && (isBelow || tab.shows(text));
    };
    // Turns of the event loop since the last message; the feed's longest pause is much shorter.
    let idle = 0;
    let sent = tab.count;
    await until(() => {
      idle = sent === tab.count ? idle + 1 : 0;
      sent = tab.count;
      return idle > patience || tab.faults.length > 20 || isShown();
    });
    assert.ok(idle <= patience, 'no patch comes to the page any more');
    assert.notEqual(session.phase.kind, 'failed');
    assert.ok(tab.faults.length === 0, tab.faults.slice(0, 3).join('; '));
  }

  /** The index of the message with this text, searched from entry `from` on; -1 if there is none. */
  #placeOf(text: string, from: number): number {
    const { phase, transcript } = this.session;
    assert.notEqual(phase.kind, 'failed', `the session failed: ${JSON.stringify(phase)}`);
    const { entries } = transcript;
    const isIt = (entry: Entry): boolean =>
      entry.kind === 'agent' &&
      entry.blocks.some((block) => 'text' in block && block.text === text);
    for (let index = Math.min(from, entries.length); index < entries.length; index++) {
      const entry = entries[index];
      if (entry !== undefined && isIt(entry)) {
        return index;
      }
    }
    return -1;
  }

  get note(): string {
    const { largest, largestRow } = this.tab;
    const kilobytes = (characters: number): string => `${Math.ceil(characters / 1000)} KB`;
    return `${this.session.transcript.entries.length} entries, largest message ${kilobytes(largest)}, row ${kilobytes(largestRow)}`;
  }

  async close(): Promise<void> {
    this.tab.dispose();
    await this.session.close();
    await this.bench.agents.close();
  }

  /** The bench sets the handler of the agent's requests once it has the connection, which is early enough. */
  async #connect(): Promise<FakeConnection> {
    const late: { requests?: AgentRequests } = {};
    const requests = new Proxy({} as AgentRequests, {
      get:
        (_, name) =>
        (...parameters: readonly unknown[]): unknown => {
          const { requests: real = {} } = late;
          return Reflect.apply(Reflect.get(real, name) as () => unknown, real, parameters);
        },
    });
    const connection = await connectAgent(this.peer.client, {
      clientVersion: '0.0.0',
      log: this.log,
      versions: getVersions(this.#protocol),
      requests,
    });
    Object.defineProperty(connection, 'requests', {
      set: (value: AgentRequests) => {
        late.requests = value;
      },
    });
    return connection as unknown as FakeConnection;
  }
}
