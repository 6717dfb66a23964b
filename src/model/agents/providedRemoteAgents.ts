import * as l10n from '@vscode/l10n';
import type { AgentConnection } from '../../protocol/agentConnection';
import type { AgentRequests } from '../../protocol/agentRequests';
import type { ConnectOptions } from '../../protocol/connection';
import { AcpError } from '../../protocol/errors';
import { stackOf } from '../../util/stackOf';
import type { RemoteAgent } from '../ports';

/** What a connection to an agent on another machine needs. */
export type RemoteConnectOptions = Omit<ConnectOptions, 'machine' | 'authTerminal'> & {
  readonly requests: AgentRequests;
  readonly onStarted: () => void;
};

/** Connects to an agent on another machine. Rejects with `AcpError`. */
export type ConnectRemote = (
  remote: RemoteAgent,
  options: RemoteConnectOptions,
) => Promise<AgentConnection>;

/** How agents on other machines are reached, once a feature provides it. A connection before waits for the features. */
export class ProvidedRemoteAgents {
  readonly #features: () => Promise<unknown>;
  #provided: ConnectRemote | undefined;

  /** `features` builds all features, once. */
  constructor(features: () => Promise<unknown>) {
    this.#features = features;
  }

  provide(connect: ConnectRemote): void {
    this.#provided = connect;
  }

  /** Rejects with `AcpError`, too, if no feature provides it or the features can't be loaded. */
  async connect(remote: RemoteAgent, options: RemoteConnectOptions): Promise<AgentConnection> {
    const cause = this.#provided
      ? undefined
      : await this.#features().then(
          () => undefined,
          (error: unknown) => error,
        );
    if (this.#provided === undefined) {
      throw missing(new URL(remote.url).host, cause);
    }
    return this.#provided(remote, options);
  }
}

function missing(host: string, cause: unknown): AcpError {
  const words = {
    title: l10n.t('{0} can’t be reached', host),
    detail: l10n.t(
      'ACP Sessions lacks its part for agents on other machines, so nothing was sent. Try again, or reload the window; if that doesn’t help, reinstall the extension.',
    ),
  };
  const why = cause === undefined ? 'no feature connects to it' : stackOf(cause);
  return new AcpError('notExecutable', `${host}: ${why}`, { words }, { cause });
}
