import type { SessionInfo } from '../../protocol/agentConnection';
import type { TranscriptChange } from '../../shared/transcript/entries';
import { placeIn } from '../../shared/transcript/places';
import type { Agent } from '../agent';
import type { TurnRecorder, TurnRecorders } from '../changes/turnRecorder';
import type { Transcript } from '../transcript/transcript';
import type { Turns } from '../turns/turns';

interface Recorded {
  readonly transcript: Transcript;
  readonly info: SessionInfo;
  readonly turns: Pick<Turns, 'current'>;
}

/**
 * What records a session's turns. It hears of the calls that the session and its subagents complete. What an agent does
 * on another machine isn't recorded: its files aren't here.
 */
export function findRecorder(
  session: Recorded,
  { id: agentId, config }: Pick<Agent, 'id' | 'config'>,
  recorders: TurnRecorders | undefined,
): TurnRecorder | undefined {
  const { transcript, info } = session;
  const recorder = (config.remote === undefined ? recorders : undefined)?.of({
    agentId,
    sessionId: info.sessionId,
    folders: [info.cwd, ...info.additionalDirectories],
  });
  if (recorder !== undefined) {
    const note = (change: TranscriptChange, number: number): void => {
      // A replay was recorded when it happened.
      if (change.type !== 'reset' && session.turns.current.kind !== 'idle') {
        const index = change.type === 'updated' ? change.index : change.from;
        const entry = transcript.at(placeIn(number, index));
        if (entry?.kind === 'toolCall' && entry.status !== 'pending') {
          recorder.acted(entry);
          if (entry.status === 'completed') {
            recorder.completed(entry);
          }
        }
      }
    };
    transcript.onDidChange((change) => note(change, 0));
    transcript.onDidChangeNested(({ number, change }) => note(change, number));
  }
  return recorder;
}
