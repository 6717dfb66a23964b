import type { McpServers } from '../../model/ports';
import type { McpServer } from '../../protocol/agentConnection';
import { Lazy } from '../../util/lazy';
import type { ConfiguredMcpServers } from './mcpServers';
import type { vsCodeMcpServers } from './vsCodeMcpServers';

type Parts = Parameters<typeof vsCodeMcpServers>;

/** The MCP servers of this window, whose code is loaded with the first session that is opened. */
export class LateMcpServers implements McpServers {
  readonly #loaded: Lazy<ConfiguredMcpServers>;

  constructor(...parts: Parts) {
    this.#loaded = new Lazy(async () =>
      (await import('./vsCodeMcpServers')).vsCodeMcpServers(...parts),
    );
  }

  async servers(cwd: string): Promise<readonly McpServer[]> {
    return (await this.#loaded.get()).servers(cwd);
  }

  /** Forgets all answers; the user is asked again. */
  async forget(): Promise<void> {
    await (await this.#loaded.get()).forget();
  }
}
