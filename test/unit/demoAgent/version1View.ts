import type * as version2 from '@agentclientprotocol/sdk/experimental/v2/unstable';
import type { SessionNotification } from '@agentclientprotocol/sdk/unstable';
import { parsePatch, type StructuredPatch } from 'diff';

type Fields = Readonly<Record<string, unknown>>;

/** Translates what an agent sends in version 2 into version 1, as far as the tests look at it. */
export class Version1View {
  /** Whether a session is being replayed. */
  #isReplay = false;
  readonly #known = new Set<string>();

  get isReplay(): boolean {
    return this.#isReplay;
  }

  set isReplay(isReplay: boolean) {
    this.#isReplay = isReplay;
    this.#known.clear();
  }

  response(response: unknown): unknown {
    const { configOptions, ...rest } = (response ?? {}) as { configOptions?: Fields[] };
    return { ...rest, ...(configOptions && { configOptions: optionsOf(configOptions) }) };
  }

  updates({ sessionId, update }: version2.UpdateSessionNotification): SessionNotification[] {
    return this.#update(update as Fields).map(
      (translated) => ({ sessionId, update: translated }) as unknown as SessionNotification,
    );
  }

  #update(update: Fields): Fields[] {
    switch (update['sessionUpdate']) {
      case 'state_update':
      case 'terminal_update':
      case 'terminal_output_chunk':
        return [];
      case 'user_message':
      case 'agent_thought':
      case 'agent_message':
        return this.#message(update);
      case 'tool_call_update':
        return [this.#call(update)];
      case 'plan_update': {
        const { type, planId, entries } = update['plan'] as Fields;
        return type === 'items' && planId === 'plan'
          ? [{ sessionUpdate: 'plan', entries }]
          : [update];
      }
      case 'config_option_update':
        return [{ ...update, configOptions: optionsOf(update['configOptions'] as Fields[]) }];
      case 'available_commands_update':
        return [{ ...update, availableCommands: commandsOf(update) }];
      default:
        return [update];
    }
  }

  /** Takes a message: in version 1 one of the user comes only in a replay, and every one in chunks. */
  #message(update: Fields): Fields[] {
    const { sessionUpdate, messageId, content = [], ...rest } = update;
    const isFirst = this.#isNew(`${String(sessionUpdate)} ${String(messageId)}`);
    if (!this.#isReplay || !isFirst) {
      return sessionUpdate === 'user_message' ? [] : [update];
    }
    return (content as unknown[]).map((block) => ({
      sessionUpdate: `${String(sessionUpdate)}_chunk`,
      messageId,
      content: block,
      ...rest,
    }));
  }

  /** The first update of a call announces it; in a replay it also empties what the client has. */
  #call(update: Fields): Fields {
    const isFirst = this.#isNew(`call ${String(update['toolCallId'])}`);
    const { content, locations, ...rest } = update as { content?: Fields[]; locations?: Fields[] };
    const isKept = (list: Fields[] | undefined): boolean =>
      list !== undefined && (list.length > 0 || !isFirst);
    return {
      ...rest,
      sessionUpdate: isFirst ? 'tool_call' : 'tool_call_update',
      ...(isKept(content) && { content: content?.flatMap(contentOf) }),
      ...(isKept(locations) && { locations }),
    };
  }

  #isNew(key: string): boolean {
    return !this.#known.has(key) && Boolean(this.#known.add(key));
  }
}

function optionsOf(options: readonly Fields[]): Fields[] {
  return options.map(({ configId, options: choices, ...rest }) => ({
    id: configId,
    ...rest,
    ...(Array.isArray(choices) && {
      options: (choices as Fields[]).map(({ groupId, ...choice }) => ({
        ...choice,
        ...(groupId !== undefined && { group: groupId }),
      })),
    }),
  }));
}

function commandsOf(update: Fields): Fields[] {
  return (update['availableCommands'] as Fields[]).map((command) => {
    const { type: _, input, ...known } = command;
    const { type: __, ...text } = (input ?? {}) as Fields;
    return { ...known, ...(input !== undefined && { input: text }) };
  });
}

/** A change of one text becomes its texts, read from the patch; everything else stays as it is. */
function contentOf(content: Fields): Fields[] {
  const { changes, patch } = content as { changes?: Fields[]; patch?: { text: string } };
  const [only] = changes ?? [];
  if (content['type'] !== 'diff' || changes?.length !== 1 || patch === undefined) {
    return [content];
  }
  return parsePatch(patch.text).map((file) => ({
    type: 'diff',
    path: only?.['path'],
    oldText: only?.['operation'] === 'add' ? null : side(file, '-'),
    newText: side(file, '+'),
  }));
}

/** One side of a patch: its lines, with their ends. */
function side(file: StructuredPatch, sign: '-' | '+'): string {
  return file.hunks
    .flatMap(({ lines }) => lines)
    .map((line, at, lines) => {
      const isOpen = lines[at + 1]?.startsWith('\\') === true;
      return line.startsWith(' ') || line.startsWith(sign)
        ? line.slice(1) + (isOpen ? '' : '\n')
        : '';
    })
    .join('');
}
