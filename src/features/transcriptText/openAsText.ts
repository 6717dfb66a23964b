import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandTarget } from '../../commands/session/sessionTarget';
import { withText } from './borrowSession';
import type { TextServices } from './textServices';

/** Opens the transcript as a document, for VS Code's own find, outline, preview and comparison. */
export async function openAsText(services: TextServices, target: CommandTarget): Promise<void> {
  const uri = await textFile(services, target);
  if (uri !== undefined) {
    await vscode.window.showTextDocument(uri, { preview: false });
  }
}

/** The URI of a session's text; `undefined` if it can't be read, which the user is told. */
export function textFile(
  services: TextServices,
  target: CommandTarget,
): Promise<vscode.Uri | undefined> {
  return withText(
    services,
    target,
    (session) => l10n.t('Reading {0}', session),
    (source) => services.transcriptFiles.add(target.agent, source),
  );
}
