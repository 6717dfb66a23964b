import path from 'node:path';
import * as l10n from '@vscode/l10n';
import {
  type CancellationToken,
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
} from 'vscode-languageserver/node';
import { writtenAs } from '../../../shared/prompt/promptFrontMatter';
import { mentionText, readMention } from '../../../shared/prompt/promptMention';
import type { FoundContext } from '../../../shared/prompt/promptProtocol';
import { type CompletionContext, contextAt } from './completionContext';
import { getSettings, sessionSettingKey } from './frontMatterSettings';
import type { Prompt } from './openPrompts';
import { writtenPath } from './pathTargets';
import { cleanLines, oneLine } from './plainText';
import type { PromptSearch } from './promptSearch';

/** The client's capabilities for completion. */
export interface CompletionSupport {
  /** Items may have separate ranges for inserting and replacing. */
  readonly insertReplace: boolean;
  /** Label details are shown for every item, not only for the focused one. */
  readonly labelDetails: boolean;
}

/** Maximum number of items. */
const most = 50;
const maxDetailLength = 120;
const maxDocumentationLength = 2_000;

/** A completion item without its position. */
type Proposal = Omit<CompletionItem, 'textEdit' | 'sortText' | 'label'> & {
  readonly label: string;
  /** The text to insert. */
  readonly text: string;
};

/** Completions at the offset. */
export async function completionsAt(
  prompt: Prompt,
  offset: number,
  search: PromptSearch,
  support: CompletionSupport,
  token: CancellationToken,
): Promise<CompletionList> {
  const context = contextAt(prompt.content, offset);
  if (!context) {
    return { isIncomplete: false, items: [] };
  }
  const typed = prompt.content.text.slice(context.start, offset);
  const { proposals, isIncomplete } = await proposalsFor(context, typed, prompt, search, token);
  const items = proposals.map((proposal, index) =>
    toItem(proposal, index, context, offset, prompt, support),
  );
  return { isIncomplete, items };
}

interface Proposals {
  readonly proposals: readonly Proposal[];
  readonly isIncomplete: boolean;
}

async function proposalsFor(
  context: CompletionContext,
  typed: string,
  prompt: Prompt,
  search: PromptSearch,
  token: CancellationToken,
): Promise<Proposals> {
  switch (context.kind) {
    case 'command':
      return { proposals: commands(prompt), isIncomplete: false };
    case 'file':
      return files(context.query, typed, prompt, search, token);
    case 'symbol':
      return symbols(context.query, typed, prompt, search, token);
    case 'key':
      return { proposals: keys(context, prompt, search), isIncomplete: false };
    case 'value':
      return context.key === sessionSettingKey
        ? sessions(context.query, typed, prompt, search, token)
        : { proposals: values(context.key, prompt), isIncomplete: false };
  }
}

/** CM-1, CM-2. */
function commands({ facts }: Prompt): readonly Proposal[] {
  return (facts?.commands ?? []).map(({ name, description, hint }) => ({
    label: `/${oneLine(name, maxDetailLength)}`,
    kind: CompletionItemKind.Function,
    text: hint === undefined ? `/${name}` : `/${name} `,
    filterText: `/${name}`,
    ...(hint !== undefined && { detail: oneLine(hint, maxDetailLength) }),
    documentation: cleanLines(description, maxDocumentationLength),
  }));
}

async function files(
  query: string,
  typed: string,
  prompt: Prompt,
  search: PromptSearch,
  token: CancellationToken,
): Promise<Proposals> {
  const [{ matches, isWhole }, contexts] = await Promise.all([
    search.files(prompt, query, most, token),
    search.contexts(prompt, query, most, token),
  ]);
  const { suggestCommand } = search.options;
  const proposals = matches.flatMap((match): Proposal[] => {
    const written = writtenPath(match.path, prompt.roots);
    const mention = mentionText(written);
    if (mention === undefined) {
      return [];
    }
    const name = oneLine(path.posix.basename(written), maxDetailLength);
    const detail = path.posix.dirname(written);
    // A folder's mention isn't finished, so that the user can continue with a file in it.
    const text = match.isFolder && !mention.endsWith('>') ? `${mention}/` : mention;
    return [
      {
        label: match.isFolder ? `${name}/` : name,
        kind: match.isFolder ? CompletionItemKind.Folder : CompletionItemKind.File,
        text,
        // Partial results are already filtered for this query: the client must not filter them again.
        filterText: isWhole ? `@${written}` : typed,
        ...(detail !== '.' && { detail: oneLine(detail, maxDetailLength) }),
        ...(match.isFolder &&
          suggestCommand !== undefined && {
            command: { title: l10n.t('Suggest files in the folder'), command: suggestCommand },
          }),
      },
    ];
  });
  return {
    proposals: [...contexts.flatMap((context) => contextProposal(context, typed)), ...proposals],
    isIncomplete: !isWhole || contexts.length > 0,
  };
}

