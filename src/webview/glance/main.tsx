import '../l10n';
import '@preact/signals';
import '../styles/glance.css';
import { render } from 'preact';
import type { FromGlance, ToGlance } from '../../shared/glance/glance';
import type { ToneMessage } from '../../shared/tone';
import { answerTone } from '../answerTone';
import { newestState } from '../newestState';
import { Glance } from './glance';

// As declared for the transcript's page; this one has other messages.
const vscode = acquireVsCodeApi() as unknown as { postMessage(message: FromGlance): void };
const post = (message: FromGlance): void => vscode.postMessage(message);

const { told, take } = newestState<ToGlance>();

function receive({ data }: MessageEvent<ToGlance | ToneMessage>): void {
  if (data.type === 'tone') {
    answerTone(data, post);
    return;
  }
  take(data);
}

const root = document.createElement('div');
root.id = 'root';
document.body.append(root);
render(<Glance told={told} post={post} />, root);
// The host sends nothing before `ready`.
window.removeEventListener('message', window.early.keep);
window.addEventListener('message', receive);
post({ type: 'ready' });
