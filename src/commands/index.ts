import * as vscode from 'vscode';
import type { LateTranscriptCache } from '../model/cachedTranscripts/lateTranscriptCache';
import type { LateListMemory } from '../model/memory/lateListMemory';
import { commandIds, viewIds } from '../platform/ids';
import type { LateMcpServers } from '../platform/mcp/lateMcpServers';
import type { AgreedDeletions } from '../platform/review/agreedDeletions';
import type { OutputLog } from '../platform/ui/log';
import type { BranchAct } from '../shared/transcript/branches';
import type { Requests } from '../views/notifications/waitingRequests';
import type { Previews } from '../views/review/previews';
import type { Restoring } from '../views/review/restoring';
import type { SessionChoices } from '../views/sessions/nodes/choices';
import type { SessionsView } from '../views/sessions/sessionsView';
import { agentOf } from './agents/agents';
import type { DiagnosisCommands } from './agents/diagnose';
import { forgetMcpInputs } from './agents/forgetMcpInputs';
import type { SetupServices } from './agents/setup/setupServices';
import type { ProtocolServices } from './agents/useProtocol';
import type { Late } from './late';
import {
  choosePromptSession,
  editPrompt,
  newPrompt,
  type PromptCommandServices,
  removeFromPrompt,
  runPrompt,
  sendPrompt,
} from './prompts/promptCommands';
import {
  decideAll,
  decideAtCursor,
  decideChange,
  decideFiles,
  followAgent,
  goToReviewed,
  openReviewedFiles,
  type ReviewCommands,
  reviewChanges,
  stopFollowing,
  undoLastDecision,
} from './review/reviewCommands';
import type { CommandTable } from './run';
import {
  clearSearchIndex,
  indexSessions,
  type SearchServices,
  searchConversations,
  searchFile,
} from './search/search';
import { addFile, addSelection } from './session/addToSession';
import { askAgain } from './session/askAgain';
import type { BranchServices } from './session/branchSession';
import { markRead, markUnread, pinSessions } from './session/bulk/markSessions';
import { forkSession, resumeSession } from './session/continueSession';
import { copyEntryLink, copySessionId, copySessionLink } from './session/copySession';
import { goToSession, openSession } from './session/goToSession';
import { newSession } from './session/newSession';
import { nameSession, renameSession, unnameSession } from './session/renameSession';
import type { FolderServices } from './session/sessionFolder';
import { closeSession, stopSubagent, stopTurn } from './session/stopSession';
import type { Sharing } from './sharing/sharing';
import { exportSession } from './text/exportSession';
import { compareSessions, compareWithOrigin, openAsText } from './text/openAsText';
import { openSessionChanges } from './text/sessionChanges';
import type { Traces } from './traces/traces';
import { nextRequest } from './transcript/nextRequest';
import { readingCommands } from './transcript/reading';
import { clearCachedTranscripts, clearRememberedLists } from './view/clearMemory';
import { deleteRows, type RowServices, renameRow } from './view/focusedRows';
import { retryList } from './view/retryLists';
import type { WorktreeServices } from './worktrees/worktreeServices';

export { registerCommands } from './run';

export interface CommandContext
  extends SearchServices,
    PromptCommandServices,
    FolderServices,
    RowServices,
    BranchServices,
    WorktreeServices,
    Pick<SetupServices, 'connect'>,
    DiagnosisCommands,
    ReviewCommands {
  readonly choices: SessionChoices;
  readonly log: OutputLog;
  readonly listMemory: Pick<LateListMemory, 'clear' | 'load'>;
  readonly transcriptCache: Pick<LateTranscriptCache, 'clear' | 'load'>;
  readonly requests: Requests;
  readonly agreedDeletions: AgreedDeletions;
  readonly restoring: Restoring;
  readonly previews: Previews;
  readonly traces: Late<Traces>;
  readonly sharing: Late<Sharing>;
  readonly view: Pick<
    SessionsView,
    'selectedMessage' | 'selectedToSignIn' | 'selectedRow' | 'focusedRows' | 'unfoldAgent'
  >;
  readonly mcp: LateMcpServers;
  // Each of these interfaces needs another part of them.
  readonly review: ReviewCommands['review'];
  readonly settings: SearchServices['settings'] &
    WorktreeServices['settings'] &
    ProtocolServices['settings'];
  readonly workspace: SearchServices['workspace'] & SetupServices['workspace'];
  readonly registryStorage: SetupServices['registryStorage'];
  readonly work: BranchServices['work'] & WorktreeServices['work'];
}

