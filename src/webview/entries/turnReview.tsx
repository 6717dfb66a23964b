import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { failureActions } from '../../shared/failure';
import type { ReviewedTurn, UncertainTurn, UnrecordedTurn } from '../../shared/transcript/reviewed';
import { Icon } from '../parts/icon';
import { useTranscript } from '../state/context';
import { addedLines, fileCount, removedLines } from '../words/counts';
import { Counts } from './changedFiles';

interface TurnReviewProps {
  readonly turn: ReviewedTurn;
}

/** The end of a turn that changed files: how much, what was decided, and the decisions. */
export function TurnReview({ turn }: TurnReviewProps): VNode {
  const { post } = useTranscript();
  const act = (what: 'show' | 'keep' | 'undo') => (): void =>
    post({ type: 'reviewTurn', turn: turn.turn, act: what });
  const isOpen = turn.state === 'pending' || (turn.state === 'partly' && !turn.isDecided);
  const state = turn.isDecided ? states.decided : states[turn.state];
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
        aria-label={getSentence(turn)}
        onFocusIn={() => {
          hasFocus.current = true;
        }}
        onFocusOut={({ relatedTarget }) => {
          // Without a new focus, the button itself was removed.
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
          <SendComments turn={turn} />
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

/** Sends the comments on lines that wait, which may be about any turn. */
function SendComments({ turn: { turn, comments } }: TurnReviewProps): VNode | null {
  const { post } = useTranscript();
  return comments === undefined ? null : (
    <button
      type="button"
      class="text-button"
      onClick={() => post({ type: 'reviewTurn', turn, act: 'sendComments' })}
    >
      {comments === 1 ? l10n.t('Send 1 Comment') : l10n.t('Send {0} Comments', comments)}
    </button>
  );
}

const states: Readonly<
  Record<
    ReviewedTurn['state'] | 'decided',
    { readonly icon: string; readonly label: string } | undefined
  >
> = {
  pending: undefined,
  partly: { icon: 'check', label: l10n.t('Partly decided') },
  decided: { icon: 'check', label: l10n.t('Partly kept') },
  kept: { icon: 'check', label: l10n.t('Kept') },
  undone: { icon: 'discard', label: l10n.t('Undone') },
};

const incomplete: Readonly<Record<NonNullable<ReviewedTurn['incomplete']>, string>> = {
  off: l10n.t(
    'Only changes that the agent reports can be reviewed: recording changes is turned off.',
  ),
  untrusted: l10n.t(
    'Only changes that the agent reports can be reviewed: this workspace isn’t trusted.',
  ),
  noGit: l10n.t('Only changes that the agent reports can be reviewed: Git wasn’t found.'),
  tooManyFiles: l10n.t(
    'Only changes that the agent reports can be reviewed: the folder has too many files.',
  ),
  tooManyBytes: l10n.t(
    'Only changes that the agent reports can be reviewed: the folder is too large.',
  ),
  failed: l10n.t(
    'Only changes that the agent reports can be reviewed: the folder couldn’t be recorded.',
  ),
  full: l10n.t('Not all changes are listed: no more fit into the record of this session.'),
};

const unprompted = l10n.t('The agent began this turn by itself.');

const late = l10n.t(
  'The agent may have changed something before the record of this turn began; that isn’t listed.',
);

function Notes({ turn }: TurnReviewProps): VNode {
  return (
    <>
      {turn.isUnprompted && <p class="turn-review-note">{unprompted}</p>}
      {turn.incomplete ? (
        <Incomplete reason={turn.incomplete} />
      ) : (
        turn.isLate && <p class="turn-review-note">{late}</p>
      )}
    </>
  );
}

/** Why not every change is recorded, with a link to the page about it. */
function Incomplete({ reason }: { readonly reason: keyof typeof incomplete }): VNode {
  const { post } = useTranscript();
  return (
    <p class="turn-review-note">
      {incomplete[reason]}{' '}
      <button
        type="button"
        class="text-button"
        onClick={() => post({ type: 'action', action: 'learnRecording' })}
      >
        {failureActions.learnRecording.label}
      </button>
    </p>
  );
}

/** The end of a turn of which no change is recorded, where that isn’t because there were none. */
export function Unrecorded({ reason }: Pick<UnrecordedTurn, 'reason'>): VNode {
  return (
    <div class="entry">
      <Incomplete reason={reason} />
    </div>
  );
}

/** What has changed in a turn and may be another session's: it is in none of the turn's numbers and decisions. */
export function Uncertain({ turn: { turn, files } }: { readonly turn: UncertainTurn }): VNode {
  const { post } = useTranscript();
  return (
    <div class="entry">
      <p class="turn-review-note">
        {files === 1
          ? l10n.t(
              '1 file has changed while other sessions were at work here, too, and may be theirs.',
            )
          : l10n.t(
              '{0} files have changed while other sessions were at work here, too, and may be theirs.',
              files,
            )}{' '}
        <button
          type="button"
          class="text-button"
          onClick={() => post({ type: 'reviewTurn', turn, act: 'showUncertain' })}
        >
          {l10n.t('Show')}
        </button>
      </p>
    </div>
  );
}

function getSentence(turn: ReviewedTurn): string {
  return `${changedBy(turn)}, ${addedLines(turn.added)}, ${removedLines(turn.removed)}`;
}

function changedBy({ files, isUnprompted }: ReviewedTurn): string {
  if (isUnprompted) {
    return files === 1
      ? l10n.t('A turn that the agent began changed 1 file')
      : l10n.t('A turn that the agent began changed {0} files', files);
  }
  return files === 1
    ? l10n.t('This turn changed 1 file')
    : l10n.t('This turn changed {0} files', files);
}
