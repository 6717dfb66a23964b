import type { AgentCapabilities } from '../agentConnection';
import { AcpError } from '../errors';
import type { AgentRpc, RequestOptions } from './agentRpc';

/** Requests that need a capability. A -32601 removes that capability for the rest of the connection (T-38). */
export class Calls {
  readonly #rpc: AgentRpc;
  #capabilities: AgentCapabilities;

  constructor(rpc: AgentRpc, capabilities: AgentCapabilities) {
    this.#rpc = rpc;
    this.#capabilities = capabilities;
  }

  get capabilities(): AgentCapabilities {
    return this.#capabilities;
  }

  /** Without the capability, rejects with `unsupported` and sends nothing. */
  async call(
    capability: keyof AgentCapabilities,
    method: string,
    params: object,
    options: RequestOptions,
  ): Promise<unknown> {
    this.check(capability, method);
    try {
      return await this.#rpc.request(method, params, options);
    } catch (error) {
      if (error instanceof AcpError && error.code === 'unsupported') {
        this.#capabilities = { ...this.#capabilities, [capability]: false };
      }
      throw error;
    }
  }

  check(capability: keyof AgentCapabilities, method: string): void {
    if (!this.#capabilities[capability]) {
      throw new AcpError('unsupported', `The agent does not offer ${method}`);
    }
  }
}
