import fs from 'node:fs';
import path from 'node:path';
import { AgentServer, type AgentServerOptions } from '../../../../src/protocol/share/agentServer';
import { SharedSessions } from '../../../../src/protocol/share/sharedSessions';
import { ableInitialize, type Scenario } from '../../../fakeAgent/scenario';
import { startedAgent } from '../../../support/startedAgent';
import { removeTemporary, temporaryFile } from '../../../support/temporary';
import { TestLog } from '../peer';
import { Client } from './client';

/** Agents that are shared for the tests of a suite, each of which has a folder of its own. */
export class SharingBench {
  folder = '';
  log = new TestLog();
  readonly #servers: AgentServer[] = [];
  #token = '';

  /** Returns a bench of the suite; to be called in it. */
  static ofSuite(): SharingBench {
    const bench = new SharingBench();
    beforeEach(() => {
      bench.folder = fs.mkdtempSync(temporaryFile('shared-'));
    });
    afterEach(() => bench.stop());
    after(removeTemporary);
    return bench;
  }

  /** The last that was started. */
  get server(): AgentServer {
    const server = this.#servers.at(-1);
    if (!server) {
      throw new Error('Nothing is shared');
    }
    return server;
  }

  get token(): string {
    return this.#token;
  }

  readonly share = async (
    scenario: Scenario = {},
    options: Partial<AgentServerOptions> = {},
  ): Promise<void> => {
    const { folder } = this;
    this.log = new TestLog();
    const server = await AgentServer.listen({
      host: '127.0.0.1',
      sessions: new SharedSessions(),
      mayUse: (asked) => Promise.resolve(asked === folder || asked.startsWith(folder + path.sep)),
      start: () =>
        Promise.resolve(
          startedAgent({ initialize: ableInitialize, ...scenario }, { graceMs: 200 }),
        ),
      log: this.log,
      delayMs: 0,
      ...options,
    });
    this.#servers.push(server);
    this.#token = server.newToken();
  };

  readonly client = (headers: Record<string, string> = {}, url = this.server.url): Client =>
    new Client(url, { authorization: `Bearer ${this.#token}`, ...headers });

  readonly connected = async (protocolVersion?: number): Promise<Client> =>
    (await this.client().open()).initialize(protocolVersion);

  async stop(): Promise<void> {
    await Promise.all(this.#servers.splice(0).map((own) => own.stop()));
  }
}
