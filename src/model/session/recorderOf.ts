import type { SessionInfo } from '../../protocol/agentConnection';
import type { TurnRecorder, TurnRecorders } from '../review/turnRecorder';
import type { Transcript } from '../transcript/transcript';
import type { Turns } from './turns';

interface Recorded {
  readonly transcript: Transcript;
  readonly info: SessionInfo;
  readonly turns: Pick<Turns, 'current'>;
}

/** What records a session's turns. It hears of the calls that its transcript completes. */
export function recorderOf(
  session: Recorded,
  agentId: string,
  recorders: TurnRecorders | undefined,
): TurnRecorder | undefined {
  const { transcript, info } = session;
  const recorder = recorders?.of({
    agentId,
    sessionId: info.sessionId,
    folders: [info.cwd, ...info.additionalDirectories],
  });
  if (recorder !== undefined) {
    transcript.onDidChange((change) => {
      // A replay was recorded when it happened.
      if (change.type !== 'reset' && session.turns.current.kind === 'running') {
        const entry = transcript.entries[change.type === 'updated' ? change.index : change.from];
        if (entry?.kind === 'toolCall' && entry.status === 'completed') {
          recorder.completed(entry);
        }
      }
    });
  }
  return recorder;
}
