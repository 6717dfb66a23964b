import { createHash } from 'node:crypto';
import type { AgentConfig, Log } from '../../model/ports';
import { apiKeyVariables } from '../../protocol/apiKeyVariables';
import { getStack } from '../../util/getStack';
import { isObject, parseJson } from '../../util/json';
import type { Secrets } from './secrets';

/**
 * The API keys that the user has entered to log in to agents, kept only in VS Code's secret
 * storage.
 */
export class ApiKeys {
  readonly #secrets: Secrets;
  readonly #log: Log;

  constructor(secrets: Secrets, log: Log) {
    this.#secrets = secrets;
    this.#log = log;
  }

  /**
   * The keys to start this agent with, by variable. Never rejects: an agent can start without them
   * too.
   */
  async getEnvironment(config: AgentConfig): Promise<Readonly<Record<string, string>>> {
    try {
      const keys = await Promise.all(
        apiKeyVariables.map(async (name) => [name, await this.#findKey(config, name)] as const),
      );
      return Object.fromEntries(
        keys.filter((entry): entry is readonly [string, string] => entry[1] !== undefined),
      );
    } catch (error) {
      this.#log.warn(`${config.id}: the secret storage can't be read: ${getStack(error)}`);
      return {};
    }
  }

  async store(config: AgentConfig, variable: string, key: string): Promise<void> {
    const value = JSON.stringify({ start: getStart(config), key });
    await this.#secrets.store(getName(config.id, variable), value);
  }

  /**
   * Deletes the agent's keys for these variables, by default all; resolves to whether there was
   * one.
   */
  async forget(agentId: string, variables: readonly string[] = apiKeyVariables): Promise<boolean> {
    const names = variables.map((variable) => getName(agentId, variable));
    const kept = await Promise.all(names.map((name) => this.#secrets.get(name)));
    await Promise.all(names.map((name) => this.#secrets.delete(name)));
    return kept.some((value) => value !== undefined);
  }

  async #findKey(config: AgentConfig, variable: string): Promise<string | undefined> {
    const kept = parseJson((await this.#secrets.get(getName(config.id, variable))) ?? 'null');
    if (!isObject(kept) || typeof kept['key'] !== 'string') {
      return undefined;
    }
    if (kept['start'] !== getStart(config)) {
      this.#log.warn(
        `${config.id}: the stored key ${variable} was entered for a different start configuration and is not used`,
      );
      return undefined;
    }
    return kept['key'];
  }
}

function getName(agentId: string, variable: string): string {
  return `acpSessions.apiKey.${agentId}.${variable}`;
}

/**
 * A workspace can configure another program, or another server, under the same id: it must not get
 * the key.
 */
function getStart({ command, args, env, cwd }: AgentConfig): string {
  const start = [command, args, Object.entries(env).sort(), cwd];
  return createHash('sha256').update(JSON.stringify(start)).digest('hex');
}
