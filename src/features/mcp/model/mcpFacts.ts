import * as l10n from '@vscode/l10n';
import { cleanText } from '../../../model/text/titles';
import type { McpServer } from '../../../protocol/agentConnection';
import type { HeaderFact, Phase } from '../../../shared/transcript/webviewMessages';
import { Emitter } from '../../../util/emitter';

export interface McpFactsOptions {
  /** Whether there is such a program. */
  readonly isThere: (command: string) => Promise<boolean>;
  /** Whether anything answers at an address, whatever it says. */
  readonly answers: (url: string) => Promise<boolean>;
  /** How long a session may take to open before its servers are named, in ms. */
  readonly slowMs: number;
}

interface Noticed {
  readonly names: readonly string[];
  readonly leftOut: readonly string[];
  absent: readonly string[];
  silent: readonly string[];
  isSlow: boolean;
}

/** Number of folders beyond which the oldest are forgotten. */
const maxFolders = 50;

/** What can be seen from here of how the servers of a folder's sessions start. */
export class McpFacts {
  readonly #options: McpFactsOptions;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #noticed = new Map<string, Noticed>();

  constructor(options: McpFactsOptions) {
    this.#options = options;
  }

  /**
   * A session of the folder is about to be opened with these servers; `leftOut`: what isn't used, and why. Resolves when
   * they were looked at, for which nobody has to wait.
   */
  async note(
    cwd: string,
    servers: readonly McpServer[],
    leftOut: readonly string[],
  ): Promise<void> {
    const names = servers.map(({ name }) => cleanText(name, 50));
    const noticed: Noticed = { names, leftOut, absent: [], silent: [], isSlow: false };
    this.#noticed.delete(cwd);
    this.#noticed.set(cwd, noticed);
    for (const oldest of [...this.#noticed.keys()].slice(0, -maxFolders)) {
      this.#noticed.delete(oldest);
    }
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
    const missing = servers.filter((_, index) => found[index] === false);
    const named = (isProgram: boolean): readonly string[] =>
      missing
        .filter(({ type }) => (type === 'stdio') === isProgram)
        .map(({ name }) => cleanText(name, 50));
    noticed.absent = named(true);
    noticed.silent = named(false);
    if (missing.length > 0) {
      this.#changed.fire();
    }
  }

  /** What the header of a session says. */
  of({ cwd }: { readonly cwd: string }, phase: Phase): readonly HeaderFact[] {
    const noticed = this.#noticed.get(cwd);
    if (noticed === undefined) {
      return [];
    }
    const { names, leftOut, isSlow } = noticed;
    const facts: HeaderFact[] = failures(noticed).map((text) => ({
      icon: 'warning',
      text,
      title: text,
    }));
    if (leftOut.length > 0) {
      const text = l10n.t('MCP servers are left out: {0}', leftOut.length);
      facts.push({ icon: 'warning', text, title: leftOut.join('\n') });
    }
    if (isSlow && phase.kind === 'loading') {
      const text = l10n.t('Starting with MCP servers: {0}', names.join(', '));
      facts.push({ icon: 'loading', text, title: text });
    }
    return facts;
  }

  /** What a diagnosis says. */
  get all(): readonly string[] {
    return [...this.#noticed].flatMap(([cwd, noticed]) =>
      [...failures(noticed), ...noticed.leftOut].map((text) => `${cwd}: ${text}`),
    );
  }
}

function failures({ absent, silent }: Noticed): readonly string[] {
  return [
    ...(absent.length > 0
      ? [l10n.t('The command of an MCP server isn’t there: {0}', absent.join(', '))]
      : []),
    ...(silent.length > 0 ? [l10n.t('An MCP server doesn’t answer: {0}', silent.join(', '))] : []),
  ];
}
