import type {
  AvailableCommand,
  ContentBlock,
  Diff,
  SessionConfigOption,
  SessionUpdate,
  TerminalUpdate,
  ToolCallContent,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk/experimental/v2/unstable';
import type * as version1 from '@agentclientprotocol/sdk/unstable';
import { formatPatch, structuredPatch } from 'diff';
import type { DemoToolContent, DemoUpdate } from '../vocabulary/demoUpdates';

type Of<Kind extends DemoUpdate['sessionUpdate']> = Extract<DemoUpdate, { sessionUpdate: Kind }>;
type Chunk = Of<'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk'>;

/** The plan of version 1, which has no id. */
const onlyPlan = 'plan';

/** Translates updates into those of version 2; for a replay, those of one session in their order. */
export class Version2Updates {
  readonly #isReplay: boolean;
  readonly #replayed = new Set<string>();
  #nameless = 0;

  constructor(isReplay: boolean) {
    this.#isReplay = isReplay;
  }

  of(update: DemoUpdate): SessionUpdate[] {
    switch (update.sessionUpdate) {
      case 'user_message_chunk':
      case 'agent_message_chunk':
      case 'agent_thought_chunk':
        return this.#chunk(update);
      case 'tool_call':
        return toolUpdates(update, this.#isReplay);
      case 'tool_call_update':
        return toolUpdates(update, false);
      case 'plan': {
        const { entries, _meta } = update;
        return [
          {
            sessionUpdate: 'plan_update',
            plan: { type: 'items', planId: onlyPlan, entries },
            ...(_meta && { _meta }),
          },
        ];
      }
      // A config option says the same.
      case 'current_mode_update':
        return [];
      case 'config_option_update':
        return [{ ...update, configOptions: toOptions(update.configOptions) }];
      case 'available_commands_update':
        return [{ ...update, availableCommands: toCommands(update.availableCommands) }];
      default:
        return [update as SessionUpdate];
    }
  }

  /**
   * What a client still has of a message that is replayed is replaced: the user's words and thoughts come as a whole,
   * an answer is emptied and then streamed again.
   */
  #chunk({ sessionUpdate, messageId, content, _meta }: Chunk): SessionUpdate[] {
    const meta = _meta && { _meta };
    const id = messageId ?? `nameless-${++this.#nameless}`;
    const block = content as ContentBlock;
    const chunk = { sessionUpdate, messageId: id, content: block, ...meta } as SessionUpdate;
    const key = `${sessionUpdate} ${id}`;
    if (!this.#isReplay || this.#replayed.has(key)) {
      return [chunk];
    }
    this.#replayed.add(key);
    switch (sessionUpdate) {
      case 'user_message_chunk':
        return [{ sessionUpdate: 'user_message', messageId: id, content: [block], ...meta }];
      case 'agent_thought_chunk':
        return [{ sessionUpdate: 'agent_thought', messageId: id, content: [block], ...meta }];
      case 'agent_message_chunk':
        return [{ sessionUpdate: 'agent_message', messageId: id, content: [], ...meta }, chunk];
    }
  }
}

export function toOptions(options: readonly version1.SessionConfigOption[]): SessionConfigOption[] {
  return options.map(({ id, ...option }) =>
    option.type === 'select'
      ? { ...option, configId: id, options: option.options.map(toChoice) }
      : { ...option, configId: id },
  ) as SessionConfigOption[];
}

function toChoice(
  choice: version1.SessionConfigSelectOption | version1.SessionConfigSelectGroup,
): unknown {
  if (!('group' in choice)) {
    return choice;
  }
  const { group: groupId, ...rest } = choice;
  return { groupId, ...rest };
}

export function toCommands(commands: readonly version1.AvailableCommand[]): AvailableCommand[] {
  return commands.map(({ input, ...command }) => ({
    type: 'command',
    ...command,
    ...(input && { input: { type: 'text', ...input } }),
  }));
}

/**
 * A terminal's output, which version 1 keeps in the `_meta` of a call, comes before the call. A call that is replayed
 * loses what the client still has of it.
 */
function toolUpdates(
  update: Of<'tool_call' | 'tool_call_update'>,
  isReplayed: boolean,
): SessionUpdate[] {
  const { sessionUpdate: _, content, _meta, ...rest } = update;
  const { terminal, meta } = terminalIn(_meta ?? {});
  const call = {
    ...(isReplayed && { content: [], locations: [] }),
    ...rest,
    ...(content && { content: content.map(toContent) }),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  } as ToolCallUpdate;
  const tellsCall = Object.keys(call).length > 1;
  return [
    ...(terminal ? [{ sessionUpdate: 'terminal_update' as const, ...terminal }] : []),
    ...(tellsCall ? [{ sessionUpdate: 'tool_call_update' as const, ...call }] : []),
  ];
}

interface TerminalMeta {
  readonly terminal_info?: { readonly terminal_id: string; readonly cwd?: string };
  readonly terminal_output?: { readonly terminal_id: string; readonly data: string };
  readonly terminal_exit?: {
    readonly terminal_id: string;
    readonly exit_code: number | null;
    readonly signal: string | null;
  };
}

function terminalIn(_meta: TerminalMeta & Readonly<Record<string, unknown>>): {
  readonly terminal: TerminalUpdate | undefined;
  readonly meta: Readonly<Record<string, unknown>>;
} {
  const { terminal_info: info, terminal_output: output, terminal_exit: exit, ...meta } = _meta;
  const terminalId = (info ?? output ?? exit)?.terminal_id;
  const terminal = terminalId !== undefined && {
    terminalId,
    ...(info?.cwd !== undefined && { cwd: info.cwd }),
    ...(output && { output: { data: Buffer.from(output.data, 'utf8').toString('base64') } }),
    ...(exit && { exitStatus: { exitCode: exit.exit_code, signal: exit.signal } }),
  };
  return { terminal: terminal || undefined, meta };
}

function toContent(content: DemoToolContent): ToolCallContent {
  if (content.type !== 'diff') {
    return content;
  }
  const { path, oldText, newText, line = 1 } = content;
  const isCreate = oldText === null || oldText === undefined;
  const patch = structuredPatch(isCreate ? '/dev/null' : path, path, oldText ?? '', newText);
  const text = formatPatch({
    ...patch,
    oldHeader: undefined,
    newHeader: undefined,
    hunks: patch.hunks.map((hunk) => ({
      ...hunk,
      oldStart: hunk.oldStart + line - 1,
      newStart: hunk.newStart + line - 1,
    })),
    isGit: true,
    isCreate,
  });
  const diff: Diff = {
    changes: [isCreate ? { operation: 'add', path } : { operation: 'modify', path }],
    ...(text !== '' && { patch: { format: 'git_patch', text } }),
  };
  return { type: 'diff', ...diff };
}
