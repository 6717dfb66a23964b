import type { AgentConfig } from '../model/ports';
import type { Transport } from '../protocol/agentTransport';
import { type SpawnOptions, type StartAgent, spawnAgent } from '../protocol/transport/stdio';
import type { PackageRun } from '../util/process/packageRunners';
import type { HeldSecrets } from '../util/secrets/heldSecrets';
import { withoutSecrets } from '../util/secrets/secretText';
import type { PackageStarts } from './packageStarts';
import type { ApiKeys } from './storage/apiKeys';
import type { OutputLog } from './ui/log';

interface Services {
  readonly log: Pick<OutputLog, 'component'>;
  readonly keys: Pick<ApiKeys, 'getEnvironment'>;
  readonly packageStarts: PackageStarts;
  readonly held: HeldSecrets;
}

/** What starts the programs of agents; tests in VS Code replace it with agents of their own process. */
export interface ProgramStarter {
  start: StartAgent;
}

/** How a configured agent's program is started. */
interface AgentProgram {
  readonly options: SpawnOptions;
  /** Present if the command fetches the program first. */
  readonly packageRun: PackageRun | undefined;
}

/**
 * With the API keys that the user has stored for it; variables from the settings take precedence over them. `folder` is
 * where it starts unless configured otherwise, see `startPlace`.
 */
export async function agentProgram(
  config: AgentConfig,
  { log, keys, packageStarts, held }: Services,
  folder: string | undefined,
): Promise<AgentProgram> {
  const { id, command } = config;
  const { args, cwd, packageRun } = await packageStarts.getPlace(config, folder);
  const given = await keys.getEnvironment(config);
  held.addSecrets(Object.values(given));
  const redact = (text: string): string => withoutSecrets(held.without(text));
  const agentLog = log.component(id);
  const onStderr = (line: string): void => agentLog.info(`stderr: ${redact(line)}`);
  const env = { ...given, ...config.env };
  return { options: { command, args, env, cwd, onStderr, redact }, packageRun };
}

/** Starts the program, after others that fetch the same package. */
export async function spawnProgram(
  { options, packageRun }: Pick<AgentProgram, 'options' | 'packageRun'>,
  {
    packageStarts,
    programs,
  }: Pick<Services, 'packageStarts'> & { readonly programs: ProgramStarter },
  signal: AbortSignal,
  onWaiting?: (isWaiting: boolean) => void,
): Promise<Transport> {
  signal.throwIfAborted();
  const start = (): Transport => spawnAgent({ ...options, start: programs.start });
  return packageRun === undefined
    ? start()
    : packageStarts.inTurn(packageRun, { signal, onWaiting }, start);
}
