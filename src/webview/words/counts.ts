import * as l10n from '@vscode/l10n';
import { formatNumber } from './format';

/* Localized counts: one text for 1, another for all other numbers. */

export function entryCount(count: number): string {
  return count === 1 ? l10n.t('1 entry') : l10n.t('{0} entries', formatNumber(count));
}

export function updateCount(count: number): string {
  return count === 1 ? l10n.t('1 update') : l10n.t('{0} updates', formatNumber(count));
}

export function fileCount(count: number): string {
  return count === 1 ? l10n.t('1 file') : l10n.t('{0} files', formatNumber(count));
}

export function attachmentCount(count: number): string {
  return count === 1 ? l10n.t('1 attachment') : l10n.t('{0} attachments', formatNumber(count));
}

export function queuedCount(count: number): string {
  return count === 1
    ? l10n.t('1 prompt queued')
    : l10n.t('{0} prompts queued', formatNumber(count));
}

export function unsentCount(count: number): string {
  return count === 1
    ? l10n.t('1 prompt not sent')
    : l10n.t('{0} prompts not sent', formatNumber(count));
}

export function addedLines(count: number): string {
  return count === 1 ? l10n.t('1 line added') : l10n.t('{0} lines added', formatNumber(count));
}

export function removedLines(count: number): string {
  return count === 1 ? l10n.t('1 line removed') : l10n.t('{0} lines removed', formatNumber(count));
}

export function backgroundTasks(count: number): string {
  return count === 1
    ? l10n.t('1 task is still running in the background')
    : l10n.t('{0} tasks are still running in the background', formatNumber(count));
}
