import type { Log } from '../../../model/ports';
import {
  type OwnServers,
  type ServerOffer,
  serverNotFound,
} from '../../../model/session/ownServers';
import type {
  AgentCapabilities,
  GivenMcpServer,
  McpServer,
} from '../../../protocol/agentConnection';
import type { McpOutcome, McpRequest } from '../../../protocol/agentRequests';
import { getStack } from '../../../util/getStack';
import type { HeldSecrets } from '../../../util/secrets/heldSecrets';
import { toolsWithout } from './askingAgents';
import type { Offer, ToolsWay } from './offers';
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

type OfferTo = Parameters<OwnServers['offer']>[0];

interface Offered {
  readonly server: GivenMcpServer;
  readonly offer: Offer;
  readonly withdraw: () => void;
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
    agentId,
    capabilities,
    taken,
    agentName,
    isElsewhere = false,
  }: OfferTo): Promise<ServerOffer | undefined> {
    const { isOn, load, facts, log } = this.#options;
    const name = names.find((one) => !taken.includes(one));
    const way = findWay(capabilities, isElsewhere);
    if (!isOn() || way === undefined || this.#isOver || name === undefined) {
      return undefined;
    }
    this.#server ??= load();
    try {
      const { server, offer, withdraw } =
        way === 'acp'
          ? byProtocol(name, agentId, await this.#server)
          : await this.#overHttp(name, way, await this.#server);
      offer.without = toolsWithout(agentName);
      return {
        server,
        others: taken,
        isConnected: () => offer.listed !== undefined,
        opened: (session) => {
          offer.bind(session);
          facts.opened(session, offer);
        },
        withdraw: () => {
          withdraw();
          facts.ended(offer);
        },
      };
    } catch (error) {
      this.#server = undefined;
      log.warn(`The editor's tools can't be offered: ${getStack(error)}`);
      return undefined;
    }
  }

  async answer(agentId: string, request: McpRequest, signal: AbortSignal): Promise<McpOutcome> {
    const server = await this.#server;
    if (server === undefined) {
      throw serverNotFound();
    }
    return server.acp.answer(agentId, request, signal);
  }

  async #overHttp(name: string, way: 'http' | 'program', tools: ToolServer): Promise<Offered> {
    const { url, offer } = await tools.offer();
    offer.way = way;
    this.#options.held.addSecrets([offer.token]);
    const headers = { Authorization: `Bearer ${offer.token}` };
    return {
      server:
        way === 'http'
          ? { type: 'http', name, url, headers }
          : this.#bridgeTo(name, url, offer.token),
      offer,
      withdraw: () => tools.withdraw(offer),
    };
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

/** How an agent gets the tools: over HTTP if it can, as agents are seen to do; one on another machine reaches no port. */
function findWay(
  { mcpHttp, mcpAcp, mcpStdio }: AgentCapabilities,
  isElsewhere: boolean,
): ToolsWay | undefined {
  if (mcpHttp && !isElsewhere) {
    return 'http';
  }
  if (mcpAcp) {
    return 'acp';
  }
  return mcpStdio && !isElsewhere ? 'program' : undefined;
}

function byProtocol(name: string, agentId: string, { acp }: ToolServer): Offered {
  const { serverId, offer } = acp.offer(agentId);
  return { server: { type: 'acp', name, serverId }, offer, withdraw: () => acp.withdraw(serverId) };
}
