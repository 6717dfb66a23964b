import * as l10n from '@vscode/l10n';
import type { KnownCheck } from '../model/checks/providedChecks';

/** How a check went, in a few words. */
export function checkText({ state, isStale }: KnownCheck): string {
  switch (state) {
    case 'running':
      return l10n.t('Check running');
    case 'passed':
      return isStale ? l10n.t('Check passed before later changes') : l10n.t('Check passed');
    case 'failed':
      return isStale ? l10n.t('Check failed before later changes') : l10n.t('Check failed');
    case 'stopped':
      return l10n.t('Check stopped');
  }
}

/** The same beside the word "Check". */
export function checkResult({ state, isStale }: KnownCheck): string {
  switch (state) {
    case 'running':
      return l10n.t('Running');
    case 'passed':
      return isStale ? l10n.t('Passed before later changes') : l10n.t('Passed');
    case 'failed':
      return isStale ? l10n.t('Failed before later changes') : l10n.t('Failed');
    case 'stopped':
      return l10n.t('Stopped');
  }
}

/** The same for a row, which has little room; `undefined` where it says nothing. */
export function checkMark({ state, isStale }: KnownCheck): string | undefined {
  switch (state) {
    case 'running':
      return l10n.t('checking');
    case 'passed':
    case 'failed':
      return isStale ? l10n.t('check outdated') : rowMarks[state]();
    case 'stopped':
      return undefined;
  }
}

const rowMarks = { passed: () => l10n.t('✓ check'), failed: () => l10n.t('✗ check') };
