import * as l10n from '@vscode/l10n';
import { commandIds } from '../../platform/ids';
import type { TranscriptPanel } from '../../views/transcript/tabs/panel';
import type { TranscriptPanels } from '../../views/transcript/tabs/panels';
import type { CommandTable } from '../run';
import { findEntry } from './findEntry';
import { pickTurn } from './pickTurn';

/** Navigating, folding and copying in a transcript; all for the active tab. */
export function readingCommands(panels: TranscriptPanels) {
  return {
    [commandIds.goToTurn]: () => goToTurn(panels.active),
    [commandIds.nextTurn]: () => panels.active?.go('turn', 'next'),
    [commandIds.previousTurn]: () => panels.active?.go('turn', 'previous'),
    [commandIds.nextToolCall]: () => panels.active?.go('toolCall', 'next'),
    [commandIds.previousToolCall]: () => panels.active?.go('toolCall', 'previous'),
    [commandIds.nextChange]: () => panels.active?.go('diff', 'next'),
    [commandIds.previousChange]: () => panels.active?.go('diff', 'previous'),
    [commandIds.nextError]: () => panels.active?.go('error', 'next'),
    [commandIds.previousError]: () => panels.active?.go('error', 'previous'),
    [commandIds.foldAll]: () => panels.active?.fold('all', false),
    [commandIds.unfoldAll]: () => panels.active?.fold('all', true),
    [commandIds.foldThoughts]: () => panels.active?.fold('thought', false),
    [commandIds.unfoldThoughts]: () => panels.active?.fold('thought', true),
    [commandIds.foldToolCalls]: () => panels.active?.fold('tool', false),
    [commandIds.unfoldToolCalls]: () => panels.active?.fold('tool', true),
    [commandIds.copyEntry]: (argument) =>
      panels.active?.copy('entry', findEntry(argument), findEntry(argument, 'last')),
    [commandIds.copyTurn]: (argument) => panels.active?.copy('turn', findEntry(argument)),
    [commandIds.copyCode]: () => panels.active?.copy('code'),
  } satisfies Partial<CommandTable>;
}

/** "Go to Turn…" */
async function goToTurn(panel: TranscriptPanel | undefined): Promise<void> {
  const index = panel && (await pickTurn(panel, l10n.t('Go to Turn')));
  if (index !== undefined) {
    panel?.reveal(index);
  }
}
