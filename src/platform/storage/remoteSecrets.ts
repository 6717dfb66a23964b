import * as l10n from '@vscode/l10n';
import type { RemoteAgent } from '../../model/ports';
import type { Secrets } from './secrets';

type Address = Pick<RemoteAgent, 'url'>;

/** Maximum length in UTF-16 units. */
const maxTokenLength = 4096;

/**
 * What the user has entered for servers of agents, only in VS Code's secret storage. It belongs to an address: other
 * settings, such as those of a workspace, can't have it sent to another one.
 */
export class RemoteSecrets {
  readonly #secrets: Secrets;

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** The token, or the secret of this name that a header refers to. */
  get(address: Address, name?: string): PromiseLike<string | undefined> {
    return this.#secrets.get(getKey(address, name));
  }

  store(address: Address, value: string, name?: string): PromiseLike<void> {
    return this.#secrets.store(getKey(address, name), value);
  }

  /** Deletes the token and the secrets of the headers; resolves to whether there was one. */
  async forget({ url, headers }: Pick<RemoteAgent, 'url' | 'headers'>): Promise<boolean> {
    const names = Object.values(headers).flatMap(secretNames);
    const keys = [undefined, ...names].map((name) => getKey({ url }, name));
    const kept = await Promise.all(keys.map((key) => this.#secrets.get(key)));
    await Promise.all(keys.map((key) => this.#secrets.delete(key)));
    return kept.some((value) => value !== undefined);
  }
}

/** Why a text that the user has typed can't be sent as a token or a secret of a header; `undefined` if it can. */
export function tokenProblem(text: string): string | undefined {
  const typed = text.trim();
  return /^[\x21-\x7e]*$/.test(typed) && typed.length <= maxTokenLength
    ? undefined
    : l10n.t('A token has no spaces and at most {0} characters.', maxTokenLength);
}

/** The secrets that the value of a header refers to. */
export function secretNames(value: string): readonly string[] {
  return [...value.matchAll(/\$\{secret:([\w.-]+)\}/g)].map(([, name = '']) => name);
}

/** Quotes keep the parts apart, whichever characters a host or a name has. */
function getKey({ url }: Address, name?: string): string {
  const { protocol, host } = new URL(url);
  const origin = `${protocol}//${host}`;
  const parts = name === undefined ? [origin, 'token'] : [origin, 'header', name];
  return `acpSessions.remote.${JSON.stringify(parts)}`;
}
