import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type CommandTarget, getTargets } from '../../commands/session/sessionTarget';
import { withText } from './borrowSession';
import type { TextServices } from './textServices';

/**
 * "Open as Text": the transcript as a document, for VS Code's own find, outline, preview and
 * comparison.
 */
export async function openAsText(
  services: TextServices,
  argument: unknown,
  selection: unknown,
): Promise<void> {
  for (const target of getTargets(services, argument, selection)) {
    const uri = await textFile(services, target);
    if (uri !== undefined) {
      await vscode.window.showTextDocument(uri, { preview: false });
    }
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
