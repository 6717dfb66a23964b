import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { getStack } from '../../util/getStack';
import { isObject, parseJson } from '../../util/json';
import { onDidFailToLoad } from '../../util/part';
import type { OutputLog } from './log';
import { showErrorMessage } from './messages';

/**
 * Tells the user, once in a window, that a part of the extension couldn't be loaded. If another version was installed in
 * its place meanwhile, reloading the window helps.
 */
export function tellOfMissingParts(
  { extension }: Pick<vscode.ExtensionContext, 'extension'>,
  log: OutputLog,
): vscode.Disposable {
  let hasTold = false;
  return onDidFailToLoad((error) => {
    log.component('extension').error(getStack(error));
    if (!hasTold) {
      hasTold = true;
      void tell(extension, log);
    }
  });
}

async function tell(
  { extensionPath, packageJSON }: vscode.Extension<unknown>,
  log: OutputLog,
): Promise<void> {
  const { version } = packageJSON as { version: string };
  if ((await versionIn(extensionPath)) === version) {
    const showLog = l10n.t('Show Log');
    const text = l10n.t('A part of ACP Sessions could not be loaded. Try again, or reinstall it.');
    if ((await showErrorMessage(text, showLog)) === showLog) {
      log.show();
    }
    return;
  }
  const reload = l10n.t('Reload Window');
  const text = l10n.t('ACP Sessions was updated. Reload the window to continue.');
  if ((await showErrorMessage(text, reload)) === reload) {
    await vscode.commands.executeCommand('workbench.action.reloadWindow');
  }
}

/** The version of the extension that is installed there now. */
async function versionIn(folder: string): Promise<unknown> {
  try {
    const manifest = parseJson(await readFile(path.join(folder, 'package.json'), 'utf8'));
    return isObject(manifest) ? manifest['version'] : undefined;
  } catch {
    return undefined;
  }
}
