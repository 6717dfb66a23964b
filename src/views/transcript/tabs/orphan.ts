import { labelOf } from '../../../model/text/titles';
import { Transcript } from '../../../model/transcript/transcript';
import type { Failure } from '../../../shared/failure';
import type { SavedTranscript } from '../../../shared/transcript/webviewMessages';
import { Emitter } from '../../../util/emitter';
import type { PanelSession } from './panelSession';

/**
 * Stands in for a session that can't be opened: its agent is no longer configured, or its tab's URI
 * is invalid.
 */
export function orphanSession(
  saved: SavedTranscript,
  failure: Failure,
  retry: () => Promise<void>,
): PanelSession {
  const nothing = (): undefined => undefined;
  const nothingLater = (): Promise<void> => Promise.resolve();
  return {
    agent: { id: saved.agentId, title: saved.agentId, isOnly: false, supports: () => false },
    info: saved,
    title: labelOf(saved.title),
    phase: { kind: 'failed', failure },
    transcript: new Transcript(),
    turns: {
      current: { kind: 'idle' },
      queue: [],
      submit: nothing,
      removeQueued: nothing,
      sendQueued: nothing,
      cancel: nothing,
      forceFinish: nothing,
      sendAgain: nothing,
    },
    requests: { waiting: [], answerPermission: nothing, answerElicitation: nothing },
    writable: { kind: 'no', reason: `${failure.title}.` },
    elsewhere: { wentOn: false },
    facts: { commands: [], configOptions: [], modes: undefined, usage: undefined },
    changes: { files: [], onDidChange: new Emitter<void>().event },
    terminals: { get: nothing },
    acts: { reach: { has: () => Promise.resolve(false) } },
    onDidChange: new Emitter<void>().event,
    onDidChangeState: new Emitter<void>().event,
    onNotice: new Emitter<never>().event,
    load: nothingLater,
    cancelLoad: nothing,
    reload: retry,
    close: nothingLater,
    setMode: nothingLater,
    setConfigOption: nothingLater,
  };
}
