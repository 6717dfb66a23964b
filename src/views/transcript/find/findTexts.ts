import { untitledCommand } from '../../../model/calls/commandLine';
import { commandOutput } from '../../../model/calls/commandOutput';
import { unshownInput, unshownOutput } from '../../../model/calls/unshownRaw';
import { rawText } from '../../../model/transcript/rawText';
import type { FormField } from '../../../shared/requests/agentQuestions';
import { outputText } from '../../../shared/terminal/outputText';
import type { Block, ToolContent } from '../../../shared/transcript/content';
import type { ElicitationEntry, Entry, ToolCallEntry } from '../../../shared/transcript/entries';

/** All texts of an entry that the user can read, folded or not; for a question, those that its call doesn't have. */
export function textsAt(entries: readonly Entry[], index: number): readonly string[] {
  const entry = entries[index];
  if (entry?.kind !== 'permission' || entry.call === undefined) {
    return entry ? getTexts(entry) : [];
  }
  const call = entries[entry.call];
  const said = new Set(call && getTexts(call));
  return getTexts(entry).filter((text) => !said.has(text));
}

function getTexts(entry: Entry): readonly string[] {
  switch (entry.kind) {
    case 'user':
    case 'agent':
    case 'thought':
      return entry.blocks.flatMap(blockTexts);
    case 'plan':
      return [
        ...entry.items.map((item) => item.content),
        ...(entry.blocks ?? []).flatMap(blockTexts),
      ];
    case 'compaction':
      return [...entry.summary.flatMap(blockTexts), entry.error ?? ''];
    case 'toolCall':
      return toolCallTexts(entry, unshownInput(entry));
    case 'permission':
      return [
        entry.title ?? '',
        entry.description ?? '',
        ...toolCallTexts(entry.toolCall, entry.toolCall.rawInput),
        ...entry.options.map((option) => option.name),
      ];
    case 'elicitation':
      return elicitationTexts(entry);
    case 'subagent':
      return [entry.title, entry.description ?? '', ...entry.entries.flatMap(getTexts)];
    case 'unknown':
      return [entry.name, entry.raw];
    case 'turn':
      return entry.outcome.type === 'failed'
        ? [entry.outcome.failure.title, entry.outcome.failure.detail]
        : [];
  }
}

function elicitationTexts({ message, ask, state }: ElicitationEntry): readonly string[] {
  return [
    message,
    ...(ask.mode === 'url' ? [ask.url] : ask.fields.flatMap(fieldTexts)),
    ...(state.kind === 'accepted' ? Object.values(state.values).map(String) : []),
  ];
}

function fieldTexts(field: FormField): readonly string[] {
  const choices = 'choices' in field ? field.choices.map(({ title }) => title) : [];
  return [field.title, field.description ?? '', ...choices];
}

function toolCallTexts(entry: ToolCallEntry, input: unknown): readonly string[] {
  const raw = [input, unshownOutput(entry)].filter((value) => value !== undefined);
  return [
    entry.title,
    untitledCommand(entry) ?? '',
    ...entry.locations.map((location) => location.path),
    ...entry.content.flatMap((content) => contentTexts(content, entry)),
    ...[...(entry.terminalOutput ?? [])].map(([id, output]) =>
      outputText(output, entry.terminals?.get(id)?.size),
    ),
    ...raw.map(rawText),
  ];
}

function contentTexts(content: ToolContent, entry: ToolCallEntry): readonly string[] {
  switch (content.type) {
    case 'content': {
      const output = commandOutput(content.block, entry);
      return output === undefined ? blockTexts(content.block) : [outputText(output)];
    }
    case 'diff':
      return [content.path, content.oldText ?? '', content.newText];
    case 'fileChange':
      return content.oldPath === undefined ? [content.path] : [content.path, content.oldPath];
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
    case 'unknown':
      return [block.label, block.raw ?? ''];
    case 'image':
    case 'audio':
      return [];
  }
}