/** Every command: its ID and its function. */
export function commandTable(context: CommandContext): CommandTable {
  return {
    ...sessionCommands(context),
    ...markCommands(context),
    ...viewCommands(context),
    ...textCommands(context),
    ...agentCommands(context),
    ...transcriptCommands(context),
    ...searchCommands(context),
    ...promptCommands(context),
    ...reviewCommands(context),
    ...previewCommands(context),
  };
}

/** In bundles that are loaded when first needed. */
const loadBulk = () => import('./session/bulk/bulkCommands');
const loadFolder = () => import('./session/sessionFolder');

function sessionCommands(context: CommandContext) {
  const { tree, view } = context;
  return {
    [commandIds.openSession]: (argument) => openSession(context, argument, 'here'),
    [commandIds.openSessionToSide]: (argument) => openSession(context, argument, 'side'),
    [commandIds.copySessionId]: (argument) => copySessionId(tree, argument),
    [commandIds.revealSessionCwd]: async (argument) =>
      (await loadFolder()).revealSessionCwd(tree, argument),
    [commandIds.locateFolder]: async (argument) =>
      (await loadFolder()).locateFolder(context, argument),
    [commandIds.forgetFolder]: async (argument) =>
      (await loadFolder()).forgetFolder(context, argument),
    [commandIds.goToSession]: () => goToSession(context),
    [commandIds.refreshSessions]: () => tree.refresh(),
    [commandIds.retrySessions]: (argument) => retryList(tree, argument ?? view.selectedMessage),
    [commandIds.newSession]: (argument) => newSession(context, argument),
    [commandIds.newSessionOfAgent]: () => newSession(context, view.selectedMessage),
    [commandIds.resumeSession]: (argument) => resumeSession(context, argument),
    [commandIds.closeSession]: (argument, selection) => closeSession(context, argument, selection),
    [commandIds.forkSession]: (argument) => forkSession(context, argument),
    [commandIds.continueInTerminal]: async (argument) => {
      const { continueInTerminal } = await import('./session/continueInTerminal');
      await continueInTerminal(context, argument);
    },
    [commandIds.useAsDefaults]: async (argument) => {
      const { useAsDefaults } = await import('./session/useAsDefaults');
      await useAsDefaults(context, argument);
    },
    [commandIds.renameSession]: (argument) => renameSession(context, argument),
    [commandIds.deleteSession]: async (argument, selection) =>
      (await loadBulk()).deleteSessions(context, argument, selection),
    [commandIds.renameRow]: (argument) => renameRow(context, argument),
    [commandIds.deleteRows]: (argument, selection) => deleteRows(context, argument, selection),
    [commandIds.stopTurn]: (argument) => stopTurn(context, argument),
    [commandIds.stopSubagent]: (argument) => stopSubagent(context, argument),
    [commandIds.askAgain]: (argument) => askAgain(context, argument),
    [commandIds.openChanges]: (argument) => openSessionChanges(context, argument),
  } satisfies Partial<CommandTable>;
}

/** The user's marks on sessions. */
function markCommands(context: CommandContext) {
  return {
    [commandIds.pinSession]: (argument, selection) =>
      pinSessions(context, argument, selection, true),
    [commandIds.unpinSession]: (argument, selection) =>
      pinSessions(context, argument, selection, false),
    [commandIds.nameSession]: (argument) => nameSession(context, argument),
    [commandIds.unnameSession]: (argument) => unnameSession(context, argument),
    [commandIds.archiveSession]: async (argument, selection) =>
      (await loadBulk()).archiveSessions(context, argument, selection),
    [commandIds.unarchiveSession]: async (argument, selection) =>
      (await loadBulk()).unarchiveSessions(context, argument, selection),
    [commandIds.markSessionRead]: (argument, selection) => markRead(context, argument, selection),
    [commandIds.markSessionUnread]: (argument, selection) =>
      markUnread(context, argument, selection),
  } satisfies Partial<CommandTable>;
}

/** Prompts written in editors. */
function promptCommands(context: CommandContext) {
  return {
    [commandIds.editPrompt]: () => editPrompt(context),
    [commandIds.newPrompt]: () => newPrompt(context),
    [commandIds.sendPrompt]: () => sendPrompt(context),
    [commandIds.choosePromptSession]: () => choosePromptSession(context),
    [commandIds.runPrompt]: () => runPrompt(context),
    [commandIds.removeFromPrompt]: (uri, name) => removeFromPrompt(context, uri, name),
  } satisfies Partial<CommandTable>;
}

