import type { Agent } from '../../model/agent';
import { holdSecrets } from '../../model/agents/heldByAgent';
import type { RealPath, Workspace } from '../../model/ports';
import { agentProgram, type ProgramStarter, spawnProgram } from '../../platform/agentProgram';
import type { PackageStarts } from '../../platform/packageStarts';
import type { ApiKeys } from '../../platform/storage/apiKeys';
import type { OutputLog } from '../../platform/ui/log';
import { AgentServer, type ConnectedClient } from '../../protocol/share/agentServer';
import { SharedSessions } from '../../protocol/share/sharedSessions';
import type { HeldSecrets } from '../../util/secrets/heldSecrets';
import { isSharedFolder } from './model/sharedFolders';
import { WindowClient, type WindowClientServices } from './model/windowClient';

export type { ConnectedClient };

export interface SharedAgentServices extends WindowClientServices {
  readonly workspace: Pick<Workspace, 'folders'>;
  readonly realPath: RealPath;
  readonly apiKeys: Pick<ApiKeys, 'getEnvironment'>;
  readonly packageStarts: PackageStarts;
  readonly programs: ProgramStarter;
  readonly held: HeldSecrets;
  readonly log: Pick<OutputLog, 'component'>;
}

/** The address at which an agent is shared: one of this machine, and the port if that is free. */
export interface SharingPlace {
  readonly host: string;
  readonly port: number | undefined;
}

/** An agent that others can connect to: its server, and this window as one of its clients. */
export class SharedAgent {
  readonly agent: Agent;
  readonly #server: AgentServer;
  readonly #window: WindowClient;

  private constructor(agent: Agent, server: AgentServer, window: WindowClient) {
    this.agent = agent;
    this.#server = server;
    this.#window = window;
  }

  /** Rejects with the system's error if nothing can listen there. */
  static async share(
    agent: Agent,
    place: SharingPlace,
    services: SharedAgentServices,
  ): Promise<SharedAgent> {
    const { workspace, realPath, apiKeys: keys, packageStarts, programs, log, held } = services;
    const sessions = new SharedSessions();
    const server = await AgentServer.listen({
      ...place,
      sessions,
      mayUse: (folder) => isSharedFolder(folder, workspace, realPath),
      log: log.component(`${agent.id}, shared`),
      start: async (gone) => {
        const folder = workspace.folders[0]?.path;
        const needs = { log, keys, packageStarts, programs, held };
        holdSecrets(agent.config, held);
        const program = await agentProgram(agent.config, needs, folder);
        return spawnProgram(program, needs, gone);
      },
    });
    return new SharedAgent(agent, server, new WindowClient(agent, sessions, services));
  }

  get url(): URL {
    return this.#server.url;
  }

  get clients(): readonly ConnectedClient[] {
    return this.#server.clients;
  }

  /** Fires when a client has connected or is gone. */
  get onDidChange(): AgentServer['onDidChange'] {
    return this.#server.onDidChange;
  }

  /** See `AgentServer`. */
  newToken(): string {
    return this.#server.newToken();
  }

  disconnect(client: ConnectedClient): void {
    this.#server.disconnect(client.id);
  }

  /** Resolves when all connections and their processes have ended. */
  async stop(): Promise<void> {
    try {
      await this.#server.stop();
    } finally {
      // Last, so that it hears that nobody else has a session open.
      this.#window.dispose();
    }
  }
}
