import { commandIds } from '../platform/ids';
import type { OutputLog } from '../platform/log';
import type { VsCodeSettings } from '../platform/settings';
import type { Requests } from '../views/requests';
import { addAgent, editAgents } from './addAgent';
import { addFile, addSelection } from './addToSession';
import { restartAgent, stopAgent } from './agents';
import { copyEntryLink, copySessionLink } from './copyLink';
import { deleteSessions } from './deleteSessions';
import { exportSession } from './exportSession';
import { newSession } from './newSession';
import { compareSessions, openAsText } from './openAsText';
import { readingCommands } from './reading';
import { nextRequest } from './requests';
import type { CommandTable } from './run';
import {
  archiveSessions,
  closeSession,
  forkSession,
  openSessionChanges,
  renameSession,
  resumeSession,
  stopTurn,
} from './sessionActions';
import {
  copySessionId,
  goToSession,
  openSession,
  retryList,
  revealSessionCwd,
  type SessionCommands,
} from './sessions';
import { signInToAgent, signOutOfAgent } from './signIn';

export { registerCommands } from './run';

export interface CommandContext extends SessionCommands {
  readonly settings: VsCodeSettings;
  readonly log: OutputLog;
  readonly requests: Requests;
  readonly forgetMcpInputs: () => Promise<void>;
}

/** Every command: its id and what it does. */
export function commandTable(context: CommandContext): CommandTable {
  return {
    ...sessionCommands(context),
    ...textCommands(context),
    ...agentCommands(context),
    ...transcriptCommands(context),
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

function textCommands(context: CommandContext) {
  return {
    [commandIds.exportMarkdown]: (argument) => exportSession(context, argument, 'markdown'),
    [commandIds.exportJsonLines]: (argument) => exportSession(context, argument, 'jsonLines'),
    [commandIds.openAsText]: (argument, selection) => openAsText(context, argument, selection),
    [commandIds.copySessionLink]: (argument) => copySessionLink(context, argument),
    [commandIds.copyEntryLink]: (argument) => copyEntryLink(context, argument),
    [commandIds.compareSessions]: (argument, selection) =>
      compareSessions(context, argument, selection),
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
    ...readingCommands(panels),
  } satisfies Partial<CommandTable>;
}
