import assert from 'node:assert/strict';
import type { Peer, Raw } from '../peer';
import type { Client, Message } from './client';
import { type SharedPeers, sharePeers } from './sharedPeers';

/** An agent that is shared with one client, for the tests of a suite; the sharing ends with the test. */
export class SharedBench {
  peers!: SharedPeers;
  client!: Client;
  agent!: Peer;

  /** Returns a bench of the suite; to be called in it. */
  static ofSuite(): SharedBench {
    const bench = new SharedBench();
    afterEach(() => bench.peers.server.stop());
    return bench;
  }

  readonly share = async (version: 1 | 2 = 1, answer?: (peer: Peer) => unknown): Promise<void> => {
    this.peers = await sharePeers({ version, answer });
    this.client = await this.connected(version);
    const [first] = this.peers.agents;
    assert.ok(first);
    this.agent = first;
  };

  readonly connected = async (version: 1 | 2 = 1): Promise<Client> =>
    (await this.peers.client().open()).initialize(version);

  readonly codeOf = ({ error }: Message): number | undefined =>
    (error as { readonly code: number } | undefined)?.code;

  readonly answersTo = (id: unknown): readonly Message[] =>
    this.client.received.filter(
      (message) => message['id'] === id && message['method'] === undefined,
    );

  readonly sentToAgent = (method: string): readonly Raw[] =>
    this.agent.received.filter((message) => message['method'] === method);

  /** Everything that was sent until now has arrived, in both directions. */
  readonly settled = async (): Promise<void> => {
    await this.client.ask('session/list');
  };
}
