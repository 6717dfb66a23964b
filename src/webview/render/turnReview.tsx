import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ReviewedTurn } from '../../shared/transcript/reviewed';
import { Counts } from '../page/changedFiles';
import { useTranscript } from '../state/context';
import { addedLines, fileCount, removedLines } from '../words/counts';
import { Icon } from './icon';

interface TurnReviewProps {
  readonly turn: ReviewedTurn;
}

/** The end of a turn that changed files: how much, what was decided, and the decisions. */
export function TurnReview({ turn }: TurnReviewProps): VNode {
  const { post } = useTranscript();
  const act = (what: 'show' | 'keep' | 'undo') => (): void =>
    post({ type: 'reviewTurn', turn: turn.turn, act: what });
  const isOpen = turn.state === 'pending' || turn.state === 'partly';
  const state = states[turn.state];
  const review = useRef<HTMLButtonElement>(null);
  const hasFocus = useRef(false);
  useLayoutEffect(() => {
    // The button that had the focus is gone.
    if (!isOpen && hasFocus.current && document.activeElement === document.body) {
      review.current?.focus({ preventScroll: true });
    }
  }, [isOpen]);
  return (
    <div class="entry">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div
        class="turn-review"
        role="group"
        aria-label={sentenceOf(turn)}
        onFocusIn={() => {
          hasFocus.current = true;
        }}
        onFocusOut={({ relatedTarget }) => {
          // A button that is removed has no successor.
          hasFocus.current = relatedTarget === null;
        }}
      >
        <Icon name="diff-multiple" class="turn-review-icon" />
        <span class="turn-review-files">{fileCount(turn.files)}</span>
        <Counts added={turn.added} removed={turn.removed} />
        <span class="turn-review-state" role="status">
          {state && (
            <>
              <Icon name={state.icon} />
              {state.label}
            </>
          )}
        </span>
        <span class="turn-review-actions">
          <button ref={review} type="button" class="text-button" onClick={act('show')}>
            {l10n.t('Review')}
          </button>
          {isOpen && (
            <>
              <button type="button" class="text-button" onClick={act('keep')}>
                {l10n.t('Keep')}
              </button>
              <button type="button" class="text-button" onClick={act('undo')}>
                {l10n.t('Undo')}
              </button>
            </>
          )}
        </span>
      </div>
      <Notes turn={turn} />
    </div>
  );
}

const states: Readonly<
  Record<ReviewedTurn['state'], { readonly icon: string; readonly label: string } | undefined>
> = {
  pending: undefined,
  partly: { icon: 'check', label: l10n.t('Partly kept') },
  kept: { icon: 'check', label: l10n.t('Kept') },
  undone: { icon: 'discard', label: l10n.t('Undone') },
};

const incomplete: Readonly<Record<NonNullable<ReviewedTurn['incomplete']>, string>> = {
  off: l10n.t('Only what the agent reported is listed: recording changes is turned off.'),
  untrusted: l10n.t('Only what the agent reported is listed: this workspace isn’t trusted.'),
  noGit: l10n.t('Only what the agent reported is listed: Git wasn’t found.'),
  tooManyFiles: l10n.t('Only what the agent reported is listed: the folder has too many files.'),
  tooManyBytes: l10n.t('Only what the agent reported is listed: the folder is too large.'),
  failed: l10n.t('Only what the agent reported is listed: the folder couldn’t be recorded.'),
};

const late = l10n.t(
  'The agent may have changed something before the record of this turn began; that isn’t listed.',
);

function Notes({ turn }: TurnReviewProps): VNode | null {
  const note = turn.incomplete ? incomplete[turn.incomplete] : turn.isLate && late;
  return note ? <p class="turn-review-note">{note}</p> : null;
}

function sentenceOf({ files, added, removed }: ReviewedTurn): string {
  const changed =
    files === 1 ? l10n.t('This turn changed 1 file') : l10n.t('This turn changed {0} files', files);
  return `${changed}, ${addedLines(added)}, ${removedLines(removed)}`;
}