/** How the view shows the sessions, and actions on all of them. */
function viewCommands(context: CommandContext) {
  const { agents, choices, listMemory, transcriptCache } = context;
  return {
    [commandIds.filterSessions]: async () => {
      const { filterSessions } = await import('./view/filterSessions');
      await filterSessions(agents, choices);
    },
    [commandIds.clearFilter]: () => choices.clearFilter(),
    [commandIds.showHiddenSessions]: () => choices.setShowsHidden(true),
    [commandIds.hideHiddenSessions]: () => choices.setShowsHidden(false),
    [commandIds.groupSessionsByDate]: () => choices.setGrouping('date'),
    [commandIds.groupSessionsByFolder]: () => choices.setGrouping('folder'),
    [commandIds.groupSessionsByReview]: () => choices.setGrouping('review'),
    [commandIds.ungroupSessions]: () => choices.setGrouping('none'),
    [commandIds.showGlance]: () => vscode.commands.executeCommand(`${viewIds.glance}.focus`),
    [commandIds.showAllFolders]: () => choices.setScope('all'),
    [commandIds.showWorkspaceFolders]: () => choices.setScope('workspace'),
    [commandIds.sortSessionsByTime]: () => choices.setSorting('time'),
    [commandIds.sortSessionsByTitle]: () => choices.setSorting('title'),
    // The current choices, which their menus show with a check mark.
    [commandIds.sessionsGroupedByDate]: () => choices.setGrouping('date'),
    [commandIds.sessionsGroupedByFolder]: () => choices.setGrouping('folder'),
    [commandIds.sessionsGroupedByReview]: () => choices.setGrouping('review'),
    [commandIds.sessionsUngrouped]: () => choices.setGrouping('none'),
    [commandIds.sessionsSortedByTime]: () => choices.setSorting('time'),
    [commandIds.sessionsSortedByTitle]: () => choices.setSorting('title'),
    [commandIds.clearRememberedLists]: () => clearRememberedLists(listMemory),
    [commandIds.clearCachedTranscripts]: () => clearCachedTranscripts(transcriptCache, listMemory),
    [commandIds.deleteOlderSessions]: async (argument) =>
      (await loadBulk()).deleteOlderSessions(context, argument),
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
  const { log, mcp, sharing, traces, tree, view } = context;
  // In bundles that are loaded when first needed.
  const load = () => import('./agents/setup/agentSetup');
  const loadTrouble = () => import('./agents/agentTrouble');
  const setup = { ...context, log: log.component('registry') };
  return {
    [commandIds.addAgent]: async () => (await load()).addAgent(setup),
    [commandIds.editAgents]: async () => (await load()).editAgents(),
    [commandIds.updateAgent]: async (argument) =>
      (await load()).updateAgent(setup, agentOf(tree, argument)?.id),
    [commandIds.useVersion]: async (argument) =>
      (await load()).useVersion(setup, agentOf(tree, argument)?.id),
    [commandIds.removeAgent]: async (argument) =>
      (await load()).removeAgent(setup, agentOf(tree, argument)?.id),
    [commandIds.forgetAgent]: async (argument) =>
      (await load()).forgetAgent(context, agentOf(tree, argument)),
    [commandIds.explainAgent]: async (argument) =>
      (await loadTrouble()).explainAgent(context, argument),
    [commandIds.diagnoseAgent]: async (argument) =>
      (await loadTrouble()).diagnoseAgent(context, argument),
    [commandIds.useProtocol]: async (argument) =>
      (await loadTrouble()).useProtocol(context, argument),
    [commandIds.copyReport]: (argument) => context.diagnoses.copyReport(argument),
    [commandIds.recordTrace]: async (argument) => (await traces.load()).recordings.record(argument),
    [commandIds.stopTrace]: async (argument) => (await traces.load()).recordings.stop(argument),
    [commandIds.replayTrace]: async (argument) => (await traces.load()).replays.open(argument),
    [commandIds.closeTrace]: async (argument) => (await traces.load()).replays.close(argument),
    [commandIds.shareAgent]: async (argument) => (await sharing.load()).share(argument),
    [commandIds.stopSharing]: async (argument) => (await sharing.load()).stop(argument),
    [commandIds.restartAgent]: async (argument) =>
      (await loadTrouble()).restartAgent(context, argument),
    [commandIds.stopAgent]: async (argument) => (await loadTrouble()).stopAgent(context, argument),
    [commandIds.showAgentLog]: () => log.show(),
    [commandIds.signIn]: async (argument) => {
      const chosen: unknown = argument ?? view.selectedToSignIn;
      await (await loadTrouble()).signInToAgent(context, chosen);
    },
    [commandIds.signOut]: async (argument) =>
      (await loadTrouble()).signOutOfAgent(context, argument),
    [commandIds.forgetMcpInputs]: () => forgetMcpInputs(mcp),
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
    [commandIds.undoRestore]: (argument) => undoLastDecision(context, argument),
    ...branchCommands(context),
    ...worktreeCommands(context),
    ...readingCommands(panels),
  } satisfies Partial<CommandTable>;
}

/** Going back in a conversation, in a bundle that is loaded when first needed. */
function branchCommands(context: CommandContext) {
  const load = () => import('./session/branchSession');
  const branch = async (argument: unknown, act: BranchAct): Promise<void> =>
    (await load()).branchSession(context, argument, act);
  return {
    [commandIds.forkFromHere]: (argument) => branch(argument, 'fork'),
    [commandIds.forkFromTurn]: (argument) => branch(argument, 'fork'),
    [commandIds.editAndResend]: (argument) => branch(argument, 'edit'),
    [commandIds.retryTurn]: (argument) => branch(argument, 'retry'),
    [commandIds.compareWithOrigin]: (argument) => compareWithOrigin(context, argument),
    [commandIds.openOrigin]: async (argument) => (await load()).openOrigin(context, argument),
    [commandIds.openFork]: async (argument) => (await load()).openFork(context, argument),
  } satisfies Partial<CommandTable>;
}

/** Sessions in worktrees of their own, in a bundle that is loaded when first needed. */
function worktreeCommands(context: CommandContext) {
  const load = () => import('./worktrees/worktreeCommands');
  return {
    [commandIds.newSessionInWorktree]: async (argument) =>
      (await load()).newSessionInWorktree(context, argument),
    [commandIds.compareWithBase]: async (argument) =>
      (await load()).compareWithBase(context, argument),
    [commandIds.askSeveralAgents]: async (argument) =>
      (await load()).askSeveralAgents(context, argument),
    [commandIds.compareWithAnother]: async (argument) =>
      (await load()).compareWithAnother(context, argument),
    [commandIds.applyToWorkspace]: async (argument) =>
      (await load()).applyToWorkspace(context, argument),
    [commandIds.openWorktree]: async (argument) => (await load()).openWorktree(context, argument),
    [commandIds.removeWorktree]: async (argument) =>
      (await load()).removeChosenWorktree(context, argument),
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

/** Reviewing what agents changed. */
function reviewCommands(context: CommandContext) {
  return {
    [commandIds.reviewChanges]: (argument) => reviewChanges(context, argument),
    [commandIds.keepAllChanges]: (argument) => decideAll(context, 'keep', argument),
    [commandIds.undoAllChanges]: (argument) => decideAll(context, 'undo', argument),
    [commandIds.keepShownChanges]: (argument) => decideAll(context, 'keep', argument),
    [commandIds.undoShownChanges]: (argument) => decideAll(context, 'undo', argument),
    [commandIds.keepFile]: (...rows) => decideFiles(context, 'keep', rows),
    [commandIds.undoFile]: (...rows) => decideFiles(context, 'undo', rows),
    [commandIds.openReviewedFile]: (...rows) => openReviewedFiles(context, rows),
    [commandIds.keepChange]: (...args) => decideChange(context, 'keep', args),
    [commandIds.undoChange]: (...args) => decideChange(context, 'undo', args),
    [commandIds.keepAtCursor]: () => decideAtCursor(context, 'keep'),
    [commandIds.undoAtCursor]: () => decideAtCursor(context, 'undo'),
    [commandIds.nextReviewed]: () => goToReviewed(context, 1),
    [commandIds.previousReviewed]: () => goToReviewed(context, -1),
    [commandIds.followAgent]: () => followAgent(context),
    [commandIds.stopFollowing]: () => stopFollowing(context),
  } satisfies Partial<CommandTable>;
}

/** The buttons of previews that ask. */
function previewCommands({ previews }: CommandContext) {
  return {
    // A key of its own, as VS Code would write that of a button into the button.
    [commandIds.previewAccept]: () => previews.answer(previews.active?.choices[0]),
    [commandIds.previewRestore]: () => previews.answer('restore'),
    [commandIds.previewRestoreAndGoBack]: () => previews.answer('restoreAndGoBack'),
    [commandIds.previewBringBack]: () => previews.answer('bringBack'),
    [commandIds.previewKeepMyEdits]: () => previews.answer('keepMyEdits'),
    [commandIds.previewDiscardMyEdits]: () => previews.answer('discardMyEdits'),
    [commandIds.previewApply]: () => previews.answer('apply'),
    [commandIds.previewApplyWithoutConflicts]: () => previews.answer('applyWithoutConflicts'),
  } satisfies Partial<CommandTable>;
}
