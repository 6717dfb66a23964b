import type { StartCommand } from '../../../model/agents/registryFacts';
import { programName } from '../../../util/process/programName';
import { installedCommand, installedRunBy } from './binary/installedVersion';
import { getCommand, isNewer, readSpec } from './packageSpec';
import {
  type RegistryAgent,
  type RegistryBinary,
  type RegistryPackage,
  type Runner,
  runners,
  type Target,
} from './registryAgent';

/** How an agent of the registry can be run. */
export type Way = RegistryPackage | RegistryBinary;

/** What programs are installed for on this machine, and where. */
export interface InstallPlace {
  /** The folder of all installed agents. */
  readonly folder: string;
  readonly target: Target | undefined;
}

/** The agent of the registry that a command runs. */
interface Run {
  readonly agent: RegistryAgent;
  readonly version: string;
  /** The newest way to run it, in the same manner. */
  readonly way: Way;
  /** The argument or the program that names the version. */
  readonly key: string;
  /** The user's command at another version. */
  readonly ownCommand: readonly string[];
}

/** An agent of the settings that has a newer version in the registry. */
export interface AgentUpdate {
  readonly agent: RegistryAgent;
  readonly way: Way;
  readonly from: string;
  /** The argument or the program that names the old version. */
  readonly key: string;
  /** The command of the registry. */
  readonly command: readonly string[];
  /** The user's command, with the new version; the same as `command` unless the user or the registry changed it. */
  readonly ownCommand: readonly string[];
}

/** Whether an agent is run by a program that is downloaded. */
export function isBinary(way: Way): way is RegistryBinary {
  return 'archive' in way;
}

/** The command that runs an agent in this way. */
export function commandOfWay(
  { id }: Pick<RegistryAgent, 'id'>,
  way: Way,
  { folder }: InstallPlace,
): readonly string[] {
  return isBinary(way) ? installedCommand(folder, id, way) : getCommand(way);
}

/** The agent of the registry that a command runs, by the package or the installed program that it names. */
export function agentRunBy(
  start: StartCommand,
  agents: readonly RegistryAgent[],
  place: InstallPlace,
): RegistryAgent | undefined {
  return find(start, agents, place)?.agent;
}

/** The program or the argument of a command that names the version of an agent of the registry. */
export function findVersionKey(
  start: StartCommand,
  agents: readonly RegistryAgent[],
  place: InstallPlace,
): string | undefined {
  return find(start, agents, place)?.key;
}

/** The exact version that a command runs, if it names one. */
export function versionIn(start: StartCommand, { folder }: InstallPlace): string | undefined {
  return (installedRunBy(start.command, folder) ?? packageRunBy(start))?.version;
}

/** The newer version of what a command runs, if the registry has one. */
export function findUpdate(
  start: StartCommand,
  agents: readonly RegistryAgent[],
  place: InstallPlace,
): AgentUpdate | undefined {
  const run = find(start, agents, place);
  if (run === undefined || !isNewer(run.way.version, run.version)) {
    return undefined;
  }
  const { agent, way, key, ownCommand, version: from } = run;
  return { agent, way, key, ownCommand, from, command: commandOfWay(agent, way, place) };
}

function find(
  start: StartCommand,
  agents: readonly RegistryAgent[],
  place: InstallPlace,
): Run | undefined {
  return installedRun(start, agents, place) ?? packageRun(start, agents);
}

function installedRun(
  { command, args }: StartCommand,
  agents: readonly RegistryAgent[],
  place: InstallPlace,
): Run | undefined {
  const run = installedRunBy(command, place.folder);
  const agent = run && agents.find(({ id }) => id === run.id);
  const way = agent && place.target && agent.binaries[place.target];
  if (run === undefined || agent === undefined || way === undefined) {
    return undefined;
  }
  const [program = ''] = installedCommand(place.folder, agent.id, way);
  return { agent, way, version: run.version, key: command, ownCommand: [program, ...args] };
}

function packageRun(start: StartCommand, agents: readonly RegistryAgent[]): Run | undefined {
  const run = packageRunBy(start);
  if (run === undefined) {
    return undefined;
  }
  for (const agent of agents) {
    const way = agent.packages.find(
      ({ runner, name }) => runner === run.runner && name === run.name,
    );
    if (way !== undefined) {
      const key = start.args[run.at] ?? '';
      const args = start.args.with(run.at, `${key.slice(0, -run.version.length)}${way.version}`);
      return { agent, way, key, version: run.version, ownCommand: [start.command, ...args] };
    }
  }
  return undefined;
}

/** The program of a command, if it's one that fetches packages. */
export function findRunner(command: string): Runner | undefined {
  const program = programName(command);
  return runners.find((known) => known === program);
}

/** The package that a command runs. Only an exact version counts: without one, the newest is fetched anyway. */
function packageRunBy({ command, args }: StartCommand):
  | {
      readonly runner: Runner;
      readonly name: string;
      readonly version: string;
      /** The argument that names it, by its index. */
      readonly at: number;
    }
  | undefined {
  const runner = findRunner(command);
  if (runner === undefined) {
    return undefined;
  }
  for (const [at, arg] of args.entries()) {
    const spec = readSpec(runner, arg.replace(/^--(?:package|from)=/, ''));
    if (spec?.version !== undefined) {
      return { runner, name: spec.name, version: spec.version, at };
    }
  }
  return undefined;
}
