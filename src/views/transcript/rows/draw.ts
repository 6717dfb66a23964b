import path from 'node:path';
import { findCommandFolder, untitledCommand } from '../../../model/calls/commandLine';
import { commandOutput } from '../../../model/calls/commandOutput';
import { exitCodeIn, isPrintedIn, todosIn } from '../../../model/calls/toolResults';
import { nonEmpty, unshownInput, unshownOutput } from '../../../model/calls/unshownRaw';
import { rawText } from '../../../model/transcript/rawText';
import {
  type Block,
  type Diff,
  type FileChange,
  type FileLocation,
  isJson,
  type ToolContent,
} from '../../../shared/transcript/content';
import type {
  DrawnBlock,
  DrawnEntry,
  DrawnFileChange,
  DrawnLocation,
  DrawnRaw,
  DrawnTerminal,
  DrawnToolCall,
  DrawnToolContent,
  LineNumbers,
} from '../../../shared/transcript/drawn';
import type {
  CompactionEntry,
  Entry,
  SubagentEntry,
  ToolCallEntry,
} from '../../../shared/transcript/entries';
import { Effort } from '../../../util/effort';
import { isElsewhere } from '../../../util/elsewhere';
import { diffOrigins, wholeFile } from './diffOrigins';
import { type DiffBounds, drawDiff, rowDiff, wholeDiff } from './drawDiff';
import { drawElicitation, drawPermission } from './drawRequests';
import { cut, cutStart, drawBlock, maxText, shortPath } from './drawTexts';
import { fit, type Room } from './fit';

const maxJson = 20_000;
/** Maximum length of a running terminal's output, which is redrawn repeatedly. */
const maxLiveOutput = 20_000;

/** Maximum number of parts of a tool call, and of files that it names. */
const maxParts = 500;
/** Steps for comparing the changes of one row: enough for two hard ones. */
export const rowEffort = 500_000;

/**
 * An entry as the webview draws it, before it is fitted into a row. Paths are shown relative to the session's
 * `cwd`; changes are compared as far as `effort` allows.
 */
export function drawEntry(entry: Entry, cwd: string, effort = new Effort(rowEffort)): DrawnEntry {
  switch (entry.kind) {
    case 'user':
    case 'agent':
    case 'thought':
      return {
        kind: entry.kind,
        blocks: entry.blocks.map((block) => drawBlock(block, cwd)),
        ...(entry.seen !== undefined && { seen: entry.seen }),
        ...(entry.turn && { turn: entry.turn }),
        ...(entry.steering && { steering: entry.steering }),
        ...(entry.dropped && { dropped: true }),
      };
    case 'toolCall':
      return { ...drawToolCall(entry, { cwd, effort, ...rowBounds }), ...drawCommand(entry) };
    case 'plan':
      return {
        kind: 'plan',
        items: entry.items,
        ...(entry.blocks && { blocks: entry.blocks.map((block) => drawBlock(block, cwd)) }),
      };
    case 'compaction':
      return drawCompaction(entry, cwd);
    case 'permission':
      return drawPermission(entry, {
        ...drawToolCall(entry.toolCall, {
          cwd,
          effort,
          ...decisionBounds,
          isAsked: true,
          // For a request of this window, the texts are the files that it read and those that it
          // would write.
          isWhole: entry.own?.act === 'write' || entry.own?.act === 'edit',
        }),
        // The user decides about the title, so it isn't shortened.
        title: entry.toolCall.title,
      });
    case 'elicitation':
      return drawElicitation(entry);
    case 'subagent':
      return drawSubagent(entry);
    case 'unknown':
    case 'turn':
      return entry;
  }
}

interface Bounds {
  readonly json: number;
  readonly diff: DiffBounds;
}

const rowBounds: Bounds = { json: maxJson, diff: rowDiff };
/** A request for a decision is shown as far as a row can hold it. */
const decisionBounds: Bounds = { json: maxText, diff: wholeDiff };

interface Drawing extends Bounds {
  readonly cwd: string;
  readonly effort: Effort;
  /** Whether the user decides about it: with all of its input, also what is shown in other words. */
  readonly isAsked?: boolean;
  /** Whether the texts of its changes are known to be whole files. */
  readonly isWhole?: boolean;
}

