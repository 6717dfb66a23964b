import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandServices } from '../../commands/session/commandServices';
import { comparablePath } from '../../model/files/paths';
import type { Log, WorkspaceFolder } from '../../model/ports';
import { typedParts } from '../../model/text/searchWords';
import { cleanText } from '../../model/text/titles';
import { realPath } from '../../platform/files/realPath';
import { settingsSection } from '../../platform/ids';
import { showInformationMessage } from '../../platform/ui/messages';
import { withCancel } from '../../platform/ui/withCancel';
import { touchItem } from './hitItems';
import { indexFolder } from './model/indexFolder';
import type { SearchIndex } from './model/searchIndex';
import { type Fits, getFits } from './model/searchPlace';
import type { SessionIndexer } from './model/sessionIndexer';
import { openHit } from './openHit';
import { pickHit } from './searchPicker';
import { searchSettingKeys, searchSettings } from './settings';

export interface SearchServices extends CommandServices {
  readonly search: {
    readonly index: SearchIndex;
    readonly indexer: SessionIndexer;
    readonly log: Log;
  };
}

/** Pause between two sessions that are loaded to be indexed, in ms. */
const pause = 200;

/** "Search in Conversations…". */
export async function searchConversations(services: SearchServices): Promise<void> {
  if (await isIndexing()) {
    const { agents, workspace, panels } = services;
    const { index } = services.search;
    const picked = await pickHit({ agents, workspace, index });
    if (picked !== undefined) {
      const { hit, text } = picked;
      await openHit({ agents, panels, index }, hit, getFits(hit, text), typedParts(text));
    }
  }
}

/** "Sessions That Touched This File": the Explorer's file, an editor tab's, or the active editor's. */
export async function searchFile(services: SearchServices, argument: unknown): Promise<void> {
  const uri =
    argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
  if (uri?.scheme !== 'file') {
    void showInformationMessage(l10n.t('Open a file, or choose one in the explorer.'));
    return;
  }
  if (!(await isIndexing())) {
    return;
  }
  const { agents, workspace, panels } = services;
  const { index } = services.search;
  const spellings = [uri.fsPath, (await realPath(uri.fsPath)) ?? uri.fsPath];
  const files = [...new Set(spellings.map(comparablePath))];
  const hits = await index.touching(files);
  const name = cleanText(vscode.workspace.asRelativePath(uri), 120);
  if (hits.length === 0) {
    void showInformationMessage(
      l10n.t(
        'No session that was opened here has touched {0}. “Index All Sessions of This Folder” looks into the others, too.',
        name,
      ),
    );
    return;
  }
  const items = hits.map((hit) => touchItem(hit, { agents, workspace }));
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t('Sessions That Touched This File'),
    placeHolder: name,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked !== undefined) {
    const { act } = picked.hit;
    const did: Fits = ({ touches }) =>
      touches.some((touch) => touch.act === act && files.includes(touch.file));
    await openHit({ agents, panels, index }, picked.hit, [did]);
  }
}

/** "Index All Sessions of This Folder": of the folder whose row is given, otherwise of all folders. */
export async function indexSessions(services: SearchServices, argument: unknown): Promise<void> {
  const folders = getFolders(services, argument);
  if (folders.length === 0) {
    void showInformationMessage(l10n.t('Open a folder first: sessions belong to folders.'));
    return;
  }
  if (!(await isIndexing())) {
    return;
  }
  const { agents, sessions, panels } = services;
  const { indexer, log } = services.search;
  const isShown = (agentId: string, sessionId: string): boolean => panels.has(agentId, sessionId);
  const options = { agents, sessions, indexer, log, isShown, pause };
  const { indexed, failed, skipped } = await withCancel(
    l10n.t('Indexing sessions'),
    (signal, report) =>
      indexFolder(options, folders, signal, ({ done, total }) =>
        report(l10n.t('{0} of {1}', done, total), 100 / total),
      ),
  );
  const names = skipped.map((title) => cleanText(title, 60)).join(', ');
  const parts = [
    indexed === 1
      ? l10n.t('1 session was indexed.')
      : l10n.t('{0} sessions were indexed.', indexed),
    ...(failed > 0 ? [l10n.t('{0} could not be loaded.', failed)] : []),
    ...(names === ''
      ? []
      : [l10n.t('Left out, because they can’t load and close sessions: {0}.', names)]),
  ];
  void showInformationMessage(parts.join(' '));
}

function getFolders(
  { tree, workspace }: SearchServices,
  argument: unknown,
): readonly WorkspaceFolder[] {
  const folder = tree.isNode(argument) && 'list' in argument ? argument.list.folder : undefined;
  return folder === undefined ? workspace.folders : [folder];
}

/** If indexing is off, tells the user and offers the setting. */
async function isIndexing(): Promise<boolean> {
  if (searchSettings.searchIndex !== 'off') {
    return true;
  }
  const open = l10n.t('Open Settings');
  const answer = await showInformationMessage(
    l10n.t('The search index is off, so conversations can’t be searched.'),
    open,
  );
  if (answer === open) {
    await vscode.commands.executeCommand(
      'workbench.action.openSettings',
      `${settingsSection}.${searchSettingKeys.searchIndex}`,
    );
  }
  return false;
}
