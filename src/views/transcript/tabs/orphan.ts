import { getLabel } from '../../../model/text/titles';
import { Transcript } from '../../../model/transcript/transcript';
import type { Failure } from '../../../shared/failure';
import type { SavedTranscript } from '../../../shared/transcript/webviewMessages';
import { Emitter } from '../../../util/emitter';
import type { PanelSession } from './panelSession';

const noFacts: PanelSession['facts'] = {
  commands: [],
  configOptions: [],
  modes: undefined,
  usage: undefined,
  limit: undefined,
  suggestedPrompts: [],
  systemPrompt: undefined,
};

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
  const nothingLater = (): Promise<undefined> => Promise.resolve(undefined);
  return {
    agent: { id: saved.agentId, title: saved.agentId, isOnly: false, supports: () => false },
    info: saved,
    title: getLabel(saved.title),
    phase: { kind: 'failed', failure },
    shown: new Transcript(),
    turns: {
      current: { kind: 'idle' },
      background: [],
      queue: [],
      submit: (draft) => ({ id: 0, draft }),
      removeQueued: nothing,
      sendQueued: nothing,
      sendNow: nothingLater,
      moveQueued: nothing,
      cancel: nothing,
      forceFinish: nothing,
      sendAgain: nothing,
      sendWhenReset: nothing,
    },
    requests: {
      waiting: [],
      answerPermission: nothing,
      offered: nothing,
      answerElicitation: nothing,
    },
    writable: { kind: 'no', reason: `${failure.title}.` },
    elsewhere: { wentOn: false },
    facts: noFacts,
    tasks: { all: undefined, stop: nothingLater },
    changes: { files: [], filesIn: () => [], onDidChange: new Emitter<void>().event },
    terminals: { get: nothing },
    acts: { reach: { has: () => Promise.resolve(false) } },
    onDidChange: new Emitter<void>().event,
    onDidChangeState: new Emitter<void>().event,
    onNotice: new Emitter<never>().event,
    takeNoticesBefore: () => [],
    load: nothingLater,
    cancelLoad: nothing,
    reload: retry,
    close: nothingLater,
    setMode: nothingLater,
    fallenMode: undefined,
    goOnInMode: nothing,
    setConfigOption: nothingLater,
    stopSubagent: nothing,
  };
}
