import { prose } from './prose';
import type { Json } from './scenario';

/**
 * The updates of a generated conversation over version 2 of the protocol, 20 a turn: the texts of `mixed`, told by
 * upserts and chunks, with a command in a terminal of the agent's, and the state of the session around each turn.
 */
export function version2Update(turn: number, step: number): Json {
  const seed = turn * 20 + step;
  const [search, edit, run] = [`call-${turn}-1`, `call-${turn}-2`, `call-${turn}-3`];
  const terminal = `terminal-${turn}`;
  switch (step) {
    case 0:
      return message('user_message', `u${turn}`, `Question ${turn}. ${prose(seed, 200)}`);
    case 1:
      return { sessionUpdate: 'state_update', state: 'running' };
    case 2:
      return chunk('agent_thought_chunk', `t${turn}`, prose(seed, 260));
    case 3:
      // Replaces what the chunk before it said.
      return message('agent_thought', `t${turn}`, prose(seed - 1, 300));
    case 6:
      return toolCall(search, `Search for “needle ${turn}”`, 'search', turn);
    case 7:
      return toolCallUpdate(search, { status: 'in_progress' });
    case 8:
      return {
        sessionUpdate: 'tool_call_content_chunk',
        toolCallId: search,
        content: { type: 'content', content: { type: 'text', text: prose(seed, 380) } },
      };
    case 9:
      return toolCallUpdate(search, { status: 'completed', rawOutput: { matches: turn % 7 } });
    case 10:
      return plan(turn);
    case 12:
      return toolCall(edit, `Edit file-${turn % 50}.ts`, 'edit', turn);
    case 13:
      return toolCallUpdate(edit, { status: 'completed', content: [diff(turn, seed)] });
    case 14:
      return toolCallUpdate(run, {
        title: `npm test -- file-${turn % 50}`,
        kind: 'execute',
        status: 'in_progress',
        content: [{ type: 'terminal', terminalId: terminal }],
      });
    case 15:
      return {
        sessionUpdate: 'terminal_update',
        terminalId: terminal,
        command: `npm test -- file-${turn % 50}`,
        cwd: '/projectspace',
      };
    case 16:
      return {
        sessionUpdate: 'terminal_output_chunk',
        terminalId: terminal,
        data: base64(`${prose(seed, 330)}\n`),
      };
    case 17:
      return {
        sessionUpdate: 'terminal_update',
        terminalId: terminal,
        exitStatus: { exitCode: 0 },
      };
    case 19:
      return { sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' };
    default:
      return chunk('agent_message_chunk', `a${turn}-${step < 9 ? 1 : 2}`, prose(seed, 330));
  }
}

/** A message of the agent's as a whole, with another text each time. */
export function replacedMessage(messageId: string, round: number): Json {
  return message('agent_message', messageId, `Draft ${round}. ${prose(round, 300)}`);
}

function message(sessionUpdate: string, messageId: string, text: string): Json {
  return { sessionUpdate, messageId, content: [{ type: 'text', text }] };
}

function chunk(sessionUpdate: string, messageId: string, text: string): Json {
  return { sessionUpdate, messageId, content: { type: 'text', text } };
}

function toolCall(toolCallId: string, title: string, kind: string, turn: number): Json {
  const path = `/projectspace/src/file-${turn % 50}.ts`;
  return toolCallUpdate(toolCallId, {
    title,
    kind,
    status: 'pending',
    locations: [{ path, line: (turn % 90) + 1 }],
    rawInput: { path, pattern: `needle ${turn}`, recursive: true, reason: prose(turn, 60) },
  });
}

function toolCallUpdate(toolCallId: string, fields: { readonly [key: string]: Json }): Json {
  return { sessionUpdate: 'tool_call_update', toolCallId, ...fields };
}

function diff(turn: number, seed: number): Json {
  const path = `/projectspace/src/file-${turn % 50}.ts`;
  const patch = [
    `diff --git ${path} ${path}`,
    'index 3b18e51..a5bce3f 100644',
    `--- ${path}`,
    `+++ ${path}`,
    '@@ -1,2 +1,2 @@',
    `-export const value = ${turn};`,
    `-// ${prose(seed, 170)}`,
    `+export const value = ${turn + 1};`,
    `+// ${prose(seed + 1, 190)}`,
  ];
  return {
    type: 'diff',
    changes: [{ operation: 'modify', path, fileType: 'text' }],
    patch: { format: 'git_patch', text: `${patch.join('\n')}\n` },
  };
}

function plan(turn: number): Json {
  const status = ['pending', 'in_progress', 'completed'] as const;
  return {
    sessionUpdate: 'plan_update',
    plan: {
      type: 'items',
      planId: 'plan',
      entries: [0, 1, 2].map((step) => ({
        content: `Step ${step + 1} of turn ${turn}: ${prose(turn + step, 30)}`,
        priority: 'medium',
        status: status[(turn + step) % 3] ?? 'pending',
      })),
    },
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
