import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { textWriter } from '../../../model/transcript/textWriter';
import type { Entry } from '../../../shared/transcript/entries';
import type { CodePlace } from '../../../shared/transcript/webviewMessages';
import type { Outline } from '../feed/outlineFeed';
import type { PanelSession } from '../tabs/panelSession';
import { codeAt } from './code';

/** How long the status bar shows the confirmation, in ms. */
const shown = 3000;

/**
 * Copies the entries from `index` to `last`, inclusive: a single message as written, all else as
 * Markdown.
 */
export async function copyEntries(
  { shown, agent }: PanelSession,
  index: number,
  last: number,
): Promise<void> {
  const entries = shown.entries.slice(index, last + 1);
  const [entry] = entries;
  if (entry === undefined) {
    return;
  }
  const isOne = entries.length === 1;
  await copied(
    (isOne ? writtenText(entry) : undefined) ?? (await getMarkdown(entries, agent.title)),
    isOne ? l10n.t('Entry copied') : l10n.t('{0} entries copied', entries.length),
  );
}

/** Copies the turn that an entry belongs to, as Markdown; before the first prompt, just the entry. */
export async function copyTurn(
  session: PanelSession,
  outline: Outline,
  index: number,
): Promise<void> {
  const { entries } = session.shown;
  const turn = index < entries.length ? outline.findTurn(index) : undefined;
  if (turn === undefined) {
    await copyEntries(session, index, index);
    return;
  }
  const { start, end } = outline.getRange(turn);
  const text = await getMarkdown(entries.slice(start, end), session.agent.title);
  await copied(text, l10n.t('Turn {0} copied', turn.number));
}

export async function copyCode(session: PanelSession, place: CodePlace): Promise<void> {
  const code = await codeAt(session, place);
  if (code !== undefined) {
    await copied(code, l10n.t('Code copied'));
  }
}

/** The text of a message that contains nothing else. */
function writtenText(entry: Entry): string | undefined {
  if (entry.kind !== 'user' && entry.kind !== 'agent' && entry.kind !== 'thought') {
    return undefined;
  }
  const texts = entry.blocks.map((block) => (block.type === 'text' ? block.text : undefined));
  return texts.includes(undefined) ? undefined : texts.join('\n\n');
}

async function getMarkdown(entries: readonly Entry[], agentTitle: string): Promise<string> {
  const { entryMarkdown } = await textWriter();
  return entries.map((entry) => `${entryMarkdown(entry, { agentTitle })}\n`).join('\n');
}

async function copied(text: string, note: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(note, shown);
}
