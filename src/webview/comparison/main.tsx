import '../l10n';
import '@preact/signals';
import '../styles/comparison.css';
import { render } from 'preact';
import type {
  FromComparison,
  KeptComparison,
  ToComparison,
} from '../../shared/comparison/comparison';
import { newestState } from '../newestState';
import { Comparison } from './comparison';

// As declared for the transcript's page; this one has other messages.
const vscode = acquireVsCodeApi() as unknown as {
  postMessage(message: FromComparison): void;
  setState(state: KeptComparison): void;
};
const post = (message: FromComparison): void => vscode.postMessage(message);

const { told, take } = newestState<ToComparison>();

function receive({ data }: MessageEvent<ToComparison>): void {
  vscode.setState({ tops: data.tops });
  take(data);
}

const root = document.createElement('div');
root.id = 'root';
document.body.append(root);
render(<Comparison told={told} post={post} />, root);
// The host sends nothing before `ready`.
window.removeEventListener('message', window.early.keep);
window.addEventListener('message', receive);
post({ type: 'ready' });
