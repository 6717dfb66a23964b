import { randomUUID } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { findAgent, pickAmong } from '../../commands/agents/pickAgent';
import type { Agent } from '../../model/agent';
import type { AgentConfig } from '../../model/ports';
import { cleanText } from '../../model/text/titles';
import { viewIds } from '../../platform/ids';
import { programTexts } from '../../platform/programTexts';
import { bundledAgent } from '../../platform/settings/bundledAgent';
import {
  showErrorMessage,
  showInformationMessage,
  showWarningMessage,
} from '../../platform/ui/messages';
import { withCancel } from '../../platform/ui/withCancel';
import type { Disposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import { getStack } from '../../util/getStack';
import { type CheckedTrace, checkTrace } from './model/openedTrace';
import { traceEnding } from './model/recordTrace';
import { problemWith } from './model/traceWords';
import type { TraceServices } from './traceServices';

/** The traces that are open, each as an agent of this window whose sessions can only be read. */
export class Replays implements Disposable {
  readonly #services: TraceServices;
  #all: readonly AgentConfig[] = [];
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(services: TraceServices) {
    this.#services = services;
  }

  /** The agents that replay traces. */
  get agents(): readonly Agent[] {
    return this.#all.flatMap(({ id }) => this.#services.agents.get(id) ?? []);
  }

  /** "Replay Trace…": the file at this address, or one that the user chooses. */
  async open(argument: unknown): Promise<void> {
    const [folder] = this.#services.workspace.folders;
    if (folder === undefined) {
      void showInformationMessage(l10n.t('Open a folder first: sessions belong to folders.'));
      return;
    }
    const file = argument instanceof vscode.Uri ? argument : await askForFile();
    const trace = file && (await this.#check(file));
    if (file === undefined || trace === undefined) {
      return;
    }
    const title = cleanText(path.basename(file.fsPath, path.extname(file.fsPath)), 60);
    const { command, args, env } = bundledAgent(this.#services.context, 'replayAgent', [
      file.fsPath,
      folder.path,
    ]);
    const config: AgentConfig = {
      // Never used again: a tab that is left over must not lead to another trace.
      id: `${title} ${randomUUID().slice(0, 8)}`,
      ...{ title, command, args, cwd: undefined },
      env: { ...env, ...programTexts() },
      protocol: trace.protocol,
      ofWindow: true,
    };
    this.#services.view.unfoldAgent(config.id);
    this.#set([...this.#all, config]);
    await vscode.commands.executeCommand(`${viewIds.sessions}.focus`);
    if (trace.unusable > 0) {
      void showWarningMessage(
        l10n.t(
          '{0} lines of {1} can’t be used and are left out: they are cut off, damaged, or not of this format.',
          trace.unusable,
          config.title,
        ),
      );
    }
  }

  /** "Close Trace": that of a row, or one that the user chooses. */
  async close(argument: unknown): Promise<void> {
    const { agents } = this;
    const named = findAgent(this.#services.tree, argument);
    const agent =
      agents.find((other) => other === named) ??
      (await pickAmong(this.#services, agents, l10n.t('Close Trace')));
    if (agent === undefined) {
      return;
    }
    const { sessions, tabs } = this.#services;
    const open = sessions.all.filter((session) => session.agent === agent);
    await Promise.all(open.map(({ info }) => tabs.close(agent.id, info.sessionId)));
    await agent.stop();
    this.#set(this.#all.filter(({ id }) => id !== agent.id));
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #set(all: readonly AgentConfig[]): void {
    this.#all = all;
    this.#services.settings.setAgentsOfWindow(all);
    this.#changed.fire();
  }

  /** Tells the user if a file isn't a trace. */
  async #check({ fsPath }: vscode.Uri): Promise<CheckedTrace | undefined> {
    const name = cleanText(path.basename(fsPath), 100);
    try {
      return await withCancel(l10n.t('Reading {0}', name), (signal) => checkTrace(fsPath, signal));
    } catch (error) {
      if (!(error instanceof Error && error.name === 'AbortError')) {
        this.#services.traceLog.error(`${fsPath}: ${getStack(error)}`);
        void showErrorMessage(l10n.t('{0} can’t be replayed. {1}', name, problemWith(error)));
      }
      return undefined;
    }
  }
}

async function askForFile(): Promise<vscode.Uri | undefined> {
  const files = await vscode.window.showOpenDialog({
    title: l10n.t('Replay Trace'),
    openLabel: l10n.t('Replay'),
    defaultUri: vscode.Uri.file(os.homedir()),
    filters: { [l10n.t('Trace')]: [traceEnding, 'jsonl'], [l10n.t('All Files')]: ['*'] },
  });
  return files?.[0];
}
