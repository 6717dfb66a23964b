import { maxItems } from '../../protocol/bounds';
import type { PlanItem } from '../../shared/transcript/content';
import { isObject } from '../../util/json';

/**
 * The protocol leaves a tool's raw input and output to the agent; this reads the common
 * conventions.
 */

/** Keys under which agents put a tool's result or error text. */
const textKeys = ['output', 'content', 'text', 'error', 'message'] as const;

/** The result text of a tool, if its raw output has one. */
export function resultText(rawOutput: unknown): string | undefined {
  if (typeof rawOutput === 'string') {
    return rawOutput;
  }
  if (Array.isArray(rawOutput)) {
    return textsIn(rawOutput);
  }
  if (!isObject(rawOutput)) {
    return undefined;
  }
  for (const key of textKeys) {
    const value = rawOutput[key];
    const text = Array.isArray(value) ? textsIn(value) : value;
    if (typeof text === 'string') {
      return text;
    }
  }
  return undefined;
}

/**
 * Content blocks, as MCP tools return them; `undefined` unless all are text. A list too long to be
 * read with each change is shown as the raw output that it is.
 */
function textsIn(blocks: readonly unknown[]): string | undefined {
  if (blocks.length > maxItems) {
    return undefined;
  }
  const texts = blocks.flatMap((block) =>
    isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string'
      ? [block['text']]
      : [],
  );
  return texts.length > 0 && texts.length === blocks.length ? texts.join('\n') : undefined;
}

/**
 * The exit code of a command, if its raw output has one: agents report `completed` regardless of
 * it.
 */
export function exitCodeIn(rawOutput: unknown): number | undefined {
  if (!isObject(rawOutput)) {
    return undefined;
  }
  const { metadata, contents, exit_code, exitCode } = rawOutput;
  const inContents =
    Array.isArray(contents) && isObject(contents[0]) ? contents[0]['exitCode'] : undefined;
  const inMetadata = isObject(metadata) ? metadata['exit'] : undefined;
  return [exitCode, exit_code, inMetadata, inContents].find((code) => Number.isInteger(code)) as
    | number
    | undefined;
}

const statuses: Readonly<Record<string, PlanItem['status']>> = {
  pending: 'pending',
  in_progress: 'in_progress',
  completed: 'completed',
};
const mostTodos = 200;
const longestTodo = 1_000;

/** The items of a to-do tool's call, which most agents send instead of a plan. */
export function todosIn(rawInput: unknown): readonly PlanItem[] | undefined {
  const todos = isObject(rawInput) ? rawInput['todos'] : undefined;
  if (!Array.isArray(todos) || todos.length === 0 || todos.length > mostTodos) {
    return undefined;
  }
  const items = todos.map(todoItem);
  return items.every((item) => item !== undefined) ? items : undefined;
}

function todoItem(todo: unknown): PlanItem | undefined {
  if (!isObject(todo)) {
    return undefined;
  }
  const { content, description, status, priority } = todo;
  const text = typeof content === 'string' ? content : description;
  const known =
    typeof status === 'string' && Object.hasOwn(statuses, status) ? statuses[status] : undefined;
  return typeof text !== 'string' || text.length > longestTodo || known === undefined
    ? undefined
    : {
        content: text,
        status: known,
        priority: priority === 'high' || priority === 'low' ? priority : 'medium',
      };
}
