import { agentProtocolRouter } from '@agentclientprotocol/sdk/experimental/v2/unstable';
import type { Stream } from '@agentclientprotocol/sdk/unstable';
import { type AgentOptions, DemoService } from './service';
import type { SessionStore } from './store/store';
import { version1Agent } from './v1/agent';
import { version2Agent } from './v2/agent';

/** The demo agent, and a function that shuts it down. */
export interface DemoAgent {
  /** Serves the only client; `closed` resolves once that is gone. */
  readonly connect: (stream: Stream) => { readonly closed: Promise<unknown> };
  /** Cancels all turns and waits until everything is written. */
  readonly close: () => Promise<void>;
}

/**
 * An agent that serves a store's sessions over one connection, in the highest version that both it and the client
 * speak.
 */
export function createDemoAgent(store: SessionStore, options: AgentOptions): DemoAgent {
  const service = new DemoService(store, options);
  const router = agentProtocolRouter()
    .withV2(version2Agent(service))
    .withV1(version1Agent(service));
  return {
    connect: (stream) => router.connect(stream),
    close: () => service.sessions.closeAll(),
  };
}
