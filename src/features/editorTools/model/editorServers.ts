import type { Log } from '../../../model/ports';
import type { OwnServers, ServerOffer } from '../../../model/session/ownServers';
import type { McpServer } from '../../../protocol/agentConnection';
import { getStack } from '../../../util/getStack';
import type { HeldSecrets } from '../../../util/secrets/heldSecrets';
import { toolsWithout } from './askingAgents';
import type { ToolFacts } from './toolFacts';
import type { ToolServer } from './toolServer';

interface EditorServersOptions {
  readonly isOn: () => boolean;
  /** Only the first session that is offered the tools needs their server. */
  readonly load: () => Promise<ToolServer>;
  /** How the program starts that is the server of agents that connect to none over HTTP. */
  readonly bridge: Omit<Extract<McpServer, { type: 'stdio' }>, 'type' | 'name'>;
  readonly held: Pick<HeldSecrets, 'addSecrets'>;
  readonly facts: Pick<ToolFacts, 'opened' | 'ended'>;
  readonly log: Log;
}

/** Letters, digits and `_` only: agents rewrite other names. */
const names = ['vscode_editor', 'vscode_editor2'];

/** Offers sessions the tools of the editor, all by one server. */
export class EditorServers implements OwnServers {
  readonly #options: EditorServersOptions;
  #server: Promise<ToolServer> | undefined;
  #isOver = false;

  constructor(options: EditorServersOptions) {
    this.#options = options;
  }

  /** Never rejects: a session does without the tools. */
  async offer({
    capabilities,
    taken,
    agentName,
  }: Parameters<OwnServers['offer']>[0]): Promise<ServerOffer | undefined> {
    const { isOn, load, held, facts, log } = this.#options;
    const name = names.find((one) => !taken.includes(one));
    const canConnect = capabilities.mcpHttp || capabilities.mcpStdio;
    if (!isOn() || !canConnect || this.#isOver || name === undefined) {
      return undefined;
    }
    this.#server ??= load();
    try {
      const server = await this.#server;
      const { url, offer } = await server.offer();
      offer.without = toolsWithout(agentName);
      held.addSecrets([offer.token]);
      return {
        server: capabilities.mcpHttp
          ? { type: 'http', name, url, headers: { Authorization: `Bearer ${offer.token}` } }
          : this.#bridgeTo(name, url, offer.token),
        others: taken,
        isConnected: () => offer.listed !== undefined,
        opened: (session) => {
          offer.bind(session);
          facts.opened(session, offer);
        },
        withdraw: () => {
          server.withdraw(offer);
          facts.ended(offer);
        },
      };
    } catch (error) {
      this.#server = undefined;
      log.warn(`The editor's tools can't be offered: ${getStack(error)}`);
      return undefined;
    }
  }

  /** Never with the token among the arguments, which other users can see. */
  #bridgeTo(name: string, url: string, token: string): McpServer {
    const { command, args, env } = this.#options.bridge;
    const own = { ACP_SESSIONS_TOOLS_URL: url, ACP_SESSIONS_TOOLS_TOKEN: token };
    return { type: 'stdio', name, command, args, env: { ...env, ...own } };
  }

  dispose(): void {
    this.#isOver = true;
    void this.#server?.then(
      (server) => server.dispose(),
      () => undefined,
    );
  }
}
