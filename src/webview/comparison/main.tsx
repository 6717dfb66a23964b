import '../l10n';
import '@preact/signals';
import '../styles/comparison.css';
import { signal } from '@preact/signals';
import { render } from 'preact';
import type { FromComparison, ToComparison } from '../../shared/comparison/comparison';
import { nextFrame } from '../nextFrame';
import { Comparison } from './comparison';

// As declared for the transcript's page; this one has other messages.
const vscode = acquireVsCodeApi() as unknown as { postMessage(message: FromComparison): void };
const post = (message: FromComparison): void => vscode.postMessage(message);

const told = signal<ToComparison | undefined>(undefined);
/** The newest state, which the next frame draws. */
let newest: ToComparison | undefined;

function receive({ data }: MessageEvent<ToComparison>): void {
  if (newest === undefined) {
    nextFrame(() => {
      told.value = newest;
      newest = undefined;
    });
  }
  newest = data;
}

const root = document.createElement('div');
root.id = 'root';
document.body.append(root);
render(<Comparison told={told} post={post} />, root);
// The host sends nothing before `ready`.
window.removeEventListener('message', window.early.keep);
window.addEventListener('message', receive);
post({ type: 'ready' });
