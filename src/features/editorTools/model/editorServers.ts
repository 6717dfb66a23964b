import type { Log } from '../../../model/ports';
import type { OwnServers, ServerOffer } from '../../../model/session/ownServers';
import { getStack } from '../../../util/getStack';
import type { HeldSecrets } from '../../../util/secrets/heldSecrets';
import type { ToolServer } from './toolServer';

interface EditorServersOptions {
  readonly isOn: () => boolean;
  /** Only the first session that is offered the tools needs their server. */
  readonly load: () => Promise<ToolServer>;
  readonly held: Pick<HeldSecrets, 'addSecrets'>;
  readonly log: Log;
}

/** Letters and `_` only: agents rewrite other names. */
const serverName = 'vscode_editor';

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
  }: Parameters<OwnServers['offer']>[0]): Promise<ServerOffer | undefined> {
    const { isOn, load, held, log } = this.#options;
    if (!isOn() || !capabilities.mcpHttp || this.#isOver) {
      return undefined;
    }
    this.#server ??= load();
    try {
      const server = await this.#server;
      const { url, offer } = await server.offer();
      held.addSecrets([offer.token]);
      return {
        server: {
          type: 'http',
          name: taken.includes(serverName) ? `${serverName}2` : serverName,
          url,
          headers: { Authorization: `Bearer ${offer.token}` },
        },
        opened: (session) => offer.bind(session),
        withdraw: () => server.withdraw(offer),
      };
    } catch (error) {
      this.#server = undefined;
      log.warn(`The editor's tools can't be offered: ${getStack(error)}`);
      return undefined;
    }
  }

  dispose(): void {
    this.#isOver = true;
    void this.#server?.then(
      (server) => server.dispose(),
      () => undefined,
    );
  }
}
