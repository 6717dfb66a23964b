import { maxItems } from '../../protocol/bounds';
import { isPrinted, type PlanItem, type ToolKind } from '../../shared/transcript/content';
import type { ToolCallEntry } from '../../shared/transcript/entries';
import { isObject, type JsonObject } from '../../util/json';
import { parsedJson } from './parsedJson';

/**
 * The protocol leaves a tool's raw input and output to the agent; this reads the common
 * conventions.
 */

/** Keys under which agents put a tool's result, the fullest first. */
const textKeys = [
  'formatted_output',
  'aggregated_output',
  'aggregatedOutput',
  'output',
  'result',
  'content',
  'text',
] as const;
const errorKeys = ['error', 'message'] as const;
/** The keys of a result: JSON in a text that has only these is no text that a tool has read. */
const resultKeys: ReadonlySet<string> = new Set([
  ...['query', 'result', 'output', 'error', 'success', 'stdout', 'stderr', 'metadata'],
  ...['formatted_output', 'aggregated_output', 'exit_code', 'exitCode', 'is_error', 'isError'],
  ...['duration', 'duration_ms', 'durationMs'],
]);
/** A result that has only some of these says nothing. */
const tellingKeys = ['result', 'error', 'stdout', 'stderr', 'formatted_output', 'output'] as const;

/** Depth to which a result is read inside others. */
const deepest = 6;

/** The result text of a tool, if its raw output has one, whichever way it is put. */
export function resultText(rawOutput: unknown): string | undefined {
  return findText(getResult(rawOutput), deepest);
}

/** Results are parsed once, however often their row is drawn. */
let latest: { readonly text: string; readonly result: unknown } | undefined;

