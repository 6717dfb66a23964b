import type { SessionInfo } from '../../protocol/agentConnection';
import type { ToolCallEntry, TranscriptChange } from '../../shared/transcript/entries';
import { placeIn } from '../../shared/transcript/places';
import type { Agent } from '../agent';
import { isReading, type OwnServer } from '../calls/ownTools';
import type { TurnRecorder, TurnRecorders } from '../changes/turnRecorder';
import type { Transcript } from '../transcript/transcript';
import type { Turns } from '../turns/turns';

interface Recorded {
  readonly transcript: Transcript;
  readonly info: SessionInfo;
  readonly turns: Pick<Turns, 'current'>;
  /** Our own server, if the agent has connected to it. */
  readonly ownServer: OwnServer | undefined;
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
        if (
          entry?.kind === 'toolCall' &&
          entry.status !== 'pending' &&
          !isOwnReading(entry, session.ownServer)
        ) {
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

/** Codex gives calls of all tools the kind of a command, also of ours that only read. */
function isOwnReading(call: ToolCallEntry, server: OwnServer | undefined): boolean {
  return server !== undefined && isReading(call, server);
}
