import { diffsIn, filesChangedIn, type ToolContent } from '../../shared/transcript/content';
import type { ToolCallEntry } from '../../shared/transcript/entries';
import { Effort } from '../../util/effort';
import { isObject, type JsonObject } from '../../util/json';
import { beginPatch, type FilePart } from './applyPatch';
import { findCommand, withoutCommand } from './commandLine';
import { parsedJson } from './parsedJson';
import { editKeys, editsIn, pathKeys, pathListKeys } from './saidEdits';
import { exitCodeIn, resultText } from './toolResults';

/** What of a call's raw input and output its row and its text don't show in other words: commands, changes, output. */

/** Characters of changes in which an input's texts are looked for. */
const searchEffort = 5_000_000;

/** The input without the command, the changes and the files that are shown; `undefined` if nothing else is in it. */
export function unshownInput(entry: ToolCallEntry): unknown {
  const { rawInput, toolKind } = entry;
  if (nonEmpty(rawInput) === undefined) {
    return undefined;
  }
  const input = parsedJson(rawInput) ?? rawInput;
  const shown = shownIn(entry);
  if (typeof input === 'string') {
    return shown.has('patch', input) ? undefined : input;
  }
  if (!isObject(input)) {
    return rawInput;
  }
  const hasCommand = toolKind === 'execute' && findCommand(input) !== undefined;
  const before = hasCommand ? withoutCommand(input) : input;
  const rest = unshownIn(before, shown);
  // The same value if all of it is left: it is formatted only once.
  return nonEmpty(rest === input ? rawInput : rest);
}

/** The raw output, unless all that it says is shown; `undefined` then. */
export function unshownOutput(entry: ToolCallEntry): unknown {
  return isOutputShown(entry) ? undefined : nonEmpty(entry.rawOutput);
}

/** A raw value, or `undefined` if it is empty. */
export function nonEmpty(raw: unknown): unknown {
  const isEmpty = typeof raw === 'object' && raw !== null && Object.keys(raw).length === 0;
  return raw === '' || isEmpty ? undefined : raw;
}

/** Whether the call's content has the same text, as it is or in a code fence. */
function isOutputShown({ rawOutput, content, terminalOutput }: ToolCallEntry): boolean {
  const text = resultText(rawOutput)?.trim();
  if (text === undefined) {
    return (
      isObject(rawOutput) &&
      Object.keys(rawOutput).length === 1 &&
      exitCodeIn(rawOutput) !== undefined
    );
  }
  const shown = content.map((item) =>
    item.type === 'content' && item.block.type === 'text'
      ? withoutFence(item.block.text)
      : item.type === 'terminal'
        ? (terminalOutput?.get(item.terminalId) ?? '')
        : '',
  );
  return shown.some((other) => other.trim() === text);
}

/**
 * The inside of a text that is one fenced block. Without a regular expression for the whole, so the
 * cost is linear.
 */
export function withoutFence(text: string): string {
  const whole = text.trim();
  const fence = /^(?:`{3,100}|~{3,100})(?![`~])/.exec(whole)?.[0];
  const start = whole.indexOf('\n') + 1;
  const end = whole.length - (fence?.length ?? 0);
  if (fence === undefined || start === 0 || end < start || !whole.endsWith(fence)) {
    return text;
  }
  return whole.slice(start, end).replace(/\n$/, '');
}

interface Shown {
  /** Whether the text under this key of an input is shown. */
  has(key: string, text: string): boolean;
}

const paths: ReadonlySet<string> = new Set([...pathKeys, ...pathListKeys]);
const edits: ReadonlySet<string> = new Set(editKeys);

function shownIn({ title, content, locations, rawInput, toolKind }: ToolCallEntry): Shown {
  const files = new Set([...filesChangedIn(content), ...locations.map(({ path }) => path)]);
  const texts = new Set(
    content.flatMap((item) =>
      item.type === 'content' && item.block.type === 'text' ? [item.block.text] : [],
    ),
  );
  const [said] = editsIn(rawInput, toolKind);
  const isPatchShown = said !== undefined && content.some((part) => isSame(part, said));
  const effort = new Effort(searchEffort);
  const isInChange = (text: string): boolean =>
    diffsIn(content).some(({ oldText, newText }) => {
      effort.spend((oldText?.length ?? 0) + newText.length);
      return !effort.isSpent && (oldText?.includes(text) === true || newText.includes(text));
    });
  return {
    has: (key, text) => {
      if (paths.has(key)) {
        return files.has(text);
      }
      if (key === 'description') {
        return text === title || texts.has(text);
      }
      const isPatch = key === 'diff' || key === 'patch' || text.includes(beginPatch);
      return (isPatch && isPatchShown) || (edits.has(key) && isInChange(text));
    },
  };
}

function isSame(part: ToolContent, said: FilePart): boolean {
  return part.type === 'diff' && said.type === 'diff'
    ? part.path === said.path && part.newText === said.newText
    : part.type === 'fileChange' && said.type === 'fileChange' && part.path === said.path;
}

/** An input without the texts that are shown: the same one if there are none. */
function unshownIn(input: JsonObject, shown: Shown): JsonObject {
  const rest: [string, unknown][] = [];
  let isWhole = true;
  for (const key in input) {
    const value = input[key];
    const left = unshownValue(key, value, shown);
    isWhole &&= left === value;
    if (left !== undefined) {
      rest.push([key, left]);
    }
  }
  return isWhole ? input : Object.fromEntries(rest);
}

function unshownValue(key: string, value: unknown, shown: Shown): unknown {
  if (typeof value === 'string') {
    return shown.has(key, value) ? undefined : value;
  }
  if (!Array.isArray(value) || !paths.has(key)) {
    return value;
  }
  const left = value.map((item: unknown) => {
    const rest = isObject(item) ? unshownIn(item, shown) : unshownValue(key, item, shown);
    return isObject(rest) && Object.keys(rest).length === 0 ? undefined : rest;
  });
  if (left.every((item, at) => item === (value as readonly unknown[])[at])) {
    return value;
  }
  const others = left.filter((item) => item !== undefined);
  return others.length === 0 ? undefined : others;
}