/** A raw output, or what it says if it is the text of one. */
function getResult(rawOutput: unknown): unknown {
  if (typeof rawOutput !== 'string' || !/^\s*[[{]/.test(rawOutput)) {
    return rawOutput;
  }
  if (latest?.text !== rawOutput) {
    const parsed = parsedJson(rawOutput);
    latest = { text: rawOutput, result: isResult(parsed) ? parsed : rawOutput };
  }
  return latest.result;
}

function isResult(value: unknown): boolean {
  return Array.isArray(value)
    ? value.length > 0 && value.every((item) => isObject(item) && isResult(item))
    : isObject(value) &&
        Object.keys(value).every((key) => resultKeys.has(key)) &&
        tellingKeys.some((key) => typeof value[key] === 'string');
}

function findText(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') {
    const inner = depth === deepest ? value : getResult(value);
    return typeof inner === 'string' ? inner : findText(inner, depth - 1);
  }
  if (depth === 0) {
    return undefined;
  }
  if (Array.isArray(value)) {
    return textsIn(value, depth - 1);
  }
  return isObject(value) ? textIn(value, depth - 1) : undefined;
}

function textIn(result: JsonObject, depth: number): string | undefined {
  const said = textKeys
    .map((key) => findText(result[key], depth))
    .find((text) => text !== undefined && text !== '');
  const text = said ?? streamsIn(result) ?? emptyIn(result);
  const error = errorKeys.map((key) => findText(result[key], depth)).find((found) => found);
  if (error === undefined || (text && (text.includes(error) || !isFailed(result)))) {
    return text;
  }
  return text ? `${text}\n${error}` : error;
}

/** What a command has printed, in both streams. */
function streamsIn({ stdout, stderr }: JsonObject): string | undefined {
  const texts = [stdout, stderr].filter((text) => typeof text === 'string');
  const [first = '', second = ''] = texts.filter((text) => text !== '');
  const gap = second === '' || first.endsWith('\n') ? '' : '\n';
  return texts.length === 0 ? undefined : `${first}${gap}${second}`;
}

/** A result that is there, but empty. */
function emptyIn(result: JsonObject): string | undefined {
  return textKeys.some((key) => result[key] === '') ? '' : undefined;
}

/**
 * Content blocks, as MCP tools return them, or results of several queries; `undefined` unless all are text. A list too
 * long to be read with each change is shown as the raw output that it is.
 */
function textsIn(items: readonly unknown[], depth: number): string | undefined {
  if (items.length > maxItems) {
    return undefined;
  }
  const texts = items.map((item) => itemText(item, items.length, depth));
  return texts.length > 0 && texts.every((text) => text !== undefined)
    ? texts.join('\n')
    : undefined;
}

/** A text of a list, after what was asked for if there are several. */
function itemText(item: unknown, count: number, depth: number): string | undefined {
  if (!isObject(item)) {
    return typeof item === 'string' ? item : undefined;
  }
  const { type, text, query } = item;
  if (type !== undefined) {
    return type === 'text' && typeof text === 'string'
      ? text
      : type === 'content'
        ? findText(item['content'], depth)
        : undefined;
  }
  const result = findText(item, depth);
  return count > 1 && typeof query === 'string' && result !== undefined
    ? `${query}\n${result}`
    : result;
}

/**
 * The exit code of a command, if its raw output has one: agents report `completed` regardless of
 * it.
 */
export function exitCodeIn(rawOutput: unknown): number | undefined {
  const result = getResult(rawOutput);
  const [first] = Array.isArray(result) ? (result as readonly unknown[]) : [result];
  if (!isObject(first)) {
    return undefined;
  }
  const { metadata, contents } = first;
  const [content] = Array.isArray(contents) ? (contents as readonly unknown[]) : [];
  return [first, metadata, content].map(codeIn).find((code) => code !== undefined);
}

const codeKeys = ['exitCode', 'exit_code', 'exit', 'returncode', 'return_code'] as const;

function codeIn(value: unknown): number | undefined {
  return isObject(value)
    ? (codeKeys.map((key) => value[key]).find((code) => Number.isInteger(code)) as
        | number
        | undefined)
    : undefined;
}

/** Whether a tool failed, by its raw output: agents report `completed` regardless of it. */
export function hasFailed(rawOutput: unknown, kind: ToolKind): boolean {
  const result = getResult(rawOutput);
  const results = Array.isArray(result) ? result.slice(0, maxItems) : [result];
  return (
    isFailure(exitCodeIn(rawOutput) ?? null, kind) ||
    results.some((one) => isObject(one) && isFailed(one))
  );
}

/** Whether an exit code means a failure; a search that has found nothing hasn't failed. */
export function isFailure(exitCode: number | null, kind: ToolKind): boolean {
  return exitCode !== null && exitCode !== 0 && !(kind === 'search' && exitCode === 1);
}

function isFailed(result: JsonObject): boolean {
  const { success, is_error, isError, error, result: inner } = result;
  if (success === false || is_error === true || isError === true) {
    return true;
  }
  const isOnlyError = typeof error === 'string' && error !== '' && success !== true;
  return isOnlyError && inner === undefined && textKeys.every((key) => !result[key]);
}

/** Whether a text of a call is what its tool has printed; Claude's adapters send the model's description in its place first. */
export function isPrintedIn({ toolKind, rawInput }: ToolCallEntry, text: string): boolean {
  const description = isObject(rawInput) ? rawInput['description'] : undefined;
  return text !== description && isPrinted(text, toolKind);
}

const statuses: Readonly<Record<string, PlanItem['status']>> = {
  pending: 'pending',
  in_progress: 'in_progress',
  completed: 'completed',
};
const maxTodos = 200;
const maxTodoLength = 1_000;

/** The items of a to-do tool's call, which most agents send instead of a plan. */
export function todosIn(rawInput: unknown): readonly PlanItem[] | undefined {
  const todos = isObject(rawInput) ? rawInput['todos'] : undefined;
  if (!Array.isArray(todos) || todos.length === 0 || todos.length > maxTodos) {
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
  return typeof text !== 'string' || text.length > maxTodoLength || known === undefined
    ? undefined
    : {
        content: text,
        status: known,
        priority: priority === 'high' || priority === 'low' ? priority : 'medium',
      };
}
