import assert from 'node:assert/strict';
import type { Agent } from '../../../src/model/agent';
import type { Session, SessionLimits } from '../../../src/model/session';
import { Sessions } from '../../../src/model/sessions';
import type { Failure } from '../../../src/shared/failure';
import { type Bench, bench, type FakeConnection, session, silentLog } from './fakes';

export interface SessionBench extends Bench {
  readonly agent: Agent;
  readonly sessions: Sessions;
  /** The session `s0`, opened and not loaded. */
  readonly session: Session;
}

/** An hour: a test that waits for a limit sets its own. */
const limits: SessionLimits = { stallMs: 3_600_000, leftoversMs: 3_600_000 };

export function sessionBench(
  prepare: (connection: FakeConnection) => void = () => undefined,
  own: Partial<SessionLimits> = {},
): SessionBench {
  const made = bench(['demo'], prepare);
  const agent = made.agents.get('demo');
  assert.ok(agent);
  const sessions = new Sessions({
    agents: made.agents,
    log: silentLog,
    limits: { ...limits, ...own },
  });
  const opened = sessions.open(agent, session('s0', { title: 'First' }));
  return Object.assign(made, { agent, sessions, session: opened });
}

/** The texts of a session's messages. */
export function texts({ transcript }: Session): string[] {
  return transcript.entries.map((entry) =>
    'blocks' in entry
      ? entry.blocks.map((block) => (block.type === 'text' ? block.text : block.type)).join('')
      : entry.kind,
  );
}

/** Has the agent replay these texts, as messages of their own. */
export function replays(connection: FakeConnection, ...messages: readonly string[]): void {
  connection.replay = ({ sessionId }) => {
    for (const [index, text] of messages.entries()) {
      connection.send(sessionId, {
        sessionUpdate: 'agent_message_chunk',
        messageId: `${index}`,
        content: { type: 'text', text },
      });
    }
  };
}

/** The failure that a session is in. */
export function failureOf({ phase }: Session): Failure {
  assert.ok(phase.kind === 'failed', `the phase is ${phase.kind}`);
  return phase.failure;
}
