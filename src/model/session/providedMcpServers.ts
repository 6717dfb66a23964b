import type { McpServer } from '../../protocol/agentConnection';
import type { McpServers } from '../ports';

/** The MCP servers of sessions, once a feature provides them. A session that is opened before waits for the features. */
export class ProvidedMcpServers implements McpServers {
  readonly #features: () => Promise<unknown>;
  #provided: McpServers | undefined;

  /** `features` resolves when all that there are have been registered. */
  constructor(features: () => Promise<unknown>) {
    this.#features = features;
  }

  provide(servers: McpServers): void {
    this.#provided = servers;
  }

  /** Rejects if the features can't be loaded: an agent works with all of its servers, or isn't asked to. */
  async servers(cwd: string): Promise<readonly McpServer[]> {
    if (this.#provided === undefined) {
      await this.#features();
    }
    return this.#provided?.servers(cwd) ?? [];
  }
}
