import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents';
import type { ReadOnlyDocuments } from '../../platform/files/readOnlyDocuments';
import { commandIds } from '../../platform/ids';
import { showInformationMessage } from '../../platform/ui/messages';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import { usageCommandIds } from './commandIds';
import type { UsageCounter } from './model/usageCounter';
import { usageCsv } from './model/usageCsv';
import type { UsageFiles } from './model/usageFiles';
import { usageMarkdown } from './model/usageMarkdown';
import { sumUsage, type UsageGroup } from './model/usageSums';

/** Names what is counted among the stored data. */
export const storedUsageId = 'usage';

export interface UsageViewServices {
  readonly agents: Pick<Agents, 'get'>;
  readonly documents: ReadOnlyDocuments;
  readonly counter: UsageCounter;
  readonly files: UsageFiles;
}

/** The usage of all agents as a read-only document, with a CodeLens for what can be done with it. */
export class UsageView implements Disposable, vscode.CodeLensProvider {
  readonly #services: UsageViewServices;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  #text = '';
  #uri: vscode.Uri | undefined;

  constructor(services: UsageViewServices) {
    this.#services = services;
    this.#store.add(vscode.languages.registerCodeLensProvider({ pattern: '**/*.usage.md' }, this));
    this.#store.add(services.counter.onDidAdd(() => void this.#refresh()));
  }

  /** "Show Usage": all windows show what is counted by then, and each follows its own turns. */
  async show(): Promise<void> {
    await this.#services.counter.flush();
    this.#text = await this.#write();
    await vscode.window.showTextDocument(this.#document(), { preview: false });
    this.#changed.fire();
  }

  /** "Export Usage as CSV…" */
  async export(): Promise<void> {
    await this.#services.counter.flush();
    const groups = await this.#sum();
    if (groups.length === 0) {
      void showInformationMessage(
        l10n.t('Nothing is counted yet. Send a prompt to an agent first.'),
      );
      return;
    }
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const file = await vscode.window.showSaveDialog({
      title: l10n.t('Export Usage as CSV'),
      saveLabel: l10n.t('Export'),
      ...(folder && { defaultUri: vscode.Uri.joinPath(folder, 'agent-usage.csv') }),
      filters: { CSV: ['csv'] },
    });
    if (file !== undefined) {
      await vscode.workspace.fs.writeFile(file, Buffer.from(usageCsv(groups, this.#nameOf)));
      void showInformationMessage(
        l10n.t('Exported the usage to {0}.', vscode.workspace.asRelativePath(file)),
      );
    }
  }

  /** Deletes what all windows have counted. */
  async clear(): Promise<void> {
    await this.#services.counter.flush();
    await this.#services.files.clear();
    await this.#refresh();
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    if (uri.toString() !== this.#uri?.toString()) {
      return [];
    }
    const top = new vscode.Range(0, 0, 0, 0);
    return [
      new vscode.CodeLens(top, {
        title: l10n.t('Export as CSV…'),
        command: usageCommandIds.exportUsage,
      }),
      new vscode.CodeLens(top, {
        title: l10n.t('Clear…'),
        command: commandIds.clearStoredData,
        arguments: [storedUsageId],
      }),
    ];
  }

  dispose(): void {
    this.#store.dispose();
  }

  #document(): vscode.Uri {
    const { documents } = this.#services;
    if (this.#uri !== undefined && documents.has(this.#uri)) {
      return this.#uri;
    }
    this.#uri = documents.addLive(`${l10n.t('Agents')}.usage.md`, {
      read: () => this.#text,
      listen: (changed) => this.#changed.event(changed),
    });
    return this.#uri;
  }

  async #refresh(): Promise<void> {
    if (this.#uri !== undefined && this.#services.documents.has(this.#uri)) {
      this.#text = await this.#write();
      this.#changed.fire();
    }
  }

  async #write(): Promise<string> {
    return usageMarkdown(await this.#sum(), this.#nameOf);
  }

  #sum(): Promise<readonly UsageGroup[]> {
    return sumUsage(this.#services.files.months());
  }

  /** The title of an agent, as long as it is configured. */
  readonly #nameOf = (id: string): string => this.#services.agents.get(id)?.title ?? id;
}
