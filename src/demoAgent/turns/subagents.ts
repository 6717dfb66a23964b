import { randomUUID } from 'node:crypto';
import type { StateUpdate, SubagentUpdate } from '@agentclientprotocol/sdk/unstable';
import type { DemoUpdate } from '../vocabulary/updates';
import type { DemoTurn } from './turn';

/** How agents tell of their subagents; `earlier` is a draft that some still send. */
export const subagentShapes = ['sessions', 'earlier', 'calls'] as const;
export type SubagentShape = (typeof subagentShapes)[number];

/** A subagent's title, its task, and what it does. */
export interface SubagentScript {
  readonly title: string;
  readonly task: string;
  readonly run: (turn: DemoTurn) => Promise<void>;
}

/** Runs a subagent to its end; a canceled one ends without an error. */
export async function runSubagent(
  turn: DemoTurn,
  shape: SubagentShape,
  script: SubagentScript,
): Promise<void> {
  await (shape === 'calls' ? runInCall(turn, script) : runInSession(turn, shape, script));
}

async function runInSession(
  turn: DemoTurn,
  shape: 'sessions' | 'earlier',
  { title, task, run }: SubagentScript,
): Promise<void> {
  const sessionId = randomUUID();
  const cancel = new AbortController();
  const { subagents } = turn.session;
  subagents.set(sessionId, cancel);
  const tell = (state: StateUpdate): Promise<void> =>
    turn.send(
      shape === 'sessions' ? stateUpdate(sessionId, state) : earlierState(sessionId, state),
    );
  await turn.send(
    shape === 'sessions'
      ? announcement(sessionId, title, task)
      : earlierAnnouncement(sessionId, title, task),
  );
  const isOver = turn.beside({ type: 'subagent', sessionId });
  const child = turn.subagent({ session: sessionId }, cancel.signal);
  try {
    await child.send(told(shape, turn.sessionId, sessionId, task));
    await run(child);
    await tell({ state: 'idle', stopReason: 'end_turn' });
  } catch (error) {
    if (!cancel.signal.aborted || turn.signal.aborted) {
      throw error;
    }
    await tell({ state: 'idle', stopReason: 'cancelled' });
  } finally {
    subagents.delete(sessionId);
    isOver();
  }
}

async function runInCall(turn: DemoTurn, { title, task, run }: SubagentScript): Promise<void> {
  const tool = await turn.tool({ title, kind: 'think', name: 'Task', input: { prompt: task } });
  await tool.update({ status: 'in_progress' });
  await run(turn.subagent({ call: tool.id }, turn.signal));
  await tool.complete();
}

function announcement(sessionId: string, title: string, description: string): DemoUpdate {
  const update: SubagentUpdate = {
    sessionId,
    title,
    description,
    capabilities: { cancel: {} },
    state: { state: 'running' },
  };
  return { sessionUpdate: 'subagent_update', ...update };
}

function stateUpdate(sessionId: string, state: StateUpdate): DemoUpdate {
  return { sessionUpdate: 'subagent_update', sessionId, state };
}

function earlierAnnouncement(subagentSessionId: string, name: string, task: string): DemoUpdate {
  const capabilities = { cancel: true };
  return earlier({
    sessionUpdate: 'subagent_spawned',
    subagentSessionId,
    name,
    task,
    capabilities,
  });
}

function earlierState(subagentSessionId: string, state: StateUpdate): DemoUpdate {
  const isCancelled = 'stopReason' in state && state.stopReason === 'cancelled';
  const ended = isCancelled ? 'cancelled' : 'completed';
  return earlier({ sessionUpdate: 'subagent_state_update', subagentSessionId, state: ended });
}

/** The SDK knows only the current kinds. */
function earlier(update: Readonly<Record<string, unknown>>): DemoUpdate {
  return update as unknown as DemoUpdate;
}

/** The task, as the subagent was told. */
function told(shape: SubagentShape, parent: string, child: string, task: string): DemoUpdate {
  const content = { type: 'text', text: task } as const;
  const messageId = randomUUID();
  return shape === 'sessions'
    ? {
        sessionUpdate: 'session_message',
        messageId,
        senderSessionId: parent,
        recipientSessionId: child,
        content: [content],
      }
    : { sessionUpdate: 'user_message_chunk', messageId, content };
}
