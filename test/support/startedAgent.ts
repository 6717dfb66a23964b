import { PassThrough } from 'node:stream';
import type { Transport } from '../../src/protocol/agentTransport';
import { spawnAgent } from '../../src/protocol/transport/stdio';
import { FakeAgent } from '../fakeAgent/agent';
import type { AgentHost } from '../fakeAgent/host';
import { fakeAgent, type Scenario } from '../fakeAgent/scenario';
import { inMemoryTransports } from './inMemoryTransport';

/** What only a process of its own has: an id, signals, stderr, an end even while it waits, and a pipe that fills up. */
const ofProcess = new RegExp(
  `"(?:${[
    ...['pidFile', 'ignoreTerm', 'ignoreStdinEnd', 'ownIds', 'watch', 'generate', 'bigLine'],
    ...['stderr', 'stderrBytes', 'grandchild', 'withoutVariable', 'repeat', 'closeStdout'],
    ...['stopReading', 'exit', 'kill', 'waitMs', 'waitForFile'],
  ].join('|')})":`,
);

/** The fake agent at the other end of a transport: in this process, unless its scenario needs one of its own. */
export function startedAgent(
  scenario: Scenario,
  options: { readonly graceMs?: number } = {},
): Transport {
  if (ofProcess.test(JSON.stringify(scenario))) {
    return spawnAgent({ ...fakeAgent(scenario), ...options });
  }
  const [client, own] = inMemoryTransports();
  const input = new PassThrough();
  own.onData((bytes) => input.write(bytes));
  own.onEnd(() => input.end());
  const without = (): never => {
    throw new Error('An agent in the process of the test has none of its own');
  };
  const end = new AbortController();
  const host: AgentHost = {
    ...{ input, env: process.env, cwd: process.cwd(), ended: end.signal },
    // Like a pipe that nobody reads any more.
    write: (bytes) => own.write(bytes).catch(() => undefined),
    ...{ writeError: without, closeOutput: without, kill: without },
    exit: () => end.abort(),
  };
  // As what a process would read it.
  new FakeAgent(JSON.parse(JSON.stringify(scenario)) as Scenario, host).run();
  return client;
}
