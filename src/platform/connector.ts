import type * as vscode from 'vscode';
import type { Connect } from '../model/agents/connect';
import { holdSecrets } from '../model/agents/heldByAgent';
import type { ProvidedRemoteAgents } from '../model/agents/providedRemoteAgents';
import { connectAgent } from '../protocol/connectAgent';
import type { MessageDirection } from '../protocol/messageTap';
import { getVersions } from '../protocol/versions';
import type { HeldSecrets } from '../util/secrets/heldSecrets';
import { agentProgram, type ProgramStarter, spawnProgram } from './agentProgram';
import type { VsCodeWorkspace } from './files/workspace';
import type { PackageStarts } from './packageStarts';
import type { ApiKeys } from './storage/apiKeys';
import type { OutputLog, TrafficChannel } from './ui/log';

interface Services {
  readonly remoteAgents: ProvidedRemoteAgents;
  readonly workspace: Pick<VsCodeWorkspace, 'folders'>;
  readonly log: Pick<OutputLog, 'component'>;
  readonly traffic: Pick<TrafficChannel, 'of'>;
  readonly keys: Pick<ApiKeys, 'getEnvironment'>;
  readonly packageStarts: PackageStarts;
  readonly programs: ProgramStarter;
  readonly held: HeldSecrets;
  readonly taps: ReadonlyMap<string, TraceTap>;
  readonly openElsewhere: OpenElsewhere;
}

/** Whether another client of a shared agent has the session open, by the agent's id. */
type OpenElsewhere = ReadonlyMap<string, (sessionId: string) => boolean>;

/** Receives an agent's messages as they are; `withoutHeld` removes what settings and sign-ins hold from a text. */
export type TraceTap = (
  direction: MessageDirection,
  message: object,
  withoutHeld: (text: string) => string,
) => void;

/**
 * An agent is a child process over stdio, started in the first workspace folder unless configured
 * otherwise or fetched by a package manager, with the API keys that the user has stored for it; variables from the settings take
 * precedence over them. One with an address is reached there.
 */
export function connector(
  { extension }: Pick<vscode.ExtensionContext, 'extension'>,
  services: Services,
): Connect {
  const { workspace, log, traffic, taps, openElsewhere, held } = services;
  const { version: clientVersion } = extension.packageJSON as { version: string };
  return async (config, requests, signal, signs, watch) => {
    const { id, remote } = config;
    const agentLog = log.component(id);
    const ofAgent = traffic.of(id);
    holdSecrets(config, held);
    const options = {
      clientVersion,
      agentId: id,
      withoutHeld: held.without,
      ...signs,
      ...(watch && {
        onPrint: (line: string, from: 'stdout' | 'stderr') => watch.onPrint(line, from),
      }),
      log: agentLog,
      traffic: {
        get enabled() {
          return ofAgent.enabled;
        },
        write: (direction: MessageDirection, text: string) => ofAgent.write(direction, text),
        note: (text: string) => ofAgent.note(text),
      },
      // A diagnosis has a connection of its own, which is no part of the agent's.
      ...(!watch && {
        tap: (direction: MessageDirection, message: object) =>
          taps.get(id)?.(direction, message, held.without),
      }),
      requests,
      isOpenElsewhere: (sessionId: string) => openElsewhere.get(id)?.(sessionId) ?? false,
      signal,
    };
    const onStarted = (): void => watch?.onStarted();
    const versions = getVersions(config.protocol ?? '1');
    if (remote !== undefined) {
      return services.remoteAgents.connect(remote, { ...options, versions, onStarted });
    }
    const program = await agentProgram(config, services, workspace.folders[0]?.path);
    signal.throwIfAborted();
    const transport = await spawnProgram(program, services, signal, signs.onWaiting);
    // The connection reports why a start has failed.
    void transport.started?.then(onStarted, () => undefined);
    return connectAgent(transport, { ...options, versions, authTerminal: true });
  };
}
