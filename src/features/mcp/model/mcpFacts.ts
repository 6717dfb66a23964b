import * as l10n from '@vscode/l10n';
import type { Opening } from '../../../model/ports';
import { cleanText } from '../../../model/text/titles';
import type { McpServer } from '../../../protocol/agentConnection';
import type { HeaderFact } from '../../../shared/transcript/webviewMessages';
import { Emitter } from '../../../util/emitter';

/** Which session it is. */
interface FactsSession {
  readonly agent: { readonly id: string };
  readonly info: { readonly sessionId: string };
}

export interface McpFactsOptions {
  /** Whether there is such a program. */
  readonly isThere: (command: string) => Promise<boolean>;
  /** Whether anything answers at an address, whatever it says. */
  readonly answers: (url: string) => Promise<boolean>;
  /** How long a session may take to open before its servers are named, in ms. */
  readonly slowMs: number;
}

interface Noticed {
  readonly opening: Opening;
  readonly names: readonly string[];
  readonly leftOut: readonly string[];
  absent: readonly string[];
  silent: readonly string[];
  isSlow: boolean;
}

/** Number of openings beyond which the oldest are forgotten. */
const maxOpenings = 50;

/** What can be seen from here of how the servers of sessions start. */
export class McpFacts {
  readonly #options: McpFactsOptions;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  /** The newest first. */
  #noticed: readonly Noticed[] = [];

  constructor(options: McpFactsOptions) {
    this.#options = options;
  }

  /**
   * A session is about to be opened with these servers; `leftOut`: what isn't used, and why. Resolves when they were
   * looked at, for which nobody has to wait.
   */
  async note(
    opening: Opening,
    servers: readonly McpServer[],
    leftOut: readonly string[],
  ): Promise<void> {
    const names = servers.map(({ name }) => cleanText(name, 50));
    const noticed: Noticed = { opening, names, leftOut, absent: [], silent: [], isSlow: false };
    this.#noticed = [noticed, ...this.#noticed].slice(0, maxOpenings);
    this.#changed.fire();
    if (servers.length === 0) {
      return;
    }
    setTimeout(() => {
      noticed.isSlow = true;
      this.#changed.fire();
    }, this.#options.slowMs).unref();
    const { isThere, answers } = this.#options;
    const found = await Promise.all(
      servers.map((server) =>
        server.type === 'stdio' ? isThere(server.command) : answers(server.url),
      ),
    );
    const missing = (isProgram: boolean): readonly string[] =>
      names.filter((_, at) => found[at] === false && (servers[at]?.type === 'stdio') === isProgram);
    noticed.absent = missing(true);
    noticed.silent = missing(false);
    if (found.includes(false)) {
      this.#changed.fire();
    }
  }

  /** What the header of a session says: what it was opened with last. */
  of({ agent, info }: FactsSession): readonly HeaderFact[] {
    const noticed = this.#noticed.find(
      ({ opening }) => opening.agentId === agent.id && opening.sessionId === info.sessionId,
    );
    if (noticed === undefined) {
      return [];
    }
    const { names, leftOut, isSlow, opening } = noticed;
    const facts: HeaderFact[] = failures(noticed).map((text) => ({
      icon: 'warning',
      text,
      title: text,
    }));
    if (leftOut.length > 0) {
      const text = l10n.t('MCP servers are left out: {0}', leftOut.length);
      facts.push({ icon: 'warning', text, title: leftOut.join('\n') });
    }
    if (isSlow && opening.isPending) {
      const text = startingWith(names);
      facts.push({ icon: 'loading', text, title: text });
    }
    return facts;
  }

  /** What a diagnosis of an agent says: what its latest session in each folder was opened with. */
  ofAgent(agentId: string): readonly string[] {
    const folders = new Map<string, Noticed>();
    for (const noticed of this.#noticed.filter(({ opening }) => opening.agentId === agentId)) {
      const { cwd } = noticed.opening;
      folders.set(cwd, folders.get(cwd) ?? noticed);
    }
    return [...folders].flatMap(([cwd, noticed]) =>
      [...failures(noticed), ...noticed.leftOut].map((text) => `${cwd}: ${text}`),
    );
  }

  /** What a session may be waiting for that its agent doesn't open. */
  whySilent(agentId: string): string | undefined {
    const waiting = this.#noticed.filter(
      ({ opening, names }) => opening.agentId === agentId && opening.isPending && names.length > 0,
    );
    const known = waiting.flatMap(failures);
    return known[0] ?? (waiting[0] && startingWith(waiting[0].names));
  }
}

function startingWith(names: readonly string[]): string {
  return l10n.t('Starting with MCP servers: {0}', names.join(', '));
}

function failures({ absent, silent }: Noticed): readonly string[] {
  return [
    ...(absent.length > 0
      ? [l10n.t('The command of an MCP server isn’t there: {0}', absent.join(', '))]
      : []),
    ...(silent.length > 0 ? [l10n.t('An MCP server doesn’t answer: {0}', silent.join(', '))] : []),
  ];
}
