import type { McpServer } from '../../protocol/agentConnection';
import { inputsOf, type McpDefinitions, type McpInput } from './mcpSettings';

/** The part of VS Code's `SecretStorage` that is needed. */
export interface Secrets {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
  keys(): PromiseLike<string[]>;
}

/** `undefined`: the person gave none. */
export type AskForInput = (input: McpInput) => Promise<string | undefined>;

const prefix = 'mcp.input:';

/** What a person has given for `${input:id}`: asked for once, kept in the secret storage (MCP-7). */
export class McpInputs {
  readonly #secrets: Secrets;
  readonly #ask: AskForInput;
  /** Keys of those that weren't given: not asked for again until the window is loaded again. */
  readonly #declined = new Set<string>();

  constructor(secrets: Secrets, ask: AskForInput) {
    this.#secrets = secrets;
    this.#ask = ask;
  }

  /** Those that the servers need and a person gives; `scope` keeps those of one folder from another's. */
  async of(
    servers: readonly McpServer[],
    inputs: McpDefinitions['inputs'],
    scope: string,
  ): Promise<ReadonlyMap<string, string>> {
    const values = new Map<string, string>();
    for (const id of new Set(servers.flatMap(inputsOf))) {
      // One that nobody has described is taken for a secret.
      const input = inputs.get(id) ?? { id, description: id, password: true };
      const value = await this.#valueOf(`${prefix}${scope}:${id}`, input);
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

  async #valueOf(key: string, input: McpInput): Promise<string | undefined> {
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
