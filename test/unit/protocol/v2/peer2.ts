import type { ConnectOptions } from '../../../../src/protocol/connectAgent';
import { getVersions } from '../../../../src/protocol/versions';
import type { Block } from '../../../../src/shared/transcript/content';
import { connect, isMethod, Peer, type Raw, type Seen } from '../peer';

/** An agent of version 2 with sessions and nothing else, but for what `session` and `rest` add. */
export function initialize2(session: Raw = {}, rest: Raw = {}): Raw {
  return {
    protocolVersion: 2,
    info: { name: 'a', title: 'Agent A', version: '2' },
    capabilities: { session },
    ...rest,
  };
}

export const able2: Raw = {
  prompt: { image: {}, audio: {}, embeddedContext: {} },
  mcp: { stdio: {}, http: {}, acp: {} },
  delete: {},
  fork: {},
  archive: {},
  title: {},
  additionalDirectories: {},
};

/** An agent of version 2 with all capabilities. */
export function ablePeer2(): Peer {
  const authMethods = [{ type: 'agent', methodId: 'login', name: 'Log in' }];
  return new Peer(initialize2(able2, { authMethods }));
}

export async function connect2(peer: Peer, options: Partial<ConnectOptions> = {}): Promise<Seen> {
  return connect(peer.client, { versions: getVersions('2'), ...options });
}

export const hello: Block = { type: 'text', text: 'hello' };

/** What an agent reports of one session. */
export class Reports {
  constructor(
    readonly peer: Peer,
    readonly sessionId = 's1',
  ) {}

  state(state: string, rest: Raw = {}): void {
    this.peer.update(this.sessionId, { sessionUpdate: 'state_update', state, ...rest });
  }

  running(): void {
    this.state('running');
  }

  idle(stopReason?: string, rest: Raw = {}): void {
    this.state('idle', { ...(stopReason !== undefined && { stopReason }), ...rest });
  }

  user(messageId: string): void {
    const content = [{ type: 'text', text: 'hello' }];
    this.peer.update(this.sessionId, { sessionUpdate: 'user_message', messageId, content });
  }

  chunk(messageId: string): void {
    const content = { type: 'text', text: 'hello' };
    this.peer.update(this.sessionId, { sessionUpdate: 'user_message_chunk', messageId, content });
  }

  /** Answers the prompt with this number, counted from 0, as soon as it is there. */
  async accept(result: unknown, number = 0): Promise<void> {
    this.peer.send({ jsonrpc: '2.0', id: await this.#idOf(number), result });
  }

  async refuse(error: Raw, number = 0): Promise<void> {
    this.peer.send({ jsonrpc: '2.0', id: await this.#idOf(number), error });
  }

  /** Resolves when the prompt with this number has arrived. */
  async prompted(number = 0): Promise<void> {
    await this.#idOf(number);
  }

  async #idOf(number: number): Promise<unknown> {
    const prompts = (): Raw[] => this.peer.received.filter(isMethod('session/prompt'));
    await this.peer.message(
      (message) => isMethod('session/prompt')(message) && prompts().length > number,
    );
    return prompts()[number]?.['id'];
  }
}

/** Waits until everything that the peer has sent has been handled. */
export async function handled(seen: Seen, peer: Peer): Promise<void> {
  peer.answer('session/list', () => ({ sessions: [] }));
  await seen.connection.listSessions({});
}
