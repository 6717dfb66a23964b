import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { FromGlance, SameAnswer } from '../../shared/glance/glance';
import { useReady } from '../cards/useReady';
import { Icon } from '../parts/icon';
import type { ShownSame } from './held';

interface CardProps extends ShownSame {
  /** Changes when something may have moved. */
  readonly layout: number;
  readonly post: (message: FromGlance) => void;
}

/** Requests of several sessions that ask for the same, with one answer for all that are listed. */
export function SameCard({ same, isPast, layout, post }: CardProps): VNode {
  const { asked, requests } = same;
  const heading = l10n.t('{0} sessions ask for the same', requests.length);
  return (
    <section class={isPast ? 'glance-same glance-past' : 'glance-same'} aria-label={heading}>
      <p>{heading}</p>
      <div class="glance-asked">{asked}</div>
      <ul>
        {requests.map(({ key, title, where, asker, folders }) => (
          <li key={key}>
            <button
              type="button"
              class="glance-same-open one-line"
              title={title}
              onClick={() => post({ type: 'open', key })}
            >
              {title}
            </button>
            {[where, asker ?? '', ...folders].filter(Boolean).map((line) => (
              <div key={line} class="glance-same-where">
                {line}
              </div>
            ))}
          </li>
        ))}
      </ul>
      <Answers key={layout} same={same} isPast={isPast} post={post} />
    </section>
  );
}

/** Inert until they have been in view, at the same place, with the same requests, for a moment. */
function Answers({ same: { requests }, isPast, post }: Omit<CardProps, 'layout'>): VNode {
  const element = useRef<HTMLDivElement>(null);
  const isReady = useReady(element, !isPast);
  const answer = (kind: SameAnswer): void => {
    if (isReady) {
      const shown = requests.map(({ key, requestId }) => ({ key, requestId }));
      post({ type: 'answerSame', answer: kind, requests: shown });
    }
  };
  return (
    <div class="glance-answers" ref={element}>
      <button
        type="button"
        class="button"
        aria-disabled={!isReady}
        title={l10n.t('Allow this once in each of these sessions')}
        onClick={() => answer('allow_once')}
      >
        <Icon name="check" />
        {l10n.t('Allow All')}
      </button>
      <button
        type="button"
        class="button button-secondary"
        aria-disabled={!isReady}
        title={l10n.t('Reject this in each of these sessions')}
        onClick={() => answer('reject_once')}
      >
        <Icon name="circle-slash" />
        {l10n.t('Reject All')}
      </button>
    </div>
  );
}
