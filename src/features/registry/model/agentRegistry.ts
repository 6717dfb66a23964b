import { createHash } from 'node:crypto';
import type { Log, StoredTexts } from '../../../model/ports';
import { cleanText } from '../../../model/text/titles';
import { getStack } from '../../../util/getStack';
import { isObject, parseJson } from '../../../util/json';
import { fetchRegistry, notRegistry } from './fetchRegistry';
import { readRegistry } from './readRegistry';
import type { Lookup } from './registryAddress';
import type { RegistryAgent } from './registryAgent';
import { RegistryError } from './registryError';
import snapshot from './snapshot.json';

/** Lines of the log about the entries of one registry. */
const maxLoggedLines = 20;

export interface RegistryParts {
  /** The registry's address, as the user has set it; empty: it isn't asked. */
  readonly address: string;
  /** Keeps what was last read. */
  readonly texts: StoredTexts;
  readonly fetch: typeof fetch;
  readonly lookup: Lookup;
  /** How long the registry may take to answer, in ms. */
  readonly patience: number;
  readonly log: Log;
}

interface Kept {
  readonly agents: readonly RegistryAgent[];
  readonly etag: string | undefined;
}

/**
 * The agent registry: first as it was last read here or, before that, as it was when this version was built; then as
 * it is now. It is only asked when `refresh` is called.
 */
export class AgentRegistry {
  readonly #parts: RegistryParts;

  constructor(parts: RegistryParts) {
    this.#parts = parts;
  }

  /** Whether the registry may be asked. */
  get isOn(): boolean {
    return this.#parts.address !== '';
  }

  /** What is known without the network. Never rejects. */
  async known(): Promise<readonly RegistryAgent[]> {
    const kept = this.isOn ? await this.#kept() : undefined;
    return kept?.agents ?? readRegistry(JSON.stringify(snapshot))?.agents ?? [];
  }

  /**
   * Asks the registry. Rejects with a `RegistryError`, or with the signal's reason; what was known then stays.
   */
  async refresh(signal: AbortSignal): Promise<readonly RegistryAgent[]> {
    const { log } = this.#parts;
    if (!this.isOn) {
      return this.known();
    }
    try {
      return await this.#ask(signal);
    } catch (error) {
      if (error instanceof RegistryError) {
        log.warn(`${error.message} (${error.detail})`);
      }
      throw error;
    }
  }

  async #ask(signal: AbortSignal): Promise<readonly RegistryAgent[]> {
    const kept = await this.#kept();
    const fetched = await fetchRegistry({ ...this.#parts, etag: kept?.etag, signal });
    if (fetched.kind === 'unchanged' && kept !== undefined) {
      return kept.agents;
    }
    const text = fetched.kind === 'changed' ? fetched.text : '';
    const read = readRegistry(text);
    if (read === undefined) {
      throw notRegistry('it is no JSON with a list of agents');
    }
    this.#report(read.leftOut);
    if (read.agents.length === 0) {
      throw notRegistry('none of its entries can be used');
    }
    if (fetched.kind === 'changed') {
      await this.#keep(text, fetched.etag);
    }
    return read.agents;
  }

  #report(leftOut: readonly string[]): void {
    const { log } = this.#parts;
    for (const line of leftOut.slice(0, maxLoggedLines)) {
      log.warn(`left out: ${cleanText(line, 300)}`);
    }
    if (leftOut.length > maxLoggedLines) {
      log.warn(`left out: ${leftOut.length - maxLoggedLines} more`);
    }
  }

  /** Each address has its own: a mirror may have other agents. */
  get #name(): string {
    return createHash('sha256').update(this.#parts.address).digest('hex');
  }

  async #kept(): Promise<Kept | undefined> {
    const stored = (await this.#parts.texts.readAll()).get(this.#name);
    const value = parseJson(stored);
    if (!isObject(value) || typeof value['text'] !== 'string') {
      return undefined;
    }
    const read = readRegistry(value['text']);
    const { etag } = value;
    return read && { agents: read.agents, etag: typeof etag === 'string' ? etag : undefined };
  }

  async #keep(text: string, etag: string | undefined): Promise<void> {
    const { texts, log } = this.#parts;
    try {
      await texts.write(this.#name, JSON.stringify({ etag, text }));
    } catch (error) {
      log.warn(`not kept: ${getStack(error)}`);
    }
  }
}
