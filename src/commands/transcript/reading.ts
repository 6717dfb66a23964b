import * as l10n from '@vscode/l10n';
import { commandIds } from '../../platform/ids';
import type { TranscriptPanel } from '../../views/transcript/tabs/panel';
import type { TranscriptPanels } from '../../views/transcript/tabs/panels';
import type { CommandTable } from '../run';
import { findEntry } from './findEntry';
import { pickTurn } from './pickTurn';
import { chooseFold, chooseStep } from './readingChoices';

/** Navigating, folding and copying in a transcript; all for the active tab. */
export function readingCommands(panels: TranscriptPanels) {
  return {
    [commandIds.go]: (argument) => go(panels.active, argument),
    [commandIds.fold]: (argument) => fold(panels.active, argument),
    [commandIds.copyEntry]: (argument) =>
      panels.active?.copy('entry', findEntry(argument), findEntry(argument, 'last')),
    [commandIds.copyTurn]: (argument) => panels.active?.copy('turn', findEntry(argument)),
    [commandIds.copyCode]: () => panels.active?.copy('code'),
  } satisfies Partial<CommandTable>;
}

async function goToTurn(panel: TranscriptPanel): Promise<void> {
  const index = await pickTurn(panel, { title: l10n.t('Go to Turn') });
  if (typeof index === 'number') {
    panel.reveal(index);
  }
}

/** "Go to Place in Transcript…": a key says which, otherwise the user is asked. */
async function go(panel: TranscriptPanel | undefined, argument: unknown): Promise<void> {
  const step = panel && (await chooseStep(argument));
  if (step?.to === 'latest') {
    panel?.send('jumpToLatest');
  } else if (step?.direction !== undefined) {
    panel?.go(step.to, step.direction);
  } else if (step !== undefined && panel !== undefined) {
    await goToTurn(panel);
  }
}

/** "Collapse or Expand…": a key says which, otherwise the user is asked. */
async function fold(panel: TranscriptPanel | undefined, argument: unknown): Promise<void> {
  const choice = panel && (await chooseFold(argument));
  if (choice !== undefined) {
    panel?.fold(choice.what, choice.open);
  }
}
