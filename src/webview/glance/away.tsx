import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { FromGlance, GlanceAway, NewsKind } from '../../shared/glance/glance';
import { Icon, IconButton } from '../parts/icon';
import { timeText } from '../words/times';

interface AwayProps {
  readonly away: GlanceAway;
  readonly post: (message: FromGlance) => void;
}

const icons: Readonly<Record<NewsKind, string>> = {
  asks: 'bell-dot',
  failed: 'error',
  finished: 'check',
  toReview: 'diff-multiple',
};

/** What has happened since the window last had the focus: how many sessions, each kind with a way to the first one. */
export function Away({ away: { since, counts }, post }: AwayProps): VNode {
  const heading = l10n.t('Since you left at {0}', timeText(since, Date.now()));
  return (
    <section class="glance-away" aria-label={heading}>
      <div class="glance-head">
        <span class="glance-away-title">{heading}</span>
        <IconButton
          icon="close"
          label={l10n.t('Dismiss')}
          onClick={() => post({ type: 'seeNews' })}
        />
      </div>
      <div class="glance-away-counts">
        {counts.map(({ kind, count }) => (
          <button
            type="button"
            key={kind}
            class="text-button"
            onClick={() => post({ type: 'openNews', kind })}
          >
            <Icon name={icons[kind]} /> {wordsOf(kind, count)}
          </button>
        ))}
      </div>
    </section>
  );
}

function wordsOf(kind: NewsKind, count: number): string {
  switch (kind) {
    case 'asks':
      return count === 1 ? l10n.t('1 asks') : l10n.t('{0} ask', count);
    case 'failed':
      return l10n.t('{0} failed', count);
    case 'finished':
      return l10n.t('{0} finished', count);
    case 'toReview':
      return l10n.t('{0} to review', count);
  }
}
