import * as l10n from '@vscode/l10n';
import { cleanText } from '../../../model/text/titles';
import type { McpServer } from '../../../protocol/agentConnection';

interface Listed {
  readonly server: McpServer;
  readonly source: string;
}

/** The servers that a session gets: no two have the same name, and none is listed twice. */
export class ServerList {
  readonly #listed: Listed[] = [];
  /** Those that the agent starts by itself. */
  readonly #started: Listed[] = [];

  /** What isn't passed on, and why. */
  readonly leftOut: string[] = [];

  /** What is to be passed on. */
  get servers(): readonly McpServer[] {
    return this.#listed
      .map(({ server }) => server)
      .filter((server) => this.#findStarted(server) === undefined);
  }

  /** Which servers aren't passed on because the agent has them already, and why. */
  get doubles(): readonly string[] {
    return this.#listed.flatMap(({ server }) => {
      const started = this.#findStarted(server);
      return started === undefined ? [] : [describeDouble(server, started)];
    });
  }

  /** Why a server isn't added: another one that counts more has its name, or is the same. */
  findDouble(server: McpServer): string | undefined {
    const same = this.#listed.find((other) => isSame(other.server, server));
    if (same !== undefined) {
      return describeDouble(server, same);
    }
    const named = this.#listed.find((other) => other.server.name === server.name);
    return (
      named && l10n.t('{0}: The name is taken by a server of {1}.', shortName(server), named.source)
    );
  }

  add(servers: readonly McpServer[], source: string): void {
    this.#listed.push(...servers.map((server) => ({ server, source })));
  }

  /** Notes what the agent starts by itself. */
  addStarted(servers: readonly McpServer[], source: string): void {
    this.#started.push(...servers.map((server) => ({ server, source })));
  }

  /** One of the same name replaces the agent's own, so that it isn't started twice. */
  #findStarted(server: McpServer): Listed | undefined {
    const same = this.#started.filter((other) => isSame(other.server, server));
    return same.some((other) => other.server.name === server.name) ? undefined : same[0];
  }
}

function describeDouble(server: McpServer, other: Listed): string {
  return l10n.t(
    '{0}: It is the same server as “{1}” of {2}.',
    shortName(server),
    shortName(other.server),
    other.source,
  );
}

function shortName({ name }: McpServer): string {
  return cleanText(name, 100);
}

/** Whether both run the same program, or are at the same address, under whatever name. */
function isSame(one: McpServer, other: McpServer): boolean {
  if (one.type !== 'stdio' || other.type !== 'stdio') {
    return (
      one.type !== 'stdio' && other.type !== 'stdio' && addressOf(one.url) === addressOf(other.url)
    );
  }
  return (
    one.command === other.command &&
    JSON.stringify(one.args) === JSON.stringify(other.args) &&
    JSON.stringify(sorted(one.env)) === JSON.stringify(sorted(other.env))
  );
}

function addressOf(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}

function sorted(values: Readonly<Record<string, string>>): readonly (readonly string[])[] {
  return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}
