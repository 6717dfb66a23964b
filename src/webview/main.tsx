import './l10n';
import '@preact/signals';
import './styles/main.css';
import { batch, signal } from '@preact/signals';
import { render } from 'preact';
import { isEmptyDraft } from '../shared/transcript/prompt';
import { parseSavedState, parseSavedTranscript } from '../shared/transcript/validators';
import type {
  Anchor,
  FromWebview,
  SavedState,
  ToWebview,
} from '../shared/transcript/webviewMessages';
import { answerTone } from './answerTone';
import { fitImages } from './composer/attachments/fittedImages';
import { ComposerState } from './composer/draft/composerState';
import { DraftKeeper } from './composer/draft/draftKeeper';
import { Copying } from './copying';
import { FindState } from './find/findState';
import { FrameQueue } from './frameQueue';
import { ownKeys } from './keyboard/keyboard';
import { notePointer } from './keys/pointerFocus';
import { nextFrame } from './nextFrame';
import { App } from './page/app';
import { TranscriptState } from './state/state';

/** The API that VS Code hands to a webview. */
interface VsCodeApi {
  postMessage(message: FromWebview): void;
  getState(): unknown;
  setState(state: SavedState): void;
}

declare global {
  // Named by VS Code; a webview may call it only once.
  function acquireVsCodeApi(): VsCodeApi;
  interface Window {
    /** Messages that arrived before this script ran, kept by an inline script. */
    readonly early: {
      readonly messages: readonly ToWebview[];
      readonly keep: (event: MessageEvent<ToWebview>) => void;
    };
  }
}

const vscode: VsCodeApi = acquireVsCodeApi();
const post = (message: FromWebview): void => vscode.postMessage(message);

/** The session's identity comes from the host with the page; the rest is what this tab saved last. */
const identity = parseSavedTranscript(JSON.parse(document.body.dataset['saved'] ?? 'null'));
const before = parseSavedState(vscode.getState());
const kept = before?.saved.sessionId === identity?.sessionId ? before : undefined;

const state = new TranscriptState(post, kept?.folds);
const copying = new Copying(state, post);
const find = new FindState(state, post, selectedText);
const composer = new ComposerState(state, post, { history: kept?.history ?? [] }, fitImages);
const draftKeeper = new DraftKeeper(composer, post);

/** The text selected in the transcript; empty while a field has the focus, whose selection is separate. */
function selectedText(): string {
  const isField = document.activeElement?.matches('input, textarea') === true;
  return isField ? '' : (document.getSelection()?.toString() ?? '');
}

function receive(message: ToWebview): void {
  switch (message.type) {
    case 'attach':
    case 'edit':
    case 'draft':
      composer.receive(message);
      return;
    case 'found':
      find.receive(message);
      return;
    case 'copy':
      copying.copy(message.what);
      return;
    case 'command':
      obey(message.command);
      return;
    case 'tone':
      answerTone(message, post);
      return;
    default:
      state.receive(message);
  }
}

function obey(command: Extract<ToWebview, { type: 'command' }>['command']): void {
  switch (command) {
    case 'find':
      find.show();
      return;
    case 'jumpToLatest':
      state.jumpToLatest();
      return;
    case 'focusComposer':
      composer.focus();
      return;
    case 'editPrompt':
      composer.editInEditor();
  }
}

const queue = new FrameQueue<ToWebview>((messages) => {
  batch(() => {
    for (const message of messages) {
      receive(message);
    }
  });
}, nextFrame);

const anchor = signal<Anchor>(kept?.anchor ?? 'end');

function saveNow(): void {
  if (identity) {
    const title = state.header.peek()?.title ?? identity.title;
    vscode.setState({
      saved: { ...identity, title },
      anchor: anchor.peek(),
      folds: state.folds.saved.peek(),
      history: composer.history.peek(),
    });
  }
}

// Saved before any message arrives, so that a tab that never loaded is restored as well.
state.header.subscribe(saveNow);
anchor.subscribe(saveNow);
state.folds.saved.subscribe(saveNow);
composer.history.subscribe(saveNow);
// Leaving the page blurs it first, and it may be destroyed right afterward.
window.addEventListener('blur', () => draftKeeper.flush());
window.addEventListener('pagehide', () => draftKeeper.flush());

// Nothing is written there any more, and a tab of another session may take over.
state.session.subscribe((session) => {
  if (session?.writable.kind === 'no') {
    draftKeeper.flush();
  }
});

/** A tab that the user has written in is kept; the host is told once. */
let isWrittenIn = false;
composer.draft.subscribe((draft) => {
  if (!isWrittenIn && draft !== undefined && !isEmptyDraft(draft)) {
    isWrittenIn = true;
    post({ type: 'keep' });
  }
});

function save(place: Anchor): void {
  anchor.value = place;
}

notePointer(document);
keepSelectAll(document);
const root = document.createElement('div');
root.id = 'root';
document.body.append(root);
render(
  <App
    transcript={{ state, post, ask: state.ask }}
    find={find}
    composer={composer}
    initial={anchor.peek()}
    save={save}
  />,
  root,
);

window.removeEventListener('message', window.early.keep);
window.addEventListener('message', (event: MessageEvent<ToWebview>) => queue.push(event.data));
for (const message of window.early.messages) {
  queue.push(message);
}
tellTyping(post);
post({ type: 'ready' });

/**
 * Leaves Select All in a field to the browser. VS Code also runs its own command, which arrives
 * later (seen in 1.139 in the browser) and selects text typed in the meantime, which the next
 * keystroke then replaces.
 */
function keepSelectAll(page: Document): void {
  page.addEventListener('keydown', (event) => {
    const { target, key, ctrlKey, metaKey, altKey, shiftKey } = event;
    const isSelectAll = (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'a';
    if (isSelectAll && target instanceof Element && target.matches('input, textarea')) {
      event.stopPropagation();
    }
  });
}

/** Notifies the host whether a field has the focus: navigation keys then belong to the field. */
function tellTyping(post: (message: FromWebview) => void): void {
  const tell = (focused: Element | null): void =>
    post({ type: 'typing', typing: Boolean(focused?.closest(ownKeys)) });
  document.addEventListener('focusin', ({ target }) =>
    tell(target instanceof Element ? target : null),
  );
  // A newly focused element sends its own message; without one, no field has the focus.
  document.addEventListener('focusout', ({ relatedTarget }) => relatedTarget ?? tell(null));
  // Meanwhile another tab may have reported its state, or closed while its field had the focus.
  window.addEventListener('focus', () => tell(document.activeElement));
}
