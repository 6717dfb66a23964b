import * as l10n from '@vscode/l10n';
import type { ComponentChildren, RefObject, VNode } from 'preact';
import { literal } from '../../shared/literal';
import { Fold } from '../render/fold';
import { Icon } from '../render/icon';
import { usePlace } from './place';

interface CardProps {
  readonly icon: string;
  readonly title: string;
  /** What the one line says of it while others are to be answered before; absent where it stands above. */
  readonly subject: string | undefined;
  /** Says to a screen reader what it is about; the title without it. */
  readonly label?: string;
  /** Below the line of its call. */
  readonly isInCall?: boolean;
  readonly card?: RefObject<HTMLElement | null>;
  readonly children: ComponentChildren;
}

/** What an agent asks of a person. While older requests wait it is one line: they come one by one (PE-8). */
export function Card({ icon, title, subject, label, isInCall, card, children }: CardProps): VNode {
  const { position, count } = usePlace();
  const isLater = position > 1;
  const classes = [isInCall ? 'in-call' : 'entry', 'card', isLater && 'card-later'];
  return (
    <section
      class={classes.filter(Boolean).join(' ')}
      aria-label={label ?? title}
      ref={card ?? null}
    >
      <div class="card-box">
        <div class="card-head">
          <Icon name={icon} />
          <h3>{title}</h3>
          {count > 1 && position > 0 && (
            <span class="card-place">{l10n.t('{0} of {1}', position, count)}</span>
          )}
        </div>
        {isLater ? (
          <>
            {subject !== undefined && <p class="card-subject">{literal(subject)}</p>}
            <p class="card-note">{l10n.t('Answer the request before this one first.')}</p>
          </>
        ) : (
          children
        )}
      </div>
    </section>
  );
}

interface OutcomeProps {
  readonly icon: string;
  /** What became of the request. */
  readonly text: string;
  /** What it was about; absent where it stands above. */
  readonly subject: string | undefined;
  /** Drawn when it is opened. */
  readonly children: () => ComponentChildren;
}

/** What is left of a request once it is answered: one line that opens. */
export function Outcome({ icon, text, subject, children }: OutcomeProps): VNode {
  return (
    <div class={subject === undefined ? 'in-call' : 'entry'}>
      <Fold
        part="outcome"
        class="outcome"
        summary={
          <>
            <Icon name={icon} />
            <span>{text}</span>
            {subject !== undefined && <span class="preview">{literal(subject)}</span>}
          </>
        }
      >
        {children}
      </Fold>
    </div>
  );
}
