import * as l10n from '@vscode/l10n';
import type { HeaderFact } from '../../shared/transcript/webviewMessages';
import { checkText } from '../../views/checkWords';
import { exactTime } from '../../views/dates';
import type { CheckRun } from './model/checkRuns';

/** What the header of a session says of its last check. */
export function checkFacts(run: CheckRun | undefined): readonly HeaderFact[] {
  if (run === undefined) {
    return [];
  }
  const { order, reason, began, folder } = run;
  const title = [
    order.command,
    ...(reason ? [reason] : []),
    exactTime(began),
    ...(folder ? [l10n.t('Commit {0}', folder.commit.slice(0, 10))] : []),
  ].join('\n');
  return [{ icon: getIcon(run), text: checkText(run), title, opens: 'check' }];
}

function getIcon({ state, isStale }: CheckRun): HeaderFact['icon'] {
  switch (state) {
    case 'running':
      return 'loading';
    case 'passed':
      return isStale ? 'warning' : 'pass';
    case 'failed':
      return 'error';
    case 'stopped':
      return 'circle-slash';
  }
}
