import { type ReadonlySignal, useComputed } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { RefObject, VNode } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { literal } from '../../shared/literal';
import type { Anchor, FromWebview } from '../../shared/transcript/webviewMessages';
import { Composer } from '../composer/composer';
import type { ComposerState } from '../composer/draft/composerState';
import { LabeledEntry } from '../entries/entry';
import type { FindState } from '../find/findState';
import { FindWidget } from '../find/findWidget';
import { useHighlights } from '../find/useHighlights';
import { useHitWords } from '../find/useHitWords';
import { handleKey } from '../keyboard/keyboard';
import { isByPointer } from '../keys/pointerFocus';
import { TranscriptList } from '../list/transcriptList';
import { Icon, IconButton } from '../parts/icon';
import {
  EntryContext,
  type PageTranscript,
  TranscriptContext,
  useSessionPart,
  useTranscript,
} from '../state/context';
import type { ShownNotice, TranscriptState } from '../state/state';
import { formatNumber } from '../words/format';
import { Announcer } from './announcer';
import { FallenModeBanner } from './fallenMode';
import { PageHeader } from './header';
import { PhaseNotice } from './phaseNotice';

interface AppProps {
  readonly transcript: PageTranscript;
  readonly find: FindState;
  readonly composer: ComposerState;
  readonly initial: Anchor;
  readonly save: (anchor: Anchor) => void;
}

export function App({ transcript: given, find, composer, initial, save }: AppProps): VNode {
  const transcript = useMemo(() => focusingAfterAnswers(given, composer), [given, composer]);
  const { state, post } = transcript;
  const scroller = useRef<HTMLDivElement>(null);
  useHighlights(find, scroller);
  useHitWords(state, scroller);
  const found = useComputed(() => find.result.value?.indexes ?? []);
  const closeFind = useMemo(
    () => () => {
      find.hide();
      scroller.current?.focus({ preventScroll: true });
    },
    [find],
  );
  useEffect(() => {
    const leaveField = (field: Element): void => goBackToReading(field, scroller.current);
    const onKey = (event: KeyboardEvent): void => {
      if (handleKey(event, { state, find, post, closeFind, leaveField })) {
        event.preventDefault();
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [state, find, post, closeFind]);
  return (
    <TranscriptContext.Provider value={transcript}>
      <PageHeader onFind={() => find.show()} />
      <main class="main">
        <h2 class="sr-only">{l10n.t('Conversation')}</h2>
        <PhaseNotice />
        <EntryContext.Provider value={LabeledEntry}>
          <Entries state={state} scroller={scroller} found={found} initial={initial} save={save} />
        </EntryContext.Provider>
        <FindWidget find={find} onClose={closeFind} />
        <JumpToLatest state={state} />
      </main>
      <Notices />
      <FallenModeBanner />
      <Composer composer={composer} />
      <Announcer />
    </TranscriptContext.Provider>
  );
}

const answers: ReadonlySet<FromWebview['type']> = new Set([
  'answerPermission',
  'answerElicitation',
  'allowByRule',
]);

/** Keeps the focus after an answer that was given by a key, because the user keeps typing. */
function focusingAfterAnswers(
  { state, post, ask }: PageTranscript,
  composer: Pick<ComposerState, 'focus'>,
): PageTranscript {
  const focusAfter = ({ type }: Pick<FromWebview, 'type'>): void => {
    if (answers.has(type) && !isByPointer(document)) {
      composer.focus();
    }
  };
  return {
    state,
    post: (message) => {
      post(message);
      focusAfter(message);
    },
    ask: (question) => {
      const reply = ask(question);
      focusAfter(question);
      return reply;
    },
  };
}

/** Focuses the row that contains the field, otherwise the conversation. */
function goBackToReading(field: Element, scroller: HTMLElement | null): void {
  const place = field.closest<HTMLElement>('.row') ?? scroller;
  if (place) {
    place.focus({ preventScroll: true });
  } else if (field instanceof HTMLElement) {
    field.blur();
  }
}

interface EntriesProps extends Pick<AppProps, 'initial' | 'save'> {
  readonly state: TranscriptState;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly found: ReadonlySignal<readonly number[]>;
}

/** A separate component, so that only the list re-renders as entries arrive. */
function Entries({ state, scroller, found, initial, save }: EntriesProps): VNode | null {
  // When a session is reloaded, the new list resumes at the previous position.
  const place = useRef(initial);
  const keep = useMemo(
    () => (anchor: Anchor) => {
      place.current = anchor;
      save(anchor);
    },
    [save],
  );
  return state.count.value > 0 ? (
    <TranscriptList scroller={scroller} found={found} initial={place.current} save={keep} />
  ) : null;
}

/** Floats above the end of the list; beside the list while a question is open, whose buttons it would cover. */
function JumpToLatest({ state }: { readonly state: TranscriptState }): VNode | null {
  const isAsked = (useSessionPart('waiting')?.length ?? 0) > 0;
  if (state.follow.value || state.atEnd.value || state.count.value === 0) {
    return null;
  }
  const unseen = state.unseen.value;
  return (
    <button
      type="button"
      class={isAsked ? 'jump jump-beside' : 'jump'}
      onClick={() => state.jumpToLatest()}
    >
      <Icon name="arrow-down" />
      {l10n.t('Jump to latest')}
      {unseen > 0 && <span class="jump-count">{l10n.t('{0} new', formatNumber(unseen))}</span>}
    </button>
  );
}

/** Severities are defined by the agent; an unknown one gets a neutral icon (NO-2). */
const icons = new Map([
  ['info', 'info'],
  ['warning', 'warning'],
  ['error', 'error'],
]);

/** NO-1 to NO-3: messages from the agent to the user; not part of the history. */
function Notices(): VNode {
  const { state } = useTranscript();
  return (
    <div class="notices" role="status">
      <div class="notices-content">
        {state.notices.value.map((notice) => (
          <Banner key={notice.id} notice={notice} />
        ))}
      </div>
    </div>
  );
}

function Banner({ notice }: { readonly notice: ShownNotice }): VNode {
  const { state } = useTranscript();
  return (
    <div class="banner">
      <Icon name={icons.get(notice.severity) ?? 'bell'} class="notice-icon" />
      <div class="notice-text">
        <p class="notice-title">{literal(notice.title)}</p>
        {notice.description && <p class="notice-detail">{literal(notice.description)}</p>}
      </div>
      <IconButton
        icon="close"
        label={l10n.t('Dismiss Notice')}
        onClick={() => state.dismissNotice(notice.id)}
      />
    </div>
  );
}
