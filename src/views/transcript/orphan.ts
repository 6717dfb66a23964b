import { agentRemoved } from '../../model/failures';
import { labelOf } from '../../model/titles';
import { Transcript } from '../../model/transcript';
import type { SavedTranscript } from '../../shared/messages';
import { Emitter } from '../../util/emitter';
import type { PanelSession } from './panelSession';

/** Stands for a session whose agent isn't set up any more: a tab of it can come back after a reload. */
export function orphanSession(saved: SavedTranscript): PanelSession {
  const nothing = (): undefined => undefined;
  const nothingLater = (): Promise<void> => Promise.resolve();
  const failure = agentRemoved(saved.agentId);
  return {
    agent: { id: saved.agentId, title: saved.agentId, supports: () => false },
    info: saved,
    title: labelOf(saved.title),
    phase: { kind: 'failed', failure },
    transcript: new Transcript(),
    turn: { kind: 'idle' },
    queue: [],
    writable: { kind: 'no', reason: `${failure.title}.` },
    waiting: [],
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
    reload: nothingLater,
    close: nothingLater,
    submit: nothing,
    removeQueued: nothing,
    sendQueued: nothing,
    cancelTurn: nothing,
    forceFinish: nothing,
    sendAgain: nothing,
    setMode: nothingLater,
    setConfigOption: nothingLater,
    answerPermission: nothing,
    answerElicitation: nothing,
  };
}