/** Empty for what can't be written as a mention. */
function contextProposal({ mention, detail }: FoundContext, typed: string): readonly Proposal[] {
  return readMention(mention, 0)?.end === mention.length
    ? [
        {
          label: oneLine(mention, maxDetailLength),
          kind: CompletionItemKind.Reference,
          text: mention,
          filterText: typed,
          detail: oneLine(detail, maxDetailLength),
        },
      ]
    : [];
}

async function symbols(
  query: string,
  typed: string,
  prompt: Prompt,
  search: PromptSearch,
  token: CancellationToken,
): Promise<Proposals> {
  const found = await search.symbols(prompt, query, most, token);
  const proposals = found.flatMap((symbol): Proposal[] => {
    const text = `@#${symbol.name}`;
    const detail = oneLine(symbol.containerName ?? '', maxDetailLength);
    // Omit names that can't be written as a mention.
    return readMention(text, 0)?.end === text.length
      ? [
          {
            label: oneLine(symbol.name, maxDetailLength),
            kind: symbolKinds[symbol.kind] ?? CompletionItemKind.Reference,
            text,
            filterText: typed,
            ...(detail !== '' && { detail }),
          },
        ]
      : [];
  });
  return { proposals, isIncomplete: true };
}

/** Inserts the key with its colon, and triggers suggestions for its value. */
function keys(
  context: CompletionContext,
  { facts, content }: Prompt,
  search: PromptSearch,
): readonly Proposal[] {
  const { suggestCommand } = search.options;
  const behind = content.text.charAt(context.end) === ':' ? '' : ': ';
  const there = new Set(content.frontMatter?.entries.map(({ key }) => key));
  return getSettings(facts)
    .filter(({ key }) => !there.has(key))
    .map(({ key, title, description }) => ({
      label: oneLine(key, maxDetailLength),
      kind: CompletionItemKind.Property,
      text: `${key}${behind}`,
      filterText: key,
      detail: oneLine(title, maxDetailLength),
      ...(suggestCommand !== undefined && {
        command: { title: l10n.t('Suggest values for the setting'), command: suggestCommand },
      }),
      ...(description !== undefined && {
        documentation: cleanLines(description, maxDocumentationLength),
      }),
    }));
}

function values(key: string, { facts }: Prompt): readonly Proposal[] {
  const setting = getSettings(facts).find((other) => other.key === key);
  return (setting?.values ?? []).flatMap(({ value, name, description }) =>
    proposed(value, {
      label: oneLine(value, maxDetailLength),
      kind: CompletionItemKind.EnumMember,
      filterText: value,
      detail: oneLine(name, maxDetailLength),
      ...(description !== undefined && {
        documentation: cleanLines(description, maxDocumentationLength),
      }),
    }),
  );
}

async function sessions(
  query: string,
  typed: string,
  prompt: Prompt,
  search: PromptSearch,
  token: CancellationToken,
): Promise<Proposals> {
  const found = await search.sessions(prompt, query, most, token);
  const proposals = found.flatMap(({ id, title, agent }) =>
    proposed(id, {
      label: oneLine(title, maxDetailLength),
      kind: CompletionItemKind.Reference,
      filterText: typed,
      detail: oneLine(agent, maxDetailLength),
      documentation: oneLine(id, maxDocumentationLength),
    }),
  );
  return { proposals, isIncomplete: true };
}

/** A setting's value in its written form; empty if it can't be written. */
function proposed(value: string, rest: Omit<Proposal, 'text'>): readonly Proposal[] {
  const text = writtenAs(value);
  return text === undefined ? [] : [{ ...rest, text }];
}

function toItem(
  { text, detail, ...rest }: Proposal,
  index: number,
  context: CompletionContext,
  offset: number,
  { document }: Prompt,
  support: CompletionSupport,
): CompletionItem {
  const start = document.positionAt(context.start);
  const insert = { start, end: document.positionAt(offset) };
  const replace = { start, end: document.positionAt(context.end) };
  // A value is separated from its colon by a space.
  const character = document.getText().charAt(context.start - 1);
  const newText = context.kind === 'value' && character === ':' ? ` ${text}` : text;
  return {
    ...rest,
    ...(detail !== undefined &&
      (support.labelDetails ? { labelDetails: { description: detail } } : { detail })),
    sortText: String(index).padStart(4, '0'),
    textEdit: support.insertReplace ? { newText, insert, replace } : { newText, range: replace },
  };
}

/** Maps LSP's `SymbolKind` to `CompletionItemKind`. */
const symbolKinds: Readonly<Record<number, CompletionItemKind>> = {
  2: CompletionItemKind.Module,
  3: CompletionItemKind.Module,
  5: CompletionItemKind.Class,
  6: CompletionItemKind.Method,
  7: CompletionItemKind.Property,
  8: CompletionItemKind.Field,
  9: CompletionItemKind.Constructor,
  10: CompletionItemKind.Enum,
  11: CompletionItemKind.Interface,
  12: CompletionItemKind.Function,
  13: CompletionItemKind.Variable,
  14: CompletionItemKind.Constant,
  22: CompletionItemKind.EnumMember,
  23: CompletionItemKind.Struct,
  26: CompletionItemKind.TypeParameter,
};
