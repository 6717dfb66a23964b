import { findPackageRun } from '../../util/process/packageRunners';
import { programName } from '../../util/process/programName';
import type { AgentConfig } from '../ports';
import { cleanText } from '../text/titles';

/** An agent, and the name that the user or the agent itself has chosen for it. */
interface Named {
  readonly name: string;
  readonly config: Pick<AgentConfig, 'id' | 'command' | 'args' | 'remote'>;
}

type Fact = (config: Named['config']) => string | undefined;

/** Programs that run whatever they are given say nothing of an agent. */
const interpreters = /^(?:node|bun|deno|python[\d.]*|ruby|java|dotnet|(?:ba|z|da|k|fi)?sh|pwsh)$/i;
const longest = 40;

/** What agents differ in, the most telling first. */
const facts: readonly Fact[] = [
  ({ remote }) => remote && findHost(remote.url),
  ({ command, args }) => packageIn(findPackageRun(command, args)?.key),
  ({ command, args }) =>
    findPackageRun(command, args) === undefined && !interpreters.test(programName(command))
      ? programName(command)
      : undefined,
  ({ id }) => id,
];

/**
 * The titles of agents by their ids: their names, and where several have the same one, each with what tells it from the
 * others: "Claude (claude-agent-acp)".
 */
export function toldApart(agents: readonly Named[]): ReadonlyMap<string, string> {
  return new Map(
    agents.map(({ name, config }) => {
      const others = agents.filter(
        (other) => other.config.id !== config.id && other.name.toLowerCase() === name.toLowerCase(),
      );
      const told = others.length === 0 ? undefined : ownAddition(config, others);
      return [config.id, told === undefined ? name : `${name} (${told})`];
    }),
  );
}

/** The first that none of the others could have for any of its facts; the id as a whole otherwise, which nobody shares. */
function ownAddition(config: Named['config'], others: readonly Named[]): string {
  const taken = new Set(others.flatMap((other) => getAdditions(other.config)));
  return getAdditions(config).find((addition) => !taken.has(addition)) ?? config.id;
}

function getAdditions(config: Named['config']): readonly string[] {
  return facts.map((fact) => cleanText(fact(config) ?? '', longest)).filter((it) => it !== '');
}

function findHost(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}

/** "claude-agent-acp" of "npx @agentclientprotocol/claude-agent-acp@0.101.0". */
function packageIn(run: string | undefined): string | undefined {
  return /(?:^|[ /])(?<name>[^@/\s]+)(?:@[^/\s]*)?$/.exec(run ?? '')?.groups?.['name'];
}