function drawToolCall(entry: ToolCallEntry, drawing: Drawing): DrawnToolCall {
  const { rawInput, locations } = entry;
  const input = drawing.isAsked ? nonEmpty(rawInput) : unshownInput(entry);
  const output = unshownOutput(entry);
  const todos = todosIn(rawInput);
  const content = todos && entry.content.every(isJsonText) ? [] : entry.content;
  const isLong = content.length > maxParts || locations.length > maxParts;
  const origins = diffOrigins(entry);
  return {
    kind: 'toolCall',
    title: shortTitle(entry, drawing.cwd),
    ...(entry.name !== undefined && { name: entry.name }),
    toolKind: entry.toolKind,
    status: entry.status,
    ...(entry.asked && { asked: entry.asked }),
    content: content
      .slice(0, maxParts)
      .map((part, at) => drawContent(part, at, { ...entry, content }, drawing, origins)),
    locations: locations
      .slice(0, maxParts)
      .map((location, index) => drawLocation(location, index, drawing.cwd))
      .filter((location) => !isOwnFolder(location.path, entry, drawing.cwd)),
    ...(todos && { todos }),
    ...(input !== undefined && { rawInput: drawRaw(input, drawing.json) }),
    ...(output !== undefined && { rawOutput: drawRaw(output, drawing.json) }),
    ...(entry.dropped && { dropped: true }),
    ...(isLong && { shortened: true }),
  };
}

/** Long commands open in an editor. */
const maxCommand = 20_000;

function drawCommand(entry: ToolCallEntry): Pick<DrawnToolCall, 'command'> {
  const command = untitledCommand(entry);
  return command === undefined ? {} : { command: cut(command, maxCommand) };
}

function drawContent(
  content: ToolContent,
  at: number,
  entry: ToolCallEntry,
  { cwd, effort, diff, isWhole }: Drawing,
  origins: ReadonlyMap<Diff, LineNumbers>,
): DrawnToolContent {
  switch (content.type) {
    case 'content':
      return (
        drawCommandOutput(content.block, entry) ?? {
          type: 'block',
          block: drawToolBlock(content.block, entry, cwd),
        }
      );
    case 'diff':
      return {
        ...drawDiff(
          content,
          shortPath(content.path, cwd),
          diff,
          effort,
          isWhole ? wholeFile : origins.get(content),
        ),
        ...(goesOn(entry.content, at) && { goesOn: true }),
      };
    case 'fileChange':
      return drawFileChange(content, entry.content, at, cwd);
    case 'terminal':
      return drawTerminal(content.terminalId, entry);
  }
}

function drawToolBlock(block: Block, entry: ToolCallEntry, cwd: string): DrawnBlock {
  return block.type === 'text' && isPrintedIn(entry, block.text)
    ? { type: 'printed', ...cut(block.text, maxText) }
    : drawBlock(block, cwd);
}

function drawTerminal(terminalId: string, entry: ToolCallEntry): DrawnTerminal {
  const output = entry.terminalOutput?.get(terminalId);
  const state = entry.terminals?.get(terminalId);
  const most = state?.kind === 'running' ? maxLiveOutput : maxText;
  return {
    type: 'terminal',
    terminalId,
    ...(output !== undefined && { output: cutStart(output, most) }),
    ...(isRunning(entry) && { waits: true }),
    ...(state === undefined ? failedExit(entry) : { state }),
  };
}

/** A command's output looks the same whether the agent sends it as a terminal or as text. */
function drawCommandOutput(block: Block, entry: ToolCallEntry): DrawnTerminal | undefined {
  const text = commandOutput(block, entry);
  if (text === undefined) {
    return undefined;
  }
  const waits = isRunning(entry);
  return {
    type: 'terminal',
    terminalId: '',
    output: cutStart(text, waits ? maxLiveOutput : maxText),
    ...(waits && { waits }),
    ...failedExit(entry),
  };
}

function isRunning({ status }: ToolCallEntry): boolean {
  return status === 'pending' || status === 'in_progress' || status === 'paused';
}

function failedExit({ rawOutput }: ToolCallEntry): { readonly exitCode?: number } {
  const exitCode = exitCodeIn(rawOutput);
  return exitCode ? { exitCode } : {};
}

function drawSubagent(entry: SubagentEntry): DrawnEntry {
  const { kind, number, title, description, state, times, canCancel, call } = entry;
  return {
    ...{ kind, number, title, state, length: entry.entries.length, calls: entry.calls.size },
    ...(description !== undefined && { description }),
    ...(times && { times }),
    ...(canCancel && { canCancel }),
    ...(call !== undefined && { call }),
  };
}

function drawCompaction(entry: CompactionEntry, cwd: string): DrawnEntry {
  return {
    kind: 'compaction',
    status: entry.status,
    summary: entry.summary.map((block) => drawBlock(block, cwd)),
    ...(entry.error !== undefined && { error: entry.error }),
  };
}

