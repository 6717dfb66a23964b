import type { Block, ToolContent } from '../../shared/content';
import type { ElicitationEntry, Entry, ToolCallEntry } from '../../shared/entries';
import type { FormField } from '../../shared/requests';
import { rawText } from './drawTexts';

/** Everything that a person can read of an entry, folded or not. */
export function* textsOf(entry: Entry): Generator<string> {
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
