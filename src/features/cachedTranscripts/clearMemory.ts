import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ListMemory } from './model/listMemory';
import type { TranscriptCache } from './model/transcriptCache';

/** "Clear Remembered Lists". */
export function clearRememberedLists(memory: Pick<ListMemory, 'clear'>): void {
  memory.clear();
  vscode.window.setStatusBarMessage(l10n.t('Remembered lists cleared'), 3000);
}

/** "Clear Cached Transcripts". */
export async function clearCachedTranscripts(
  cache: Pick<TranscriptCache, 'clear'>,
  memory: Pick<ListMemory, 'keepConfigured'>,
): Promise<void> {
  await cache.clear();
  // Of agents that aren't configured any more, nothing can be read then.
  memory.keepConfigured();
  vscode.window.setStatusBarMessage(l10n.t('Cached transcripts cleared'), 3000);
}
