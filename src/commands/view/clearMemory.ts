import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LateTranscriptCache } from '../../model/cachedTranscripts/lateTranscriptCache';
import type { LateListMemory } from '../../model/memory/lateListMemory';

/** "Clear Remembered Lists". */
export async function clearRememberedLists(memory: Pick<LateListMemory, 'clear'>): Promise<void> {
  await memory.clear();
  vscode.window.setStatusBarMessage(l10n.t('Remembered lists cleared'), 3000);
}

/** "Clear Cached Transcripts". */
export async function clearCachedTranscripts(
  cache: Pick<LateTranscriptCache, 'clear'>,
  memory: Pick<LateListMemory, 'load'>,
): Promise<void> {
  await cache.clear();
  // Of agents that aren't configured any more, nothing can be read then.
  (await memory.load()).keepConfigured();
  vscode.window.setStatusBarMessage(l10n.t('Cached transcripts cleared'), 3000);
}
