import os from 'node:os';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { findAgent, pickAgent } from '../../commands/agents/pickAgent';
import { type Agent, isConfigured } from '../../model/agent';
import { getFileName } from '../../model/files/fileName';
import { cleanText } from '../../model/text/titles';
import {
  showErrorMessage,
  showInformationMessage,
  showWarningMessage,
} from '../../platform/ui/messages';
import { byteSize } from '../../shared/byteSize';
import type { Disposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import { getStack } from '../../util/getStack';
import { tracesCommandIds } from './commandIds';
import {
  maxTraceBytes,
  recordTrace,
  type TraceEnd,
  type TraceHeader,
  type TraceRecorder,
  traceEnding,
} from './model/recordTrace';
import { problemWith } from './model/traceWords';
import type { TraceServices } from './traceServices';

interface Recording {
  readonly agent: Agent;
  readonly file: vscode.Uri;
  readonly recorder: TraceRecorder;
  readonly status: vscode.StatusBarItem;
}

/** The point at which the trace of an agent begins. */
type Beginning = 'restart' | TraceHeader['from'];

/** Traces that are being recorded, at most one for each agent; a status bar item shows each, and stops it. */
export class Recordings implements Disposable {
  readonly #services: TraceServices;
  readonly #all = new Map<string, Recording>();
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(services: TraceServices) {
    this.#services = services;
  }

  get isRecording(): boolean {
    return this.#all.size > 0;
  }

  /** "Record Trace…": of the agent of a row, the one with this id, or one that the user chooses. */
  async record(argument: unknown): Promise<void> {
    const { agents, tree } = this.#services;
    const named = typeof argument === 'string' ? agents.get(argument) : findAgent(tree, argument);
    const agent = named ?? (await pickAgent(this.#services, agents.all, l10n.t('Record Trace')));
    if (agent === undefined || !isConfigured(agent)) {
      return;
    }
    const known = this.#all.get(agent.id);
    if (known !== undefined) {
      await this.#offerToStop(known);
      return;
    }
    const texts = await askForTexts(agent);
    const file = texts && (await askForFile(agent));
    const beginning = file && (await this.#askForBeginning(agent));
    if (texts && file && beginning && !this.#all.has(agent.id)) {
      await this.#begin(agent, file, texts, beginning);
    }
  }

  /** "Stop Recording Trace": of the agent with this id, or of one that the user chooses. */
  async stop(argument: unknown): Promise<void> {
    const { agents, tree } = this.#services;
    const all = [...this.#all.values()];
    const id =
      typeof argument === 'string' ? agents.get(argument)?.id : findAgent(tree, argument)?.id;
    const agent =
      all.find((recording) => recording.agent.id === id)?.agent ??
      (await pickAgent(
        this.#services,
        all.map((recording) => recording.agent),
        l10n.t('Stop Recording Trace'),
      ));
    await this.#all.get(agent?.id ?? '')?.recorder.stop();
  }

  /** Ends all recordings, without a message: the window closes. */
  async end(): Promise<void> {
    await Promise.all([...this.#all.values()].map(({ recorder }) => recorder.stop()));
  }

  dispose(): void {
    for (const { status } of this.#all.values()) {
      status.dispose();
    }
    this.#changed.dispose();
  }

  /** Asks before a restart: what would be recorded before it isn't the beginning of a connection. */
  async #askForBeginning(agent: Agent): Promise<Beginning | undefined> {
    const { state } = agent;
    if (state.kind !== 'ready' && state.kind !== 'starting') {
      return 'start';
    }
    const title = cleanText(agent.title, 60);
    if (this.#services.sessions.all.some((session) => session.agent === agent && session.isBusy)) {
      void showInformationMessage(
        l10n.t('{0} is working, so its trace begins in the middle of the connection.', title),
      );
      return 'middle';
    }
    const [restart, middle] = [l10n.t('Restart and Record'), l10n.t('Record from Here')];
    const answer = await showInformationMessage(
      l10n.t('Restart {0}, so that its trace has the beginning of the connection?', title),
      {
        modal: true,
        detail: l10n.t(
          'Without the beginning, the trace lacks what the agent and its lists say at first.',
        ),
      },
      restart,
      middle,
    );
    return answer === restart ? 'restart' : answer === middle ? 'middle' : undefined;
  }

  async #begin(
    agent: Agent,
    file: vscode.Uri,
    texts: TraceHeader['texts'],
    beginning: Beginning,
  ): Promise<void> {
    const { taps, version } = this.#services;
    let recorder: TraceRecorder;
    try {
      recorder = await recordTrace(file.fsPath, {
        client: version,
        agent: cleanText(agent.title, 80),
        began: new Date().toISOString(),
        ...getBeginning(agent, beginning),
        texts,
      });
    } catch (error) {
      this.#services.traceLog.error(`${agent.id}: ${getStack(error)}`);
      const where = cleanText(file.fsPath, 200);
      void showErrorMessage(
        l10n.t('No trace was recorded: {0} can’t be written. {1}', where, problemWith(error)),
      );
      return;
    }
    if (beginning === 'restart') {
      await agent.stop();
    }
    const recording = { agent, file, recorder, status: getStatus(agent, file) };
    this.#all.set(agent.id, recording);
    taps.set(agent.id, (...taken) => recorder.take(...taken));
    void recorder.ended.then((end) => this.#ended(recording, end));
    this.#changed.fire();
    if (beginning === 'restart') {
      await agent.connect();
    }
  }

  #ended({ agent, file, recorder, status }: Recording, end: TraceEnd): void {
    const { taps, traceLog } = this.#services;
    taps.delete(agent.id);
    this.#all.delete(agent.id);
    status.dispose();
    this.#changed.fire();
    const title = cleanText(agent.title, 60);
    switch (end.kind) {
      case 'stopped':
        void offerToOpen(
          file,
          l10n.t('The trace of {0} has {1} messages.', title, recorder.messages),
        );
        break;
      case 'full':
        void showWarningMessage(
          l10n.t(
            'The trace of {0} has ended because it can’t be larger than {1}. What was recorded can be replayed.',
            title,
            byteSize(maxTraceBytes),
          ),
        );
        break;
      case 'slow':
        void showWarningMessage(
          l10n.t(
            'The trace of {0} has ended because its file couldn’t be written as fast as the agent sends. What was recorded can be replayed.',
            title,
          ),
        );
        break;
      case 'failed':
        traceLog.error(`${agent.id}: the trace has ended: ${String(end.error)}`);
        void showErrorMessage(
          l10n.t(
            'The trace of {0} has ended because {1} can’t be written. {2}',
            title,
            cleanText(file.fsPath, 200),
            problemWith(end.error),
          ),
        );
    }
  }

  async #offerToStop({ agent, recorder }: Recording): Promise<void> {
    const stop = l10n.t('Stop');
    const title = cleanText(agent.title, 60);
    const text = l10n.t('A trace of {0} is being recorded already.', title);
    if ((await showInformationMessage(text, stop)) === stop) {
      await recorder.stop();
    }
  }
}

function getBeginning(
  { state }: Agent,
  beginning: Beginning,
): Pick<TraceHeader, 'from' | 'protocol'> {
  if (beginning !== 'middle') {
    return { from: 'start' };
  }
  const protocol = state.kind === 'ready' ? state.connection.protocolVersion : undefined;
  return { from: 'middle', ...(protocol !== undefined && { protocol }) };
}

async function askForTexts(agent: Agent): Promise<TraceHeader['texts'] | undefined> {
  const items = [
    {
      label: l10n.t('With Placeholders for Texts'),
      detail: l10n.t(
        'Prompts, messages, paths and results become placeholders. To be sent to others.',
      ),
      texts: 'placeholders' as const,
    },
    {
      label: l10n.t('With Texts'),
      detail: l10n.t('Whatever you and the agent say, without keys and what looks like a secret.'),
      texts: 'kept' as const,
    },
  ];
  const title = l10n.t('Record Trace of {0}', cleanText(agent.title, 60));
  return (await vscode.window.showQuickPick(items, { title }))?.texts;
}

/** Proposes a file in the user's folder: a trace in the workspace may end up in a commit. */
async function askForFile(agent: Agent): Promise<vscode.Uri | undefined> {
  const now = new Date();
  const pad = (value: number): string => String(value).padStart(2, '0');
  const day = [now.getFullYear(), pad(now.getMonth() + 1), pad(now.getDate())].join('-');
  const name = `${agent.title} ${day} ${pad(now.getHours())}-${pad(now.getMinutes())}`;
  return vscode.window.showSaveDialog({
    title: l10n.t('Record Trace of {0}', cleanText(agent.title, 60)),
    saveLabel: l10n.t('Record'),
    defaultUri: vscode.Uri.file(path.join(os.homedir(), getFileName(name, `.${traceEnding}`))),
    filters: { [l10n.t('Trace')]: [traceEnding] },
  });
}

function getStatus(agent: Agent, file: vscode.Uri): vscode.StatusBarItem {
  const title = cleanText(agent.title, 60);
  const item = vscode.window.createStatusBarItem(
    `trace ${agent.id}`,
    vscode.StatusBarAlignment.Left,
  );
  item.name = l10n.t('Trace of {0}', title);
  // An agent's name must not become an icon.
  item.text = `$(record) ${title.replaceAll('$(', '$ (')}`;
  item.tooltip = l10n.t(
    'A trace of {0} is being recorded to {1}. Click to stop.',
    title,
    cleanText(file.fsPath, 200),
  );
  item.accessibilityInformation = { label: item.tooltip, role: 'button' };
  item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
  item.command = {
    title: l10n.t('Stop Recording Trace'),
    command: tracesCommandIds.stopTrace,
    arguments: [agent.id],
  };
  item.show();
  return item;
}

async function offerToOpen(file: vscode.Uri, text: string): Promise<void> {
  const [open, replay] = [l10n.t('Open'), l10n.t('Replay')];
  const answer = await showInformationMessage(text, open, replay);
  if (answer === open) {
    await vscode.commands.executeCommand('vscode.open', file);
  } else if (answer === replay) {
    await vscode.commands.executeCommand(tracesCommandIds.replayTrace, file);
  }
}
