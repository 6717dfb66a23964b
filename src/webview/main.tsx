import '@preact/signals';
import './styles/main.css';
import { batch, effect, signal } from '@preact/signals';
import { render } from 'preact';
import type { Anchor, FromWebview, ToWebview } from '../shared/messages';
import { parseSavedState, parseSavedTranscript } from '../shared/validators';
import { App } from './app';
import { FindState } from './find/findState';
import { FrameQueue } from './frameQueue';
import { TranscriptState } from './state';
import type { VsCodeApi } from './vscodeApi';

const vscode: VsCodeApi = acquireVsCodeApi();
const post = (message: FromWebview): void => vscode.postMessage(message);

const state = new TranscriptState(post);
const find = new FindState(state, post);

function receive(message: ToWebview): void {
  switch (message.type) {
    case 'snapshot':
    case 'patch':
    case 'reveal':
      state.receive(message);
      return;
    case 'found':
      find.receive(message);
      return;
    case 'command':
      obey(message.command);
  }
}

function obey(command: Extract<ToWebview, { type: 'command' }>['command']): void {
  switch (command) {
    case 'find':
      find.show();
      return;
    case 'foldAll':
      state.folds.foldAll();
      return;
    case 'jumpToLatest':
      state.jumpToLatest();
  }
}

const queue = new FrameQueue<ToWebview>((messages) => {
  batch(() => {
    for (const message of messages) {
      receive(message);
    }
  });
});
window.addEventListener('message', (event: MessageEvent<ToWebview>) => queue.push(event.data));

/** The session's identity is the host's, set with the page; the place is what this tab saved last. */
const identity = parseSavedTranscript(JSON.parse(document.body.dataset['saved'] ?? 'null'));
const before = parseSavedState(vscode.getState());
const initial = before?.saved.sessionId === identity?.sessionId ? (before?.anchor ?? 'end') : 'end';

/** Saved even before anything has arrived, so that a tab that never loaded comes back as well. */
const anchor = signal<Anchor>(initial);
effect(() => {
  if (identity) {
    const title = state.header.value?.title ?? identity.title;
    vscode.setState({ saved: { ...identity, title }, anchor: anchor.value });
  }
});
effect(() => {
  // What has been loaded since may have changed what there is to find.
  if (state.phase.value?.kind !== 'loading') {
    find.refresh();
  }
});

function save(place: Anchor): void {
  anchor.value = place;
}

const root = document.createElement('div');
root.id = 'root';
document.body.append(root);
render(<App transcript={{ state, post }} find={find} initial={initial} save={save} />, root);
post({ type: 'ready' });
