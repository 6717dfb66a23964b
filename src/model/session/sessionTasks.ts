import * as l10n from '@vscode/l10n';
import type { AgentConnection } from '../../protocol/agentConnection';
import type { BackgroundItem, SessionUpdate } from '../../protocol/updates';
import type { TerminalSize } from '../../shared/terminal/terminalScreen';
import type { BackgroundTask, BackgroundTasks } from '../../shared/transcript/backgroundTask';
import type { Subagents } from '../subagents/subagents';
import type { AgentTerminals } from '../terminals/agentTerminals';
import { getLabel } from '../text/titles';
import type { Transcript } from '../transcript/transcript';

/** Tasks that are listed: as many as anyone looks through. */
const maxListed = 50;
/** UTF-16 units of a terminal's output in the list. */
const maxOutput = 2_000;
/** Calls that can be stopped alone and are known: the latest ones. */
const maxCalls = 1_000;
/** Pause between two looks at what terminals put out, in ms. */
const outputPause = 250;

interface SessionTasksHost {
  readonly sessionId: string;
  readonly transcript: Transcript;
  readonly terminals: Pick<AgentTerminals, 'find'>;
  readonly subagents: () => Pick<Subagents, 'find'>;
  /** What the agent reports. */
  readonly items: () => readonly BackgroundItem[];
  readonly connection: () => AgentConnection | undefined;
  readonly changed: () => void;
}

/** What an agent of version 2 reports as running beside the turns of a session (V2-TURN-12), and how it is stopped. */
export class SessionTasks {
  readonly #host: SessionTasksHost;
  /** Calls that the agent lets be stopped. */
  readonly #stoppable = new Set<string>();
  /** The tasks that the user has asked to stop, by id, as long as they run. */
  readonly #stops = new Map<string, 'asked' | 'failed'>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: SessionTasksHost) {
    this.#host = host;
  }

  /** Absent if nothing runs. */
  get all(): BackgroundTasks | undefined {
    const items = this.#host.items();
    return items.length === 0
      ? undefined
      : {
          count: items.length,
          listed: items.slice(0, maxListed).map((item, at) => this.#describe(item, at)),
        };
  }

  /** Call after the update was applied. */
  note(update: SessionUpdate): void {
    if (update.sessionUpdate === 'state_update') {
      if (this.#stops.size > 0) {
        const running = new Set(this.#host.items().map(idOf));
        for (const id of this.#stops.keys()) {
          if (!running.has(id)) {
            this.#stops.delete(id);
          }
        }
      }
    } else if (update.sessionUpdate === 'tool_call_update' && update.canCancel !== undefined) {
      this.#stoppable.delete(update.toolCallId);
      if (update.canCancel) {
        this.#stoppable.add(update.toolCallId);
      }
      const [oldest] = this.#stoppable;
      if (this.#stoppable.size > maxCalls && oldest !== undefined) {
        this.#stoppable.delete(oldest);
      }
      this.#host.changed();
    }
  }

  /** A terminal has new output, which may come many times a second. */
  printed(terminalId: string): void {
    const isListed = (item: BackgroundItem): boolean =>
      item.type === 'terminal' && item.terminalId === terminalId;
    if (this.#timer === undefined && this.#host.items().some(isListed)) {
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#host.changed();
      }, outputPause);
      // The timer must not keep the process alive.
      this.#timer.unref();
    }
  }

  /** Stops a task and nothing else, if the agent lets it. Never rejects: the task says if it failed. */
  async stop(id: string): Promise<void> {
    const at = this.#host.items().findIndex((item, index) => idOf(item, index) === id);
    const item = this.#host.items()[at];
    const connection = this.#host.connection();
    if (
      item === undefined ||
      connection === undefined ||
      this.#stops.get(id) === 'asked' ||
      this.#describe(item, at).canStop !== true
    ) {
      return;
    }
    this.#mark(id, 'asked');
    try {
      await connection.cancelWork(this.#host.sessionId, item);
    } catch {
      if (this.#stops.has(id)) {
        this.#mark(id, 'failed');
      }
    }
  }

  /** Nobody tells any more what runs. */
  lost(): void {
    this.#stops.clear();
    this.#stoppable.clear();
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #mark(id: string, stop: 'asked' | 'failed'): void {
    this.#stops.set(id, stop);
    this.#host.changed();
  }

  #describe(item: BackgroundItem, at: number): BackgroundTask {
    const id = idOf(item, at);
    const stop = this.#stops.get(id);
    const { canStop, title, index, output, size } = this.#look(item);
    return {
      ...{ id, kind: item.type, title: getLabel(title) },
      ...(output !== undefined && output !== '' && { output: endOf(output) }),
      ...(size !== undefined && { size }),
      ...(canStop && { canStop }),
      ...(stop !== undefined && { stop }),
      ...(index !== undefined && { index }),
    };
  }

  #look(item: BackgroundItem): {
    readonly title: string;
    readonly output?: string;
    readonly size?: TerminalSize | undefined;
    readonly canStop: boolean;
    readonly index?: number | undefined;
  } {
    const { transcript, terminals, subagents } = this.#host;
    switch (item.type) {
      case 'terminal': {
        const terminal = terminals.find(item.terminalId);
        const index = terminal?.calls.find((shown) => shown.transcript === transcript)?.index;
        return {
          title: terminal?.command || this.#titleAt(index) || l10n.t('Terminal'),
          output: terminal?.output ?? '',
          size: terminal?.state?.size,
          canStop: terminal?.canCancel === true,
          index,
        };
      }
      case 'toolCall': {
        const index = transcript.calls.get(item.toolCallId);
        const title = this.#titleAt(index) || l10n.t('Tool call');
        return { title, index, canStop: this.#stoppable.has(item.toolCallId) };
      }
      case 'subagent': {
        const subagent = subagents().find(item.sessionId);
        return {
          title: subagent?.title ?? l10n.t('Subagent'),
          canStop: subagent?.canCancel === true,
          index: subagent?.parent === undefined ? subagent?.index : undefined,
        };
      }
      case 'other':
        return { title: l10n.t('Other work ({0})', item.name), canStop: false };
    }
  }

  #titleAt(index: number | undefined): string | undefined {
    const entry = index === undefined ? undefined : this.#host.transcript.at(index);
    return entry?.kind === 'toolCall' ? entry.title : undefined;
  }
}

/** The last lines, without the rest of one that is cut. */
function endOf(output: string): string {
  const end = output.slice(-maxOutput);
  const line = end.length < output.length ? end.indexOf('\n') : -1;
  return end.slice(line + 1);
}

/** The same as long as the task runs, except for one of an unknown kind. */
function idOf(item: BackgroundItem, at: number): string {
  switch (item.type) {
    case 'terminal':
      return `terminal ${item.terminalId}`;
    case 'toolCall':
      return `toolCall ${item.toolCallId}`;
    case 'subagent':
      return `subagent ${item.sessionId}`;
    case 'other':
      return `other ${at}`;
  }
}
