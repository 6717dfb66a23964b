import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { findEntry } from '../../commands/transcript/findEntry';
import { toSavedTranscript } from '../../model/kept/savedTranscript';
import { cleanText } from '../../model/text/titles';
import { readLink } from '../../platform/ui/links';
import { showInformationMessage } from '../../platform/ui/messages';
import type { MessageEntry } from '../../shared/transcript/entries';
import { isObject } from '../../util/json';
import { sessionFile } from '../../views/sessionFiles';
import { keepComment, sayNoSession } from './commentActions';
import { findSession } from './commentPlaces';
import { linesOf, textOf } from './followDocuments';
import { keptText } from './model/comment';
import { saidAbout } from './model/saidAbout';
import type { SendingParts } from './sendComments';

/**
 * "Take as Comment": makes what a message says about lines that it names a comment on these lines, for the session that
 * has changed the file. Sends nothing.
 */
export async function takeComment(parts: SendingParts, argument: unknown): Promise<void> {
  const panel = parts.panels.recent;
  const entry = panel?.session.shown.at(findEntry(argument) ?? -1);
  const mention = isObject(argument) ? argument['acpSessionsLines'] : undefined;
  if (panel === undefined || entry?.kind !== 'agent' || typeof mention !== 'string') {
    return;
  }
  const { session, paths } = panel;
  const link = readLink(mention, paths.cwd);
  const found = link.kind === 'file' ? await sessionFile(link.path, paths) : undefined;
  if (link.kind !== 'file' || link.line === undefined || found?.kind !== 'there') {
    void showInformationMessage(l10n.t('This file isn’t in the session’s folders any more.'));
    return;
  }
  const uri = vscode.Uri.file(found.path);
  const target = await findSession(parts, { file: found.path });
  if (target === undefined) {
    sayNoSession();
    return;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const clamp = (line: number): number => Math.min(Math.max(line, 1), document.lineCount) - 1;
  const lines = { first: clamp(link.line), last: clamp(link.last ?? link.line) };
  const name = cleanText(session.agent.title, 60);
  const said = `${name}: ${saidAbout(textIn(entry), mention) || mention}`;
  const text = keptText(textOf(lines, linesOf(document)));
  parts.follow.begin(document);
  const comment = { file: found.path, ...lines, text, said: [said] };
  if (keepComment(parts.comments.add(toSavedTranscript(target), comment, () => undefined))) {
    const selection = new vscode.Range(lines.first, 0, lines.first, 0);
    await vscode.window.showTextDocument(document, { selection });
  }
}

function textIn({ blocks }: MessageEntry): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n');
}
