import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { TurnTimes } from '../../shared/transcript/entries';
import { durationText, exactTime, timeText } from '../words/times';

/** When a turn started, and its duration once it has ended. */
export function TurnTime({ began, ended }: TurnTimes): VNode {
  const took = ended === undefined ? undefined : durationText(Math.max(0, ended - began));
  return (
    <p class="turn-time">
      <time dateTime={new Date(began).toISOString()} title={exactTime(began)}>
        {timeText(began, Date.now())}
      </time>
      {took !== undefined && (
        <>
          <span aria-hidden="true">{` · ${took}`}</span>
          <span class="sr-only">{l10n.t('The turn took {0}', took)}</span>
        </>
      )}
    </p>
  );
}
