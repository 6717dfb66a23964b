import type { Sessions } from '../model/session/sessions';
import { commandIds } from '../platform/ids';
import type { OutputLog } from '../platform/ui/log';
import type { SignInDialog } from '../views/dialogs/signInDialog';
import type { SessionChoices } from '../views/sessions/nodes/sessionChoices';
import type { SessionsView } from '../views/sessions/sessionsView';
import { editAgents } from './agents/editAgents';
import { explainAgent } from './agents/explainAgent';
import { restartAgent, stopAgent } from './agents/restartAgent';
import { signInToAgent, signOutOfAgent } from './agents/signIn';
import type { CommandTable } from './run';
import { addFile, addSelection } from './session/addToSession';
import { askAgain } from './session/askAgain';
import { archiveSessions, unarchiveSessions } from './session/bulk/archiveSessions';
import { deleteOlderSessions } from './session/bulk/deleteOlder';
import { deleteSessions } from './session/bulk/deleteSessions';
import { markRead, markUnread, pinSessions } from './session/bulk/markSessions';
import type { RowServices } from './session/chosenTargets';
import type { CommandServices } from './session/commandServices';
import { continueInTerminal } from './session/continueInTerminal';
import { resumeSession } from './session/continueSession';
import { copyEntryLink, copySessionId, copySessionLink } from './session/copySession';
import { goToSession, openSession } from './session/goToSession';
import { addToGroup, removeFromGroup } from './session/groupSessions';
import { newSession } from './session/newSession';
import { renameSession } from './session/renameSession';
import { type FolderServices, locateFolder, revealSessionCwd } from './session/sessionFolder';
import { closeSession, stopSubagent, stopTurn } from './session/stopSession';
import { useAsDefaults } from './session/useAsDefaults';
import { readingCommands } from './transcript/reading';
import { clearStoredData, type StoredDataServices } from './view/clearStoredData';
import { deleteFocusedGroup, editGroup, newGroup, renameFocusedGroup } from './view/editGroup';
import { filterSessions } from './view/filterSessions';
import { moveRows } from './view/moveRows';
import { retryList } from './view/retryLists';
import { showViewOptions } from './view/viewOptions';

export interface CommandContext
  extends CommandServices,
    FolderServices,
    RowServices,
    Pick<StoredDataServices, 'storedData'> {
  readonly sessions: Sessions;
  readonly signIn: SignInDialog;
  readonly choices: SessionChoices;
  readonly log: OutputLog;
  readonly view: Pick<
    SessionsView,
    | 'selectedMessage'
    | 'selectedToSignIn'
    | 'selectedRow'
    | 'selectedRows'
    | 'focusedRows'
    | 'collapseAll'
    | 'step'
  >;
}

/** The core's commands: a function for each ID. */
export function coreCommands(context: CommandContext): CommandTable {
  return {
    ...sessionCommands(context),
    ...markCommands(context),
    ...viewCommands(context),
    ...textCommands(context),
    ...agentCommands(context),
    ...transcriptCommands(context),
  };
}

function sessionCommands(context: CommandContext) {
  const { tree, view } = context;
  return {
    [commandIds.openSession]: (argument) => openSession(context, argument, 'here'),
    [commandIds.openSessionToSide]: (argument) => openSession(context, argument, 'side'),
    [commandIds.copySessionId]: (argument) => copySessionId(tree, argument),
    [commandIds.revealSessionCwd]: (argument) => revealSessionCwd(tree, argument),
    [commandIds.locateFolder]: (argument) => locateFolder(context, argument),
    [commandIds.goToSession]: () => goToSession(context),
    [commandIds.refreshSessions]: () => tree.refresh(),
    [commandIds.collapseSessions]: () => view.collapseAll(),
    [commandIds.retrySessions]: (argument) => retryList(tree, argument ?? view.selectedMessage),
    [commandIds.newSession]: (argument) => newSession(context, argument),
    [commandIds.newSessionOfAgent]: () => newSession(context, view.selectedMessage),
    [commandIds.resumeSession]: (argument) => resumeSession(context, argument),
    [commandIds.closeSession]: (argument, selection) => closeSession(context, argument, selection),
    [commandIds.continueInTerminal]: (argument) => continueInTerminal(context, argument),
    [commandIds.useAsDefaults]: (argument) => useAsDefaults(context, argument),
    [commandIds.renameSession]: async (argument) =>
      (await renameFocusedGroup(context, argument)) || renameSession(context, argument),
    [commandIds.deleteSession]: async (argument, selection) =>
      (await deleteFocusedGroup(context, argument)) || deleteSessions(context, argument, selection),
    [commandIds.stopTurn]: (argument) => stopTurn(context, argument),
    [commandIds.stopSubagent]: (argument) => stopSubagent(context, argument),
    [commandIds.askAgain]: (argument) => askAgain(context, argument),
  } satisfies Partial<CommandTable>;
}

