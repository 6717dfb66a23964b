import * as l10n from '@vscode/l10n';
import type { Consents } from '../../../platform/storage/consents';
import type { McpServer } from '../../../protocol/agentConnection';
import { literalLine } from '../../../shared/literal';
import { shared } from '../../../util/async';
import type { McpFile } from './mcpFiles';
import { describeServer, getFingerprint, hasUnseen } from './mcpSettings';

/** The file that the user is asked about; `folder` is absent for the user's own. */
export interface AskedFile extends Pick<McpFile, 'file' | 'folder' | 'scope'> {
  /** Where it really is, if links lead out of its folder. */
  readonly real?: string | undefined;
}

/** `commands`: a description of each server. */
export type AskForConsent = (about: AskedFile, commands: readonly string[]) => Promise<boolean>;

/** Limits of what the user can be asked to read at once. */
const maxServers = 20;
const maxDescription = 500;

/**
 * Whether the servers of a file may be passed to agents. They may be programs of a repository, so the user decides, once
 * for each file and set of servers, and the answer is kept.
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
  findProblem(servers: readonly McpServer[], { folder }: AskedFile): string | undefined {
    if (servers.length > maxServers) {
      return l10n.t('There are more than {0} servers.', maxServers);
    }
    const unseen = servers.find(hasUnseen);
    if (unseen !== undefined) {
      return l10n.t('{0}: The definition has invisible characters.', literalLine(unseen.name));
    }
    const isOwn = folder === undefined;
    const long = servers.find((server) => describeServer(server, isOwn).length > maxDescription);
    return (
      long &&
      l10n.t('{0}: The definition is longer than {1} characters.', long.name, maxDescription)
    );
  }

  async isGiven(about: AskedFile, servers: readonly McpServer[]): Promise<boolean> {
    const { scope } = about;
    const fingerprint = getFingerprint(servers);
    const answers = { [fingerprint]: true, [`not ${fingerprint}`]: false };
    const kept = answers[(await this.#kept.get(scope)) ?? ''];
    if (kept !== undefined) {
      return kept;
    }
    return shared(this.#pending, `${fingerprint} ${scope}`, async () => {
      const isOwn = about.folder === undefined;
      const commands = servers.map((server) => describeServer(server, isOwn));
      const given = await this.#ask(about, commands);
      await this.#kept.set(scope, given ? fingerprint : `not ${fingerprint}`);
      return given;
    });
  }

  async forget(): Promise<void> {
    await this.#kept.clear();
  }
}
