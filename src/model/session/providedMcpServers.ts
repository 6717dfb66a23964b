import type { McpServer } from '../../protocol/agentConnection';
import { Slot } from '../../util/slot';
import type { McpServers, Opening } from '../ports';

/** The MCP servers of sessions. A session that is opened before the features are there waits for them. */
export class ProvidedMcpServers extends Slot<McpServers> implements McpServers {
  /** Rejects if the features can't be loaded: an agent works with all of its servers, or isn't asked to. */
  async servers(cwd: string, agentName?: string, opening?: Opening): Promise<readonly McpServer[]> {
    return (await this.awaited())?.servers(cwd, agentName, opening) ?? [];
  }
}
