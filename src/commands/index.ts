import { commandIds } from '../platform/ids';
import type { OutputLog } from '../platform/log';
import type { VsCodeSettings } from '../platform/settings';
import { addAgent, editAgents } from './addAgent';
import { restartAgent, stopAgent } from './agents';
import type { CommandTable } from './run';
import {
  copySessionId,
  goToSession,
  openSession,
  retryList,
  revealSessionCwd,
  type SessionCommands,
} from './sessions';

export { registerCommands } from './run';

export interface CommandContext extends SessionCommands {
  readonly settings: VsCodeSettings;
  readonly log: OutputLog;
}

/** Every command: its id and what it does. */
export function commandTable(context: CommandContext): CommandTable {
  const { tree, panels, settings, log } = context;
  return {
    [commandIds.openSession]: (argument) => openSession(context, argument, 'here'),
    [commandIds.openSessionToSide]: (argument) => openSession(context, argument, 'side'),
    [commandIds.copySessionId]: (argument) => copySessionId(tree, argument),
    [commandIds.revealSessionCwd]: (argument) => revealSessionCwd(tree, argument),
    [commandIds.goToSession]: () => goToSession(context),
    [commandIds.refreshSessions]: () => tree.refresh(),
    [commandIds.retrySessions]: (argument) => retryList(tree, argument),
    [commandIds.groupSessionsByDate]: () => settings.setGroupByDate(true),
    [commandIds.ungroupSessions]: () => settings.setGroupByDate(false),
    [commandIds.addAgent]: () => addAgent(settings),
    [commandIds.editAgents]: () => editAgents(),
    [commandIds.restartAgent]: (argument) => restartAgent(context, argument),
    [commandIds.stopAgent]: (argument) => stopAgent(context, argument),
    [commandIds.showAgentLog]: () => log.show(),
    [commandIds.findInTranscript]: () => panels.active?.send('find'),
    [commandIds.jumpToLatest]: () => panels.active?.send('jumpToLatest'),
    [commandIds.foldAll]: () => panels.active?.send('foldAll'),
  };
}
