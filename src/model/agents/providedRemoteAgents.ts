import * as l10n from '@vscode/l10n';
import type { AgentConnection } from '../../protocol/agentConnection';
import type { AgentRequests } from '../../protocol/agentRequests';
import type { ConnectOptions } from '../../protocol/connectAgent';
import { AcpError } from '../../protocol/errors';
import { getStack } from '../../util/getStack';
import { Slot } from '../../util/slot';
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

/** How agents on other machines are reached. A connection before the features are there waits for them. */
export class ProvidedRemoteAgents extends Slot<ConnectRemote> {
  /** Rejects with `AcpError`, too, if no feature provides it or the features can't be loaded. */
  async connect(remote: RemoteAgent, options: RemoteConnectOptions): Promise<AgentConnection> {
    const { host } = new URL(remote.url);
    const connect = await this.awaited().catch((error: unknown) => {
      throw missing(host, error);
    });
    if (connect === undefined) {
      throw missing(host);
    }
    return connect(remote, options);
  }
}

function missing(host: string, cause?: unknown): AcpError {
  const words = {
    title: l10n.t('{0} can’t be reached', host),
    detail: l10n.t(
      'ACP Sessions lacks its part for agents on other machines, so nothing was sent. Try again, or reload the window; if that doesn’t help, reinstall the extension.',
    ),
  };
  const why = cause === undefined ? 'no feature connects to it' : getStack(cause);
  return new AcpError('notExecutable', `${host}: ${why}`, { words }, { cause });
}
