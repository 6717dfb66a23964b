import { agentProtocolRouter } from '@agentclientprotocol/sdk/experimental/v2/unstable';
import type { Stream } from '@agentclientprotocol/sdk/unstable';
import { type AgentOptions, DemoService } from './service';
import type { SessionStore } from './store/store';
import { version1Agent } from './v1/agent';
import { version2Agent } from './v2/agent';

/** Which versions of the protocol the agent speaks. */
export const spokenVersions = ['1', '2', 'both'] as const;
export type SpokenVersions = (typeof spokenVersions)[number];

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
export function createDemoAgent(
  store: SessionStore,
  { versions, ...options }: AgentOptions & { readonly versions: SpokenVersions },
): DemoAgent {
  const service = new DemoService(store, options);
  const second = version2Agent(service);
  return {
    connect: (stream) => {
      const first = version1Agent(service);
      // An agent of version 1 has no router, and takes its own members of a request that offers more.
      if (versions === '1') {
        return first.connect(stream);
      }
      const router = agentProtocolRouter().withV2(second);
      return (versions === '2' ? router : router.withV1(first)).connect(stream);
    },
    close: () => service.sessions.closeAll(),
  };
}
