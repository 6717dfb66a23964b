import type * as vscode from 'vscode';
import type { Connect } from '../model/agents/connect';
import { hidden, withoutLikelySecrets } from '../util/secretText';
import type { VsCodeWorkspace } from './files/workspace';
import type { RemoteServices } from './remote/remoteAgents';
import type { ApiKeys } from './storage/apiKeys';
import type { OutputLog, TrafficChannel } from './ui/log';

interface Services extends RemoteServices {
  readonly workspace: Pick<VsCodeWorkspace, 'folders'>;
  readonly log: Pick<OutputLog, 'component'>;
  readonly traffic: Pick<TrafficChannel, 'of'>;
  readonly keys: Pick<ApiKeys, 'environmentOf'>;
}

/**
 * An agent is a child process over stdio, started in the first workspace folder unless configured
 * otherwise, with the API keys that the user has stored for it; variables from the settings take
 * precedence over them. One with an address is reached there.
 */
export function connector(
  { extension }: Pick<vscode.ExtensionContext, 'extension'>,
  services: Services,
): Connect {
  const { workspace, log, traffic, keys } = services;
  const { version: clientVersion } = extension.packageJSON as { version: string };
  return async (config, requests, signal, onNoise, watch) => {
    const { id, command, args, remote, cwd = workspace.folders[0]?.path } = config;
    const agentLog = log.component(id);
    const ofAgent = traffic.of(id);
    let withoutKeys = (text: string): string => text;
    const options = {
      clientVersion,
      agentId: id,
      withoutKeys: (text: string) => withoutKeys(text),
      onNoise,
      ...(watch && {
        onPrint: (line: string, from: 'stdout' | 'stderr') => watch.onPrint(line, from),
      }),
      log: agentLog,
      traffic: {
        get enabled() {
          return ofAgent.enabled;
        },
        write: (direction: 'fromAgent' | 'toAgent', text: string) =>
          ofAgent.write(direction, withoutKeys(text)),
      },
      requests,
      signal,
    };
    const onStarted = (): void => watch?.onStarted();
    if (remote !== undefined) {
      const { connectRemote } = await import('./remote/remoteAgents');
      const hide = (secrets: readonly string[]): void => {
        withoutKeys = hiding(secrets);
      };
      return connectRemote(remote, { ...options, hide, onStarted }, services);
    }
    const { connectAgent, spawnAgent } = await import('./programs');
    const given = await keys.environmentOf(config);
    signal.throwIfAborted();
    const env = { ...given, ...config.env };
    withoutKeys = hiding(Object.values(given));
    const redact = (text: string): string => withoutLikelySecrets(withoutKeys(text));
    const onStderr = (line: string): void => agentLog.info(`stderr: ${redact(line)}`);
    const transport = spawnAgent({ command, args, env, cwd, onStderr, redact });
    // The connection reports why a start has failed.
    void transport.started?.then(onStarted, () => undefined);
    return connectAgent(transport, { ...options, authTerminal: true });
  };
}

/** Removes the keys from a text: an agent's output may repeat those that it was given. */
function hiding(keys: readonly string[]): (text: string) => string {
  return (text) => keys.reduce((rest, key) => rest.replaceAll(key, hidden), text);
}
