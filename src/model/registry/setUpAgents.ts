import { commandOf, isNewer, readSpec } from './packageSpec';
import { type RegistryAgent, type RegistryPackage, type Runner, runners } from './registryAgent';

/** How an agent of the settings is started. */
export interface StartCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** A package at an exact version that a command runs. */
interface RunPackage {
  readonly runner: Runner;
  readonly name: string;
  readonly version: string;
  /** The argument that names it, by its index. */
  readonly at: number;
}

/** An agent of the settings whose package has a newer version in the registry. */
export interface AgentUpdate {
  readonly agent: RegistryAgent;
  readonly package: RegistryPackage;
  readonly from: string;
  /** The argument that names the old version. */
  readonly oldArgument: string;
  /** The command of the registry. */
  readonly command: readonly string[];
  /** The user's command, with the new version; the same as `command` unless the user or the registry changed it. */
  readonly ownCommand: readonly string[];
}

/** The agent of the registry that a command runs, by the package that it names. */
export function agentRunBy(
  start: StartCommand,
  agents: readonly RegistryAgent[],
): RegistryAgent | undefined {
  return find(start, agents)?.agent;
}

/** The newer version of what a command runs, if the registry has one. */
export function updateOf(
  start: StartCommand,
  agents: readonly RegistryAgent[],
): AgentUpdate | undefined {
  const found = find(start, agents);
  if (found === undefined || !isNewer(found.package.version, found.run.version)) {
    return undefined;
  }
  const { agent, run } = found;
  const oldArgument = start.args[run.at] ?? '';
  const args = start.args.with(
    run.at,
    `${oldArgument.slice(0, -run.version.length)}${found.package.version}`,
  );
  return {
    agent,
    package: found.package,
    from: run.version,
    oldArgument,
    command: commandOf(found.package),
    ownCommand: [start.command, ...args],
  };
}

function find(
  start: StartCommand,
  agents: readonly RegistryAgent[],
):
  | { readonly agent: RegistryAgent; readonly package: RegistryPackage; readonly run: RunPackage }
  | undefined {
  const run = packageRunBy(start);
  if (run === undefined) {
    return undefined;
  }
  for (const agent of agents) {
    const found = agent.packages.find(
      ({ runner, name }) => runner === run.runner && name === run.name,
    );
    if (found !== undefined) {
      return { agent, package: found, run };
    }
  }
  return undefined;
}

/** Only an exact version counts: without one, the newest is fetched anyway. */
function packageRunBy({ command, args }: StartCommand): RunPackage | undefined {
  const program = command.replace(/^.*[\\/]/s, '').replace(/\.(?:cmd|exe)$/i, '');
  const runner = runners.find((known) => known === program);
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
