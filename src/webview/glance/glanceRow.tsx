import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { FromGlance, GlanceGroup, GlanceItem } from '../../shared/glance/glance';
import { useReady } from '../cards/useReady';
import { Icon, IconButton } from '../parts/icon';
import { exactTime, shortDurationText } from '../words/times';
import type { ShownItem } from './held';

interface RowProps extends ShownItem {
  /** Changes when something may have moved. */
  readonly layout: number;
  readonly post: (message: FromGlance) => void;
}

const icons: Readonly<Record<GlanceGroup, string>> = {
  needsAnswer: 'bell-dot',
  // It doesn't turn: twelve of them would keep the window drawing.
  running: 'play-circle',
  done: 'circle-filled',
  review: 'diff-multiple',
};

/** A session: its title, what it does or asks, and the last line that its agent has said. */
export function GlanceRow({ item, isPast, layout, post }: RowProps): VNode {
  const { key, group, title, where, since, doing, said, asker, asked, toReview, canStop } = item;
  return (
    <li class={`glance-row glance-${group}${isPast ? ' glance-past' : ''}`}>
      <div class="glance-head">
        <Icon name={icons[group]} class="glance-icon" />
        <button
          type="button"
          class="glance-open one-line"
          title={[title, asker, asked ?? doing, said].filter(Boolean).join('\n')}
          onClick={() => post({ type: 'open', key })}
        >
          {title}
        </button>
        {canStop && !isPast && (
          <IconButton
            icon="debug-stop"
            label={l10n.t('Stop “{0}”', title)}
            onClick={() => post({ type: 'stop', key })}
          />
        )}
      </div>
      {(where !== '' || since !== undefined) && (
        <div class="glance-where">
          {where !== '' && <span class="one-line">{where}</span>}
          {since !== undefined && <Since time={since} />}
        </div>
      )}
      {asker !== undefined && <div class="glance-asker">{asker}</div>}
      {asked !== undefined && <div class="glance-asked">{asked}</div>}
      {item.request && (
        <Answers
          key={`${item.request.requestId} ${layout}`}
          item={item}
          isPast={isPast}
          post={post}
        />
      )}
      {group !== 'needsAnswer' && doing !== undefined && (
        <div class="glance-doing one-line">{doing}</div>
      )}
      {item.progress && <Steps {...item.progress} />}
      {said !== undefined && <div class="glance-said one-line">{said}</div>}
      {toReview > 0 && (
        <button
          type="button"
          class="glance-changes"
          disabled={isPast}
          onClick={() => post({ type: 'review', key })}
        >
          <Icon name="diff-multiple" />
          {toReview === 1 ? l10n.t('Review 1 file') : l10n.t('Review {0} files', toReview)}
        </button>
      )}
    </li>
  );
}

function Steps({ done, count, now }: NonNullable<GlanceItem['progress']>): VNode {
  const steps = l10n.t('{0} of {1} done', done, count);
  return <div class="glance-steps one-line">{now === undefined ? steps : `${steps} · ${now}`}</div>;
}

/** The answers to a request; inert until they have been in view, at the same place, for a moment. */
function Answers({ item, isPast, post }: Omit<RowProps, 'layout'>): VNode {
  const element = useRef<HTMLFieldSetElement>(null);
  const isReady = useReady(element, !isPast);
  const { key, request, title } = item;
  return (
    <fieldset class="glance-answers" ref={element} aria-label={l10n.t('Answer “{0}”', title)}>
      {request?.answers.map(({ optionId, name, icon, isMain }) => (
        <button
          type="button"
          key={optionId}
          class={isMain ? 'button' : 'button button-secondary'}
          aria-disabled={!isReady}
          title={name}
          onClick={() =>
            isReady && post({ type: 'answer', key, requestId: request.requestId, optionId })
          }
        >
          <Icon name={icon} />
          {name}
        </button>
      ))}
    </fieldset>
  );
}

const second = 1000;
const minute = 60 * second;

/** How long ago this was, counted in the page: by the second for a minute, then by the minute. */
function Since({ time }: { readonly time: number }): VNode {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tick = (): void => {
      const passed = Date.now();
      setNow(passed);
      const age = Math.max(0, passed - time);
      const step = age < minute ? second : minute;
      timer = setTimeout(tick, step - (age % step));
    };
    tick();
    return () => clearTimeout(timer);
  }, [time]);
  return (
    <time class="glance-since" title={exactTime(time)}>
      {now - time >= second && shortDurationText(now - time)}
    </time>
  );
}
