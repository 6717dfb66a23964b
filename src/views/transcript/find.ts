import { setImmediate } from 'node:timers/promises';
import type { Block, ToolContent } from '../../shared/content';
import type { ElicitationEntry, Entry, ToolCallEntry } from '../../shared/entries';
import type { FormField } from '../../shared/requests';
import { rawText } from './drawTexts';

/** The extension host does something else after each of these, in ms. */
const slice = 10;
/** Beyond so many, a person refines the search. */
const maxFound = 10_000;

export interface Found {
  /** Indexes of the entries that contain the text, ascending. */
  readonly indexes: readonly number[];
  /** There may be more. */
  readonly cut: boolean;
}

/**
 * Looks for a text in all entries, whether they are drawn or not, without holding the extension host
 * for long. `undefined` when `signal` aborts.
 */
export async function findEntries(
  entries: readonly Entry[],
  text: string,
  matchCase: boolean,
  signal: AbortSignal,
): Promise<Found | undefined> {
  if (text === '') {
    return { indexes: [], cut: false };
  }
  const pattern = new RegExp(escapePattern(text), matchCase ? 'u' : 'iu');
  const indexes: number[] = [];
  let sliceEnd = performance.now() + slice;
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index];
    if (entry !== undefined && hasText(entry, pattern)) {
      indexes.push(index);
      if (indexes.length === maxFound) {
        return { indexes, cut: true };
      }
    }
    if (performance.now() > sliceEnd) {
      await setImmediate();
      if (signal.aborted) {
        return undefined;
      }
      sliceEnd = performance.now() + slice;
    }
  }
  return { indexes, cut: false };
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function hasText(entry: Entry, pattern: RegExp): boolean {
  for (const text of textsOf(entry)) {
    if (pattern.test(text)) {
      return true;
    }
  }
  return false;
}

/** Everything that a person can read of an entry, folded or not. */
function* textsOf(entry: Entry): Generator<string> {
  switch (entry.kind) {
    case 'user':
    case 'agent':
    case 'thought':
      yield* entry.blocks.flatMap(blockTexts);
      return;
    case 'plan':
      yield* entry.items.map((item) => item.content);
      return;
    case 'compaction':
      yield* entry.summary.flatMap(blockTexts);
      yield entry.error ?? '';
      return;
    case 'toolCall':
      yield* toolCallTexts(entry);
      return;
    case 'permission':
      yield* toolCallTexts(entry.toolCall);
      yield* entry.options.map((option) => option.name);
      return;
    case 'elicitation':
      yield* elicitationTexts(entry);
      return;
    case 'turn':
      if (entry.outcome.type === 'failed') {
        yield entry.outcome.failure.title;
        yield entry.outcome.failure.detail;
      }
  }
}

function* elicitationTexts({ message, ask, state }: ElicitationEntry): Generator<string> {
  yield message;
  yield* ask.mode === 'url' ? [ask.url] : ask.fields.flatMap(fieldTexts);
  if (state.kind === 'accepted') {
    yield* Object.values(state.values).map(String);
  }
}

function fieldTexts(field: FormField): readonly string[] {
  const choices = 'choices' in field ? field.choices.map(({ title }) => title) : [];
  return [field.title, field.description ?? '', ...choices];
}

function* toolCallTexts(entry: ToolCallEntry): Generator<string> {
  yield entry.title;
  yield* entry.locations.map((location) => location.path);
  yield* entry.content.flatMap(contentTexts);
  yield* Object.values(entry.terminalOutput ?? {});
  for (const raw of [entry.rawInput, entry.rawOutput]) {
    if (raw !== undefined) {
      yield rawText(raw);
    }
  }
}

function contentTexts(content: ToolContent): readonly string[] {
  switch (content.type) {
    case 'content':
      return blockTexts(content.block);
    case 'diff':
      return [content.path, content.oldText ?? '', content.newText];
    case 'terminal':
      return [];
  }
}

function blockTexts(block: Block): readonly string[] {
  switch (block.type) {
    case 'text':
      return [block.text];
    case 'resource':
      return [block.uri, block.text ?? ''];
    case 'resource_link':
      return [block.uri, block.title ?? block.name, block.description ?? ''];
    case 'image':
    case 'audio':
    case 'unknown':
      return [];
  }
}
