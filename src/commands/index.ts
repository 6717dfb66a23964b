import { commandIds } from '../platform/ids';
import type { OutputLog } from '../platform/log';
import type { Requests } from '../views/requests';
import { addAgent, editAgents } from './addAgent';
import { addFile, addSelection } from './addToSession';
import { restartAgent, stopAgent } from './agents';
import { deleteSessions } from './deleteSessions';
import { newSession } from './newSession';
import { nextRequest } from './requests';
import type { CommandTable } from './run';
import {
  clearSearchIndex,
  indexSessions,
  type SearchCommands,
  searchConversations,
  searchFile,
} from './search';
import {
  archiveSessions,
  closeSession,
  forkSession,
  openSessionChanges,
  renameSession,
  resumeSession,
  stopTurn,
} from './sessionActions';
import { copySessionId, goToSession, openSession, retryList, revealSessionCwd } from './sessions';
import { signInToAgent, signOutOfAgent } from './signIn';

export { registerCommands } from './run';

export interface CommandContext extends SearchCommands {
  readonly log: OutputLog;
  readonly requests: Requests;
  readonly forgetMcpInputs: () => Promise<void>;
}

/** Every command: its id and what it does. */
export function commandTable(context: CommandContext): CommandTable {
  return {
    ...sessionCommands(context),
    ...agentCommands(context),
    ...transcriptCommands(context),
    ...searchCommands(context),
  };
}

function sessionCommands(context: CommandContext) {
  const { tree, settings } = context;
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
    [commandIds.newSession]: (argument) => newSession(context, argument),
    [commandIds.resumeSession]: (argument) => resumeSession(context, argument),
    [commandIds.closeSession]: (argument, selection) => closeSession(context, argument, selection),
    [commandIds.forkSession]: (argument) => forkSession(context, argument),
    [commandIds.renameSession]: (argument) => renameSession(context, argument),
    [commandIds.archiveSession]: (argument, selection) =>
      archiveSessions(context, argument, selection),
    [commandIds.deleteSession]: (argument, selection) =>
      deleteSessions(context, argument, selection),
    [commandIds.stopTurn]: (argument) => stopTurn(context, argument),
    [commandIds.openChanges]: (argument) => openSessionChanges(context, argument),
  } satisfies Partial<CommandTable>;
}

function agentCommands(context: CommandContext) {
  const { settings, log, forgetMcpInputs } = context;
  return {
    [commandIds.addAgent]: () => addAgent(settings),
    [commandIds.editAgents]: () => editAgents(),
    [commandIds.restartAgent]: (argument) => restartAgent(context, argument),
    [commandIds.stopAgent]: (argument) => stopAgent(context, argument),
    [commandIds.showAgentLog]: () => log.show(),
    [commandIds.signIn]: (argument) => signInToAgent(context, argument),
    [commandIds.signOut]: (argument) => signOutOfAgent(context, argument),
    [commandIds.forgetMcpInputs]: () => forgetMcpInputs(),
  } satisfies Partial<CommandTable>;
}

function transcriptCommands(context: CommandContext) {
  const { panels, requests } = context;
  return {
    [commandIds.addSelection]: () => addSelection(context),
    [commandIds.addFile]: (argument, selection) => addFile(context, argument, selection),
    [commandIds.focusComposer]: () => panels.recent?.focusComposer(),
    [commandIds.nextRequest]: () => nextRequest(requests),
    [commandIds.pickRequest]: () => requests.pick(),
    [commandIds.findInTranscript]: () => panels.active?.send('find'),
    [commandIds.jumpToLatest]: () => panels.active?.send('jumpToLatest'),
    [commandIds.foldAll]: () => panels.active?.send('foldAll'),
  } satisfies Partial<CommandTable>;
}

function searchCommands(context: CommandContext) {
  return {
    [commandIds.searchConversations]: () => searchConversations(context),
    [commandIds.searchFile]: (argument) => searchFile(context, argument),
    [commandIds.indexFolder]: (argument) => indexSessions(context, argument),
    [commandIds.clearSearchIndex]: () => clearSearchIndex(context),
  } satisfies Partial<CommandTable>;
}