/** The user's marks on sessions. */
function markCommands(context: CommandContext) {
  return {
    [commandIds.pinSession]: (argument, selection) =>
      pinSessions(context, argument, selection, true),
    [commandIds.unpinSession]: (argument, selection) =>
      pinSessions(context, argument, selection, false),
    [commandIds.archiveSession]: (argument, selection) =>
      archiveSessions(context, argument, selection),
    [commandIds.unarchiveSession]: (argument, selection) =>
      unarchiveSessions(context, argument, selection),
    [commandIds.addToGroup]: (argument, selection) => addToGroup(context, argument, selection),
    [commandIds.removeFromGroup]: (argument, selection) =>
      removeFromGroup(context, argument, selection),
    [commandIds.markSessionRead]: (argument, selection) => markRead(context, argument, selection),
    [commandIds.markSessionUnread]: (argument, selection) =>
      markUnread(context, argument, selection),
  } satisfies Partial<CommandTable>;
}

/** How the view shows the sessions, and actions on all of them. */
function viewCommands(context: CommandContext) {
  const { agents, choices } = context;
  return {
    [commandIds.filterSessions]: () => filterSessions(context),
    [commandIds.newGroup]: () => newGroup(context),
    [commandIds.editGroup]: (argument) => editGroup(context, argument),
    [commandIds.moveUp]: (argument, selection) => moveRows(context, argument, selection, 'up'),
    [commandIds.moveDown]: (argument, selection) => moveRows(context, argument, selection, 'down'),
    [commandIds.clearFilter]: () => choices.clearFilter(),
    [commandIds.viewOptions]: () => showViewOptions(agents, choices),
    [commandIds.showHiddenSessions]: () => choices.setShowsHidden(true),
    [commandIds.hideHiddenSessions]: () => choices.setShowsHidden(false),
    [commandIds.deleteOlderSessions]: (argument) => deleteOlderSessions(context, argument),
    [commandIds.clearStoredData]: (argument) => clearStoredData(context, argument),
  } satisfies Partial<CommandTable>;
}

function textCommands(context: CommandContext) {
  return {
    [commandIds.copySessionLink]: (argument) => copySessionLink(context, argument),
    [commandIds.copyEntryLink]: (argument) => copyEntryLink(context, argument),
  } satisfies Partial<CommandTable>;
}

function agentCommands(context: CommandContext) {
  const { log, view } = context;
  return {
    [commandIds.editAgents]: () => editAgents(),
    [commandIds.explainAgent]: (argument) => explainAgent(context, argument),
    [commandIds.restartAgent]: (argument) => restartAgent(context, argument),
    [commandIds.stopAgent]: (argument) => stopAgent(context, argument),
    [commandIds.showAgentLog]: () => log.show(),
    [commandIds.signIn]: (argument) => signInToAgent(context, argument ?? view.selectedToSignIn),
    [commandIds.signOut]: (argument) => signOutOfAgent(context, argument),
  } satisfies Partial<CommandTable>;
}

function transcriptCommands(context: CommandContext) {
  const { panels } = context;
  return {
    [commandIds.addSelection]: () => addSelection(context),
    [commandIds.addFile]: (argument, selection) => addFile(context, argument, selection),
    [commandIds.focusComposer]: () => panels.recent?.focusComposer(),
    [commandIds.findInTranscript]: () => panels.active?.send('find'),
    ...readingCommands(panels),
  } satisfies Partial<CommandTable>;
}
