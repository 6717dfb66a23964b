import path from 'node:path';
import type {
  ContentBlock,
  PlanEntry,
  SessionUpdate,
  ToolCallContent,
  ToolKind,
} from '@agentclientprotocol/sdk/unstable';
import { textContent } from '../turns/turn';

/** A finished tool call; files are relative to the session's folder. */
export interface SampleTool {
  readonly title: string;
  readonly kind: ToolKind;
  readonly name?: string;
  readonly files?: readonly { readonly path: string; readonly line?: number }[];
  readonly content?: ToolCallContent[];
  readonly input?: unknown;
  readonly output?: unknown;
  readonly failed?: boolean;
}

/** Builds a conversation in the form in which the agent stores its own. */
export class SampleTranscript {
  readonly updates: SessionUpdate[] = [];
  readonly #cwd: string;
  #messages = 0;
  #tools = 0;

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  path(relative: string): string {
    return path.join(this.#cwd, ...relative.split('/'));
  }

  user(text: string, ...others: readonly ContentBlock[]): this {
    return this.#message('user_message_chunk', { type: 'text', text }, ...others);
  }

  say(text: string): this {
    return this.#message('agent_message_chunk', { type: 'text', text });
  }

  think(text: string): this {
    return this.#message('agent_thought_chunk', { type: 'text', text });
  }

  show(content: ContentBlock): this {
    return this.#message('agent_message_chunk', content);
  }

  /**
   * Each change sends the whole plan: the first `done` steps are completed, the next one is in
   * progress.
   */
  plan(done: number, steps: readonly (readonly [string, PlanEntry['priority']])[]): this {
    return this.#add({
      sessionUpdate: 'plan',
      entries: steps.map(([content, priority], index) => ({
        content,
        priority,
        status: index < done ? 'completed' : index === done ? 'in_progress' : 'pending',
      })),
    });
  }

  usage(used: number): this {
    return this.#add({ sessionUpdate: 'usage_update', used, size: 200_000 });
  }

  /** Compacts the preceding context into a summary. */
  compact(summary: string): this {
    this.#tools++;
    return this.#add({
      sessionUpdate: 'compaction_update',
      compactionId: `compaction-${this.#tools}`,
      status: 'completed',
      summary: [{ type: 'text', text: summary }],
    });
  }

  tool(tool: SampleTool): this {
    const toolCallId = this.#newToolId();
    this.#add({
      sessionUpdate: 'tool_call',
      toolCallId,
      title: tool.title,
      kind: tool.kind,
      status: 'in_progress',
      ...(tool.name !== undefined && { name: tool.name }),
      ...(tool.input !== undefined && { rawInput: tool.input }),
      ...(tool.files !== undefined && {
        locations: tool.files.map((file) => ({ ...file, path: this.path(file.path) })),
      }),
    });
    return this.#add({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: tool.failed === true ? 'failed' : 'completed',
      ...(tool.content !== undefined && { content: tool.content }),
      ...(tool.output !== undefined && { rawOutput: tool.output }),
    });
  }

  read(file: string, text: string, line = 1): this {
    const language = path.extname(file).slice(1);
    return this.tool({
      title: `Read ${file}`,
      kind: 'read',
      name: 'read_file',
      files: [{ path: file, line }],
      content: [textContent(`\`\`\`${language}\n${text}\n\`\`\``)],
    });
  }

  search(
    pattern: string,
    ...found: readonly { readonly path: string; readonly line: number }[]
  ): this {
    const lines = found.map((file) => `${file.path}:${file.line}`);
    return this.tool({
      title: `Search for "${pattern}"`,
      kind: 'search',
      name: 'grep',
      input: { pattern },
      files: found,
      content: [textContent(lines.length === 0 ? 'No matches' : lines.join('\n'))],
    });
  }

  /** `oldText` is `null` for a new file. */
  edit(file: string, oldText: string | null, newText: string, line = 1): this {
    return this.tool({
      title: `${oldText === null ? 'Create' : 'Edit'} ${file}`,
      kind: 'edit',
      name: oldText === null ? 'write_file' : 'edit_file',
      files: [{ path: file, line }],
      content: [{ type: 'diff', path: this.path(file), oldText, newText }],
    });
  }

  /** A command in the agent's own terminal, which no longer exists: its output is in `_meta`. */
  run(command: string, data: string, exitCode = 0): this {
    const toolCallId = this.#newToolId();
    const terminal_id = `terminal-${this.#tools}`;
    this.#add({
      sessionUpdate: 'tool_call',
      toolCallId,
      title: command,
      name: 'shell',
      kind: 'execute',
      status: 'in_progress',
      rawInput: { command },
      content: [{ type: 'terminal', terminalId: terminal_id }],
      _meta: { terminal_info: { terminal_id, cwd: this.#cwd } },
    });
    return this.#add({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: exitCode === 0 ? 'completed' : 'failed',
      rawOutput: { exitCode },
      _meta: {
        terminal_output: { terminal_id, data },
        terminal_exit: { terminal_id, exit_code: exitCode, signal: null },
      },
    });
  }

  #newToolId(): string {
    this.#tools++;
    return `call-${this.#tools}`;
  }

  #message(
    sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk',
    ...blocks: readonly ContentBlock[]
  ): this {
    this.#messages++;
    const messageId = `message-${this.#messages}`;
    for (const content of blocks) {
      this.#add({ sessionUpdate, messageId, content });
    }
    return this;
  }

  #add(update: SessionUpdate): this {
    this.updates.push(update);
    return this;
  }
}

const codes = { bold: 1, red: 31, green: 32, yellow: 33, blue: 34, cyan: 36, grey: 90 } as const;

/** Text in a terminal color. */
export function paint(colour: keyof typeof codes, text: string): string {
  return `\u001b[${codes[colour]}m${text}\u001b[0m`;
}