/** Makes paths in the session's folder relative; the title of a command is the command, which isn't changed. */
function shortTitle({ title, toolKind }: ToolCallEntry, cwd: string): string {
  const short = shortPath(title, cwd);
  if (short !== title || toolKind === 'execute') {
    return short;
  }
  const [start = '', ...others] = title.split(`${cwd}${path.sep}`);
  return others.reduce(
    (whole, rest) => `${whole}${/(?:^|[\s'"`(])$/.test(whole) ? '' : `${cwd}${path.sep}`}${rest}`,
    start,
  );
}

/** Some agents report the folder in which they search, or run a command, as a file that they touch. */
function isOwnFolder(file: string, { toolKind, rawInput }: ToolCallEntry, cwd: string): boolean {
  return file === cwd || (toolKind === 'execute' && file === findCommandFolder(rawInput));
}

function drawLocation(location: FileLocation, index: number, cwd: string): DrawnLocation {
  const short = shortPath(location.path, cwd);
  const label = location.line === undefined ? short : `${short}:${location.line}`;
  return { ...location, label, index };
}

function isJsonText(item: ToolContent): boolean {
  return item.type === 'content' && item.block.type === 'text' && isJson(item.block.text);
}

/** A value is formatted once for each length, however often its row is drawn, and kept as long as the value. */
const drawnRaw = new WeakMap<object, Map<number, DrawnRaw>>();

/** A tool's raw input or output: a string as it is, anything else as formatted JSON. */
function drawRaw(value: unknown, length: number): DrawnRaw {
  const isJson = typeof value !== 'string';
  if (typeof value !== 'object' || value === null) {
    return { ...cut(rawText(value), length), isJson };
  }
  const drawn = drawnRaw.get(value) ?? new Map<number, DrawnRaw>();
  drawnRaw.set(value, drawn);
  let raw = drawn.get(length);
  if (raw === undefined) {
    raw = { ...cut(rawText(value), length), isJson };
    drawn.set(length, raw);
  }
  return raw;
}

/** What happened to a file; `content` is everything in its call, with the change at `at`. */
function drawFileChange(
  change: FileChange,
  content: readonly ToolContent[],
  at: number,
  cwd: string,
): DrawnFileChange {
  const { operation, oldPath } = change;
  const next = content[at + 1];
  const isElse = isElsewhere(cwd) || isElsewhere(path.resolve(cwd, change.path));
  return {
    ...change,
    label: shortPath(change.path, cwd),
    ...(oldPath !== undefined && { oldLabel: shortPath(oldPath, cwd) }),
    ...(next?.type === 'diff' && next.path === change.path && { hasLines: true }),
    ...(operation !== 'delete' && !isElse && { opens: true }),
  };
}

/** Whether the diff at this place only continues what a file change before it has begun. */
function goesOn(content: readonly ToolContent[], at: number): boolean {
  const diff = content[at];
  for (let before = at - 1; diff?.type === 'diff' && before >= 0; before--) {
    const part = content[before];
    if (part?.type === 'fileChange') {
      return part.path === diff.path;
    }
    if (part?.type !== 'diff' || part.path !== diff.path) {
      return false;
    }
  }
  return false;
}

/** The maximum size of a row, whatever an agent sends. */
const rowRoom: Room = { bytes: 1_000_000, images: 20_000_000 };

/** A row is measured once, however many windows of the transcript it is in. */
const sizes = new WeakMap<DrawnEntry, number>();

/**
 * An entry as it is sent to the webview, with a bounded size. One that can't be drawn becomes a row that says so,
 * and `report` gets the error, so that other rows aren't affected. The work is subtracted from `effort` but not
 * limited by it: whether a change is compared doesn't depend on the rows beside it.
 */
export function drawRow(
  entry: Entry,
  cwd: string,
  effort: Effort,
  report: (error: unknown) => void,
): DrawnEntry {
  const own = new Effort(rowEffort);
  try {
    const fitted = fit(drawEntry(entry, cwd, own), rowRoom);
    if (fitted === undefined) {
      return { kind: 'unshown', reason: 'broken' };
    }
    const { value, isShortened, bytes } = fitted;
    const row: DrawnEntry = isShortened ? { ...value, shortened: true } : value;
    sizes.set(row, bytes);
    return row;
  } catch (error) {
    report(error);
    return { kind: 'unshown', reason: 'broken' };
  } finally {
    effort.spend(rowEffort - own.left);
  }
}

/** The size of a row when it is sent, in bytes. */
export function getSize(row: DrawnEntry): number {
  return sizes.get(row) ?? 0;
}
