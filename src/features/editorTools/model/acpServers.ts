import { randomUUID } from 'node:crypto';
import type { Log } from '../../../model/ports';
import { serverNotFound } from '../../../model/session/ownServers';
import type { McpOutcome, McpRequest } from '../../../protocol/agentRequests';
import { refusal } from '../../../protocol/refusal';
import { getStack } from '../../../util/getStack';
import { isObject } from '../../../util/json';
import type { McpAnswers } from './mcpAnswers';
import { Offer } from './offers';

/** Requests to one server that aren't answered yet. */
const maxRequests = 16;

interface AcpServer {
  readonly agentId: string;
  readonly offer: Offer;
  /** The ids of the requests that aren't answered yet. */
  readonly asked: Set<string>;
}

/** The servers that agents reach by their own connection (`mcp/message`), one for each opening of a session. */
export class AcpServers {
  readonly #answers: McpAnswers;
  readonly #log: Log;
  readonly #servers = new Map<string, AcpServer>();

  constructor(answers: McpAnswers, log: Log) {
    this.#answers = answers;
    this.#log = log;
  }

  /** A server for a session of this agent, until it is withdrawn. */
  offer(agentId: string): { readonly serverId: string; readonly offer: Offer } {
    const [serverId, offer] = [randomUUID(), new Offer()];
    offer.way = 'acp';
    this.#servers.set(serverId, { agentId, offer, asked: new Set() });
    return { serverId, offer };
  }

  /** Ends its calls; from now on there is no such server. */
  withdraw(serverId: string): void {
    this.#servers.get(serverId)?.offer.withdraw();
    this.#servers.delete(serverId);
  }

  /** Rejects if the agent has no such server, asks with an id twice, or too much at once. */
  async answer(
    agentId: string,
    { serverId, requestId, method, params }: McpRequest,
    signal: AbortSignal,
  ): Promise<McpOutcome> {
    const server = this.#servers.get(serverId);
    if (server?.agentId !== agentId) {
      throw serverNotFound();
    }
    const { asked, offer } = server;
    if (asked.has(requestId)) {
      throw refusal('invalidParams', 'requestId is that of a request that is not answered yet');
    }
    if (asked.size >= maxRequests) {
      throw refusal('serverBusy', `${maxRequests} requests are not answered yet`);
    }
    asked.add(requestId);
    try {
      const message = { jsonrpc: '2.0', id: requestId, method, ...(params && { params }) };
      return outcomeOf(await this.#answers.answer(message, offer, signal));
    } catch (error) {
      this.#log.warn(`An MCP request failed: ${getStack(error)}`);
      throw refusal('serverFailed', 'The answer failed', { cause: error });
    } finally {
      asked.delete(requestId);
    }
  }
}

function outcomeOf(answer: object | undefined): McpOutcome {
  const { result, error } = isObject(answer) ? answer : {};
  if (isObject(error)) {
    return { error };
  }
  if (!isObject(result)) {
    throw new Error('The server gave no answer');
  }
  return { result };
}
