import type { Transcript } from '../../../../../src/model/transcript/transcript';
import { toolCall, user } from '../entries';

/** Starts a subagent in a transcript that has done something already. */
export function start(within: Transcript, title: string): Transcript {
  const { number, transcript } = within.nest();
  transcript.add(user(`Task of ${title}`));
  transcript.add(toolCall({ title: `Call of ${title}`, toolKind: 'execute' }));
  const { entries, calls } = transcript;
  within.add({ kind: 'subagent', number, title, state: { kind: 'running' }, entries, calls });
  return transcript;
}
