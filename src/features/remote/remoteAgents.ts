import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { RemoteConnectOptions } from '../../model/agents/providedRemoteAgents';
import type { RemoteAgent } from '../../model/ports';
import { isLoopback } from '../../platform/settings/remoteSettings';
import { Consents } from '../../platform/storage/consents';
import {
  type RemoteSecrets,
  secretNames,
  tokenProblem,
} from '../../platform/storage/remoteSecrets';
import { showWarningMessage } from '../../platform/ui/messages';
import type { AgentConnection } from '../../protocol/agentConnection';
import type { Transport } from '../../protocol/agentTransport';
import { connectAgent } from '../../protocol/connectAgent';
import { AcpError } from '../../protocol/errors';
import { TheirPaths } from '../../protocol/transport/theirPaths';
import { shared } from '../../util/async';
import type { HeldSecrets } from '../../util/secrets/heldSecrets';
import { inwardRequests, RemoteConnection } from './model/remoteConnection';
import { connectHttp } from './model/transport/http';
import { lineError } from './model/transport/lineTrouble';
import type { RemoteOptions } from './model/transport/remoteTransport';
import { connectTcp } from './model/transport/tcp';
import { connectWebSocket } from './model/transport/webSocket';

interface Services {
  readonly context: Pick<vscode.ExtensionContext, 'globalStorageUri'>;
  readonly tokens: Pick<RemoteSecrets, 'get' | 'store'>;
  readonly held: Pick<HeldSecrets, 'addSecrets'>;
}

/** Connects to an agent on another machine, once the user has agreed that anything is sent there. */
export async function connectRemote(
  remote: RemoteAgent,
  { onStarted, ...options }: RemoteConnectOptions,
  { context, tokens, held }: Services,
): Promise<AgentConnection> {
  const url = new URL(remote.url);
  const consents = path.join(context.globalStorageUri.fsPath, 'consents', 'remote');
  if (!(await mayConnect(url, new Consents(consents)))) {
    throw new AcpError('cancelled', `The user didn't agree to connect to ${url.host}`, {
      words: {
        title: l10n.t('Not connected to {0}', url.host),
        detail: l10n.t('Nothing was sent. Try again to be asked again.'),
      },
    });
  }
  const { headers, secrets } = await fillHeaders(remote, tokens);
  held.addSecrets(secrets);
  options.signal?.throwIfAborted();
  const transport = transportTo({ url, headers });
  void transport.started?.then(onStarted, () => undefined);
  const paths = new TheirPaths(url.host, remote.pathMappings);
  try {
    const connection = await connectAgent(transport, {
      ...options,
      requests: inwardRequests(options.requests, paths),
      machine: false,
      authTerminal: false,
    });
    return new RemoteConnection(connection, paths);
  } catch (error) {
    const isOther = error instanceof AcpError && error.facts.noise !== undefined;
    throw isOther ? lineError('notAcp', url.host, error.message, error) : error;
  }
}

function transportTo(options: RemoteOptions): Transport {
  switch (options.url.protocol) {
    case 'ws:':
    case 'wss:':
      return connectWebSocket(options);
    case 'tcp:':
      return connectTcp(options);
    default:
      return connectHttp(options);
  }
}

/** The headers with their secrets, which are asked for once, and with the token. */
async function fillHeaders(
  remote: RemoteAgent,
  tokens: Services['tokens'],
): Promise<{ readonly headers: Record<string, string>; readonly secrets: readonly string[] }> {
  const secrets: string[] = [];
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(remote.headers)) {
    let filled = value;
    for (const secret of secretNames(value)) {
      const kept = (await tokens.get(remote, secret)) ?? (await newSecret(remote, secret, tokens));
      secrets.push(kept);
      filled = filled.replace(`\${secret:${secret}}`, () => kept);
    }
    headers[name] = filled;
  }
  const token = await tokens.get(remote);
  const hasOwn = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  if (token !== undefined && !hasOwn) {
    headers['Authorization'] = `Bearer ${token}`;
    secrets.push(token);
  }
  return { headers, secrets };
}

async function newSecret(
  remote: RemoteAgent,
  name: string,
  tokens: Services['tokens'],
): Promise<string> {
  const { host } = new URL(remote.url);
  const value = await vscode.window.showInputBox({
    title: l10n.t('Secret for {0}', host),
    prompt: l10n.t(
      'The value of “{0}”. It is sent to this address only, and VS Code stores it as a secret.',
      name,
    ),
    password: true,
    ignoreFocusOut: true,
    validateInput: tokenProblem,
  });
  const entered = value?.trim();
  if (!entered) {
    throw new AcpError('cancelled', `The secret ${name} was not entered`);
  }
  await tokens.store(remote, entered, name);
  return entered;
}

const agreed = 'connect';
const asking = new Map<string, Promise<boolean>>();

/**
 * Whether the user has agreed that sessions go over the network to this address. Asked once for each address; nothing
 * is asked about this machine itself.
 */
async function mayConnect(url: URL, consents: Consents): Promise<boolean> {
  const address = `${url.protocol}//${url.host}`;
  if (isLoopback(url) || (await consents.get(address)) === agreed) {
    return true;
  }
  return shared(asking, address, async () => {
    const isAgreed = await ask(address);
    if (isAgreed) {
      await consents.set(address, agreed);
    }
    return isAgreed;
  });
}

async function ask(address: string): Promise<boolean> {
  const connect = l10n.t('Connect');
  const answer = await showWarningMessage(
    l10n.t('Connect to the agent at {0}?', address),
    {
      modal: true,
      detail: l10n.t(
        'What you write to it and attach is sent to that machine, and what it answers is shown here. It works with the files and commands there; files and terminals of this machine are not offered to it. Connect only to a machine that you trust with your conversations.',
      ),
    },
    connect,
  );
  return answer === connect;
}
