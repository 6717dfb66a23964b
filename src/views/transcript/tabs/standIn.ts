import { Transcript } from '../../../model/transcript/transcript';
import { Emitter } from '../../../util/emitter';
import type { PanelSession } from './panelSession';

const nothing = (): undefined => undefined;
const nothingLater = (): Promise<undefined> => Promise.resolve(undefined);

type StandIn = Omit<
  PanelSession,
  'agent' | 'info' | 'title' | 'phase' | 'writable' | 'reload' | 'first'
>;

/** What there is of a session that its agent doesn't have: nothing has happened in it, and nothing can be done. */
export function standIn(): StandIn {
  return {
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
    elsewhere: { wentOn: false },
    facts: {
      commands: [],
      configOptions: [],
      modes: undefined,
      usage: undefined,
      limit: undefined,
      suggestedPrompts: [],
      systemPrompt: undefined,
    },
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
    close: nothingLater,
    setMode: nothingLater,
    fallenMode: undefined,
    goOnInMode: nothing,
    setConfigOption: nothingLater,
    stopSubagent: nothing,
  };
}
