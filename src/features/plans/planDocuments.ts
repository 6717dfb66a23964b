import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { cleanText } from '../../model/text/titles';
import type { ReadOnlyDocuments } from '../../platform/files/readOnlyDocuments';
import { openLink, type PathContext } from '../../platform/openers';
import { DisposableStore } from '../../util/disposable';
import { sessionFile, textOfFile } from '../../views/sessionFiles';
import type { PanelSession } from '../../views/transcript/tabs/panelSession';
import { type FoundPlan, findLatest, findPlan } from './findPlan';
import { getPlanText } from './model/planText';

/** The documents of plans that are open, so that none is opened twice. */
export class PlanDocuments {
  readonly #documents: ReadOnlyDocuments;
  readonly #opened = new WeakMap<PanelSession, Map<string, vscode.Uri>>();

  constructor(documents: ReadOnlyDocuments) {
    this.#documents = documents;
  }

  /**
   * "Open Plan": the file that the agent keeps it in, if that is in a folder of the session, otherwise a document beside
   * the transcript that follows the plan.
   */
  async open(services: Parameters<typeof findPlan>[0], argument: unknown): Promise<void> {
    const found = findPlan(services, argument);
    if (found === undefined) {
      return;
    }
    const { panel, plan } = found;
    const [block] = plan.blocks ?? [];
    if (block?.type === 'resource_link') {
      await openLink(block.uri, panel.paths);
      return;
    }
    const uri = (await findFile(plan.path, panel.paths)) ?? this.#documentOf(found);
    await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Beside });
  }

  #documentOf(found: FoundPlan): vscode.Uri {
    const { session } = found.panel;
    const known = this.#opened.get(session) ?? new Map<string, vscode.Uri>();
    this.#opened.set(session, known);
    const key = `${found.place} ${found.plan.planId}`;
    const opened = known.get(key);
    if (opened !== undefined && this.#documents.has(opened)) {
      return opened;
    }
    // One of an earlier turn, which has changed since, stays as it was then.
    const isLatest = findLatest(found) === found.plan;
    const uri = this.#documents.addLive(`${getName(session)}.md`, {
      read: () => {
        const plan = isLatest ? findLatest(found) : found.plan;
        return plan && getPlanText(plan);
      },
      listen: (changed) => {
        const store = new DisposableStore();
        store.add(session.shown.onDidChange(changed));
        store.add(session.shown.onDidChangeNested(changed));
        return store;
      },
    });
    known.set(key, uri);
    return uri;
  }
}

function getName({ title }: PanelSession): string {
  return l10n.t('Plan of {0}', cleanText(title, 40));
}

/** A file that can be shown as a text, and needs no question. */
async function findFile(
  named: string | undefined,
  paths: PathContext,
): Promise<vscode.Uri | undefined> {
  if (named === undefined || !path.isAbsolute(named)) {
    return undefined;
  }
  const file = await sessionFile(named, paths);
  const isText = file.kind === 'there' && (await textOfFile(file.real)) !== undefined;
  return isText ? vscode.Uri.file(file.path) : undefined;
}
