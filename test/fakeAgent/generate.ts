import { version2Update } from './generateVersion2';
import { prose } from './prose';
import type { Json, Mix } from './scenario';

/** Updates per turn in the `mixed` mix. */
const turnLength = 20;

/**
 * The `index`th update of a generated conversation, deterministic for each index. The lines of
 * `mixed` updates, and of `version2`, are about 390 bytes long, like those of a real agent.
 */
export function generatedUpdate(index: number, mix: Mix): Json {
  switch (mix) {
    case 'mixed':
      return mixedUpdate(Math.floor(index / turnLength), index % turnLength);
    case 'version2':
      return version2Update(Math.floor(index / turnLength), index % turnLength);
    case 'text':
      return text('agent_message_chunk', `m`, prose(index, 180));
    case 'messages':
      return text(
        index % 2 === 0 ? 'user_message_chunk' : 'agent_message_chunk',
        `m${index}`,
        `Message ${index}. ${prose(index, 160)}`,
      );
  }
}

function mixedUpdate(turn: number, step: number): Json {
  const seed = turn * turnLength + step;
  const call = `call-${turn}-${step < 15 ? 1 : 2}`;
  switch (step) {
    case 0:
      return text('user_message_chunk', `u${turn}`, `Question ${turn}. ${prose(seed, 130)}`);
    case 1:
    case 2:
    case 3:
      return text('agent_thought_chunk', `t${turn}`, prose(seed, 160));
    case 6:
      return toolCall(call, `Search for “needle ${turn}”`, 'search', turn);
    case 7:
      return { sessionUpdate: 'tool_call_update', toolCallId: call, status: 'in_progress' };
    case 8:
      return toolResult(call, [
        { type: 'content', content: { type: 'text', text: prose(seed, 330) } },
      ]);
    case 9:
      return plan(turn);
    case 15:
      return toolCall(call, `Edit file-${turn % 50}.ts`, 'edit', turn);
    case 16:
      return toolResult(call, [
        {
          type: 'diff',
          path: `/projectspace/src/file-${turn % 50}.ts`,
          oldText: `export const value = ${turn};\n// ${prose(seed, 170)}\n`,
          newText: `export const value = ${turn + 1};\n// ${prose(seed + 1, 190)}\n`,
        },
      ]);
    default:
      return text('agent_message_chunk', `a${turn}-${step < 9 ? 1 : 2}`, prose(seed, 190));
  }
}

function text(sessionUpdate: string, messageId: string, value: string): Json {
  return { sessionUpdate, messageId, content: { type: 'text', text: value } };
}

function toolCall(toolCallId: string, title: string, kind: string, turn: number): Json {
  const path = `/projectspace/src/file-${turn % 50}.ts`;
  return {
    sessionUpdate: 'tool_call',
    toolCallId,
    title,
    kind,
    status: 'pending',
    locations: [{ path, line: (turn % 90) + 1 }],
    rawInput: { path, pattern: `needle ${turn}`, recursive: true, reason: prose(turn, 60) },
  };
}

function toolResult(toolCallId: string, content: Json): Json {
  return { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', content };
}

function plan(turn: number): Json {
  const status = ['pending', 'in_progress', 'completed'] as const;
  return {
    sessionUpdate: 'plan',
    entries: [0, 1, 2].map((step) => ({
      content: `Step ${step + 1} of turn ${turn}: ${prose(turn + step, 30)}`,
      priority: 'medium',
      status: status[(turn + step) % 3] ?? 'pending',
    })),
  };
}
