import { AcpError } from '../../../../src/protocol/errors';
import type { Peer, Seen } from '../peer';
import { ablePeer2, connect2, handled, hello, Reports } from './peer2';

/** An agent of version 2 and its client. */
export interface Stage extends Seen {
  readonly peer: Peer;
  readonly agent: Reports;
  /** Sends a prompt, and resolves when the agent has it. */
  prompt(): Promise<Prompted>;
  /** Sends a prompt into the work that goes on. */
  steer(): Promise<Prompted>;
}

export interface Prompted {
  readonly outcome: Promise<string>;
  /** The outcome so far. */
  readonly now: () => string | undefined;
}

export async function stage(): Promise<Stage> {
  const peer = ablePeer2();
  const agent = new Reports(peer);
  const seen = await connect2(peer);
  let sent = 0;
  const watch = async (outcome: Promise<string>): Promise<Prompted> => {
    let now: string | undefined;
    outcome.then(
      (value) => (now = value),
      (error: unknown) => (now = error instanceof AcpError ? `error ${error.code}` : 'error'),
    );
    await agent.prompted(sent++);
    return { outcome, now: () => now };
  };
  return {
    ...seen,
    peer,
    agent,
    prompt: () => watch(seen.connection.prompt('s1', [hello])),
    steer: () => watch(seen.connection.steer('s1', [hello])),
  };
}

/** The outcome of a prompt after everything that the agent has sent. */
export async function after(seen: Stage, prompted: Prompted): Promise<string | undefined> {
  await handled(seen, seen.peer);
  return prompted.now();
}
