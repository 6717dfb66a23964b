import type * as vscode from 'vscode';
import type { Connect } from '../model/agents/connect';
import type { MessageDirection } from '../protocol/messageTap';
import { hidden, withoutLikelySecrets } from '../util/secretText';
import type { VsCodeWorkspace } from './files/workspace';
import type { ApiKeys } from './storage/apiKeys';
import type { OutputLog, TrafficChannel } from './ui/log';

interface Services {
  readonly workspace: Pick<VsCodeWorkspace, 'folders'>;
  readonly log: Pick<OutputLog, 'component'>;
  readonly traffic: Pick<TrafficChannel, 'of'>;
  readonly keys: Pick<ApiKeys, 'environmentOf'>;
  readonly taps: ReadonlyMap<string, TraceTap>;
}

/** Receives an agent's messages as they are; `withoutKeys` removes the keys that the agent was given from a text. */
export type TraceTap = (
  direction: MessageDirection,
  message: object,
  withoutKeys: (text: string) => string,
) => void;

/**
 * An agent is a child process over stdio, started in the first workspace folder unless configured
 * otherwise, with the API keys that the user has stored for it; variables from the settings take
 * precedence over them.
 */
export function connector(
  { extension }: Pick<vscode.ExtensionContext, 'extension'>,
  { workspace, log, traffic, keys, taps }: Services,
): Connect {
  const { version: clientVersion } = extension.packageJSON as { version: string };
  return async (config, requests, signal, onNoise, watch) => {
    const { id, command, args, cwd = workspace.folders[0]?.path } = config;
    const { connectAgent, spawnAgent } = await import('./programs');
    const agentLog = log.component(id);
    const given = await keys.environmentOf(config);
    signal.throwIfAborted();
    const env = { ...given, ...config.env };
    const withoutKeys = hiding(Object.values(given));
    const ofAgent = traffic.of(id);
    const redact = (text: string): string => withoutLikelySecrets(withoutKeys(text));
    const onStderr = (line: string): void => agentLog.info(`stderr: ${redact(line)}`);
    const transport =
      config.transport?.() ?? spawnAgent({ command, args, env, cwd, onStderr, redact });
    // The connection reports why a start has failed.
    void transport.started?.then(
      () => watch?.onStarted(),
      () => undefined,
    );
    return connectAgent(transport, {
      clientVersion,
      agentId: id,
      withoutKeys,
      onNoise,
      ...(watch && { onPrint: (line, from) => watch.onPrint(line, from) }),
      log: agentLog,
      traffic: {
        get enabled() {
          return ofAgent.enabled;
        },
        write: (direction, text) => ofAgent.write(direction, withoutKeys(text)),
      },
      // A diagnosis has a connection of its own, which is no part of the agent's.
      ...(!watch && {
        tap: (direction, message) => taps.get(id)?.(direction, message, withoutKeys),
      }),
      requests,
      authTerminal: true,
      signal,
    });
  };
}

/** Removes the keys from a text: an agent's output may repeat those that it was given. */
function hiding(keys: readonly string[]): (text: string) => string {
  return (text) => keys.reduce((rest, key) => rest.replaceAll(key, hidden), text);
}
