import type { McpServers } from '../../model/ports';
import type { McpServer } from '../../protocol/agentConnection';
import type { ConfiguredMcpServers } from './mcpServers';
import type { vsCodeMcpServers } from './vsCodeMcpServers';

type Parts = Parameters<typeof vsCodeMcpServers>;

/** The MCP servers of this window, whose code is loaded with the first session that is opened. */
export class LateMcpServers implements McpServers {
  readonly #parts: Parts;
  #loaded: Promise<ConfiguredMcpServers> | undefined;

  constructor(...parts: Parts) {
    this.#parts = parts;
  }

  async servers(cwd: string): Promise<readonly McpServer[]> {
    return (await this.#load()).servers(cwd);
  }

  /** Forgets all answers; the user is asked again. */
  async forget(): Promise<void> {
    await (await this.#load()).forget();
  }

  #load(): Promise<ConfiguredMcpServers> {
    this.#loaded ??= import('./vsCodeMcpServers').then((module) =>
      module.vsCodeMcpServers(...this.#parts),
    );
    return this.#loaded;
  }
}
