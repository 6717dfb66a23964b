import type * as vscode from 'vscode';
import type { Log } from '../../model/ports';
import type { VsCodeSettings } from '../settings/settings';
import { WorkerSearchIndex } from './workerSearchIndex';

/** The index in the extension's global storage, shared by all windows on this machine. */
export function searchIndexOf(
  context: vscode.ExtensionContext,
  settings: VsCodeSettings,
  log: Log,
): WorkerSearchIndex {
  return new WorkerSearchIndex({
    program: context.asAbsolutePath('dist/searchWorker.js'),
    folder: `${context.globalStorageUri.fsPath}/search`,
    limit: () => settings.searchIndexLimit,
    log,
  });
}
