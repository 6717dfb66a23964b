import type { Secrets } from '../../../platform/storage/secrets';
import type { McpServer } from '../../../protocol/agentConnection';
import { shared } from '../../../util/async';
import { getInputs, type McpDefinitions, type McpInput } from './mcpSettings';

/** `undefined`: the user dismissed the prompt. */
export type AskForInput = (input: McpInput) => Promise<string | undefined>;

const prefix = 'mcp.input:';

/** The user's values for `${input:id}`: asked for once, kept in the secret storage (MCP-7). */
export class McpInputs {
  readonly #secrets: Secrets;
  readonly #ask: AskForInput;
  /**
   * Keys of declined inputs: not asked for again until the window is reloaded or `forget` is
   * called.
   */
  readonly #declined = new Set<string>();
  /** The values being looked up or asked for, by key, so that sessions that open together ask once. */
  readonly #pending = new Map<string, Promise<string | undefined>>();

  constructor(secrets: Secrets, ask: AskForInput) {
    this.#secrets = secrets;
    this.#ask = ask;
  }

  /**
   * The values that the servers need, without declined ones; `scope` separates the folders' values.
   */
  async of(
    servers: readonly McpServer[],
    inputs: McpDefinitions['inputs'],
    scope: string,
  ): Promise<ReadonlyMap<string, string>> {
    const values = new Map<string, string>();
    for (const id of new Set(servers.flatMap(getInputs))) {
      // An input without a definition is treated as a secret.
      const input = inputs.get(id) ?? { id, description: id, password: true };
      const value = await this.#getValue(`${prefix}${scope}:${id}`, input);
      if (value !== undefined) {
        values.set(id, value);
      }
    }
    return values;
  }

  async forget(): Promise<void> {
    this.#declined.clear();
    const keys = await this.#secrets.keys();
    await Promise.all(
      keys.filter((key) => key.startsWith(prefix)).map((key) => this.#secrets.delete(key)),
    );
  }

  #getValue(key: string, input: McpInput): Promise<string | undefined> {
    return shared(this.#pending, key, () => this.#findValue(key, input));
  }

  async #findValue(key: string, input: McpInput): Promise<string | undefined> {
    const kept = await this.#secrets.get(key);
    if (kept !== undefined || this.#declined.has(key)) {
      return kept;
    }
    const given = await this.#ask(input);
    if (given === undefined) {
      this.#declined.add(key);
    } else {
      await this.#secrets.store(key, given);
    }
    return given;
  }
}
