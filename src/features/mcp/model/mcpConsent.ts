import * as l10n from '@vscode/l10n';
import type { Consents } from '../../../platform/storage/consents';
import type { McpServer } from '../../../protocol/agentConnection';
import { literalLine } from '../../../shared/literal';
import { shared } from '../../../util/async';
import { describeServer, getFingerprint, hasUnseen } from './mcpSettings';

/** `commands`: a description of each server. */
export type AskForConsent = (folder: string, commands: readonly string[]) => Promise<boolean>;

/** Limits of what the user can be asked to read at once. */
const maxServers = 20;
const maxDescription = 500;

/**
 * Whether the servers of a folder may be passed to agents. They are programs of a repository, so
 * the user decides, once for each folder and set of servers; the answer is kept for this workspace.
 */
export class McpConsent {
  readonly #kept: Consents;
  readonly #ask: AskForConsent;
  /** The open questions, so that sessions that open together ask once. */
  readonly #pending = new Map<string, Promise<boolean>>();

  constructor(kept: Consents, ask: AskForConsent) {
    this.#kept = kept;
    this.#ask = ask;
  }

  /** Why the user can't be asked about these servers: consent requires seeing them in full. */
  findProblem(servers: readonly McpServer[]): string | undefined {
    if (servers.length > maxServers) {
      return l10n.t('There are more than {0} servers.', maxServers);
    }
    const unseen = servers.find(hasUnseen);
    if (unseen !== undefined) {
      return l10n.t('{0}: The definition has invisible characters.', literalLine(unseen.name));
    }
    const long = servers.find((server) => describeServer(server).length > maxDescription);
    return (
      long &&
      l10n.t('{0}: The definition is longer than {1} characters.', long.name, maxDescription)
    );
  }

  async isGiven(folder: string, servers: readonly McpServer[]): Promise<boolean> {
    const fingerprint = getFingerprint(servers);
    const answers = { [fingerprint]: true, [`not ${fingerprint}`]: false };
    const kept = answers[(await this.#kept.get(folder)) ?? ''];
    if (kept !== undefined) {
      return kept;
    }
    return shared(this.#pending, `${fingerprint} ${folder}`, async () => {
      const given = await this.#ask(folder, servers.map(describeServer));
      await this.#kept.set(folder, given ? fingerprint : `not ${fingerprint}`);
      return given;
    });
  }

  async forget(): Promise<void> {
    await this.#kept.clear();
  }
}
