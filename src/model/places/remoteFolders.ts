import { TheirPaths } from '../../protocol/transport/theirPaths';
import { isElsewhere, markElsewhere } from '../../util/elsewhere';
import type { AgentLists } from '../agent';
import type { AgentConfig, RemoteAgent } from '../ports';

/** How many folders of an agent's sessions are offered. */
const maxOfferedFolders = 20;

/** How this machine writes a path that the agent's machine has written: the same, unless that is another one. */
export function getInwardTranslation({
  remote,
}: Pick<AgentConfig, 'remote'>): (file: string) => string {
  if (remote === undefined) {
    return (file) => file;
  }
  const paths = new TheirPaths(new URL(remote.url).host, remote.pathMappings);
  return (file) => paths.inward(file);
}

/** How the agent's machine writes a path of this one; `undefined` for one that isn't there. */
export function getOutwardTranslation({
  remote,
}: Pick<AgentConfig, 'remote'>): (file: string) => string | undefined {
  if (remote === undefined) {
    return (file) => file;
  }
  const paths = new TheirPaths(new URL(remote.url).host, remote.pathMappings);
  return (file) => paths.outward(file);
}

/** The folders of an agent's machine, as it writes them and as this one does. */
export class RemoteFolders {
  /** The machine, with its port if the address has one. */
  readonly host: string;
  readonly #paths: TheirPaths;

  constructor({ url, pathMappings }: Pick<RemoteAgent, 'url' | 'pathMappings'>) {
    this.host = new URL(url).host;
    this.#paths = new TheirPaths(this.host, pathMappings);
  }

  /** Whether a mapping covers the folder of this machine. */
  isMapped(ours: string): boolean {
    return this.#paths.outward(ours) !== undefined;
  }

  /** A folder that isn't on this machine, as this one writes it. */
  mark(theirs: string): string {
    return markElsewhere(this.host, theirs);
  }

  /** The folders of the agent's listed sessions that aren't on this machine, as the other one writes them; newest first. */
  ofSessions({ lists }: { readonly lists: Pick<AgentLists, 'of'> }): readonly string[] {
    const known = lists
      .of(undefined)
      .rows.flatMap(({ info: { cwd } }) =>
        isElsewhere(cwd) ? (this.#paths.outward(cwd) ?? []) : [],
      );
    return [...new Set(known)].slice(0, maxOfferedFolders);
  }
}
