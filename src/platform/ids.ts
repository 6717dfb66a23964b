/** The ids shared by the manifest and the code. A test checks that the two agree. */

export const commandIds = {
  openSession: 'acpSessions.session.open',
  openSessionToSide: 'acpSessions.session.openToSide',
  copySessionId: 'acpSessions.session.copyId',
  revealSessionCwd: 'acpSessions.session.revealCwd',
  locateFolder: 'acpSessions.session.locateFolder',
  goToSession: 'acpSessions.session.goTo',
  newSession: 'acpSessions.session.new',
  newSessionOfAgent: 'acpSessions.agent.newSession',
  resumeSession: 'acpSessions.session.resume',
  closeSession: 'acpSessions.session.close',
  continueInTerminal: 'acpSessions.session.continueInTerminal',
  useAsDefaults: 'acpSessions.session.useAsDefaults',
  renameSession: 'acpSessions.session.rename',
  archiveSession: 'acpSessions.session.archive',
  deleteSession: 'acpSessions.session.delete',
  stopTurn: 'acpSessions.session.stop',
  stopSubagent: 'acpSessions.session.stopSubagent',
  askAgain: 'acpSessions.session.askAgain',
  addSelection: 'acpSessions.session.addSelection',
  addFile: 'acpSessions.session.addFile',
  copySessionLink: 'acpSessions.session.copyLink',
  copyEntryLink: 'acpSessions.transcript.copyEntryLink',
  focusComposer: 'acpSessions.composer.focus',
  refreshSessions: 'acpSessions.sessions.refresh',
  collapseSessions: 'acpSessions.sessions.collapseAll',
  retrySessions: 'acpSessions.sessions.retry',
  pinSession: 'acpSessions.session.pin',
  unpinSession: 'acpSessions.session.unpin',
  unarchiveSession: 'acpSessions.session.unarchive',
  markSessionRead: 'acpSessions.session.markRead',
  markSessionUnread: 'acpSessions.session.markUnread',
  clearStoredData: 'acpSessions.storedData.clear',
  deleteOlderSessions: 'acpSessions.sessions.deleteOlder',
  addToGroup: 'acpSessions.session.addToGroup',
  removeFromGroup: 'acpSessions.session.removeFromGroup',
  newGroup: 'acpSessions.group.new',
  editGroup: 'acpSessions.group.edit',
  moveUp: 'acpSessions.sessions.moveUp',
  moveDown: 'acpSessions.sessions.moveDown',
  filterSessions: 'acpSessions.sessions.filter',
  clearFilter: 'acpSessions.sessions.clearFilter',
  viewOptions: 'acpSessions.sessions.viewOptions',
  showHiddenSessions: 'acpSessions.sessions.showHidden',
  hideHiddenSessions: 'acpSessions.sessions.hideHidden',
  editAgents: 'acpSessions.agent.edit',
  explainAgent: 'acpSessions.agent.explain',
  restartAgent: 'acpSessions.agent.restart',
  stopAgent: 'acpSessions.agent.stop',
  showAgentLog: 'acpSessions.agent.showLog',
  signIn: 'acpSessions.agent.signIn',
  signOut: 'acpSessions.agent.signOut',
  findInTranscript: 'acpSessions.transcript.find',
  go: 'acpSessions.transcript.go',
  fold: 'acpSessions.transcript.fold',
  copyEntry: 'acpSessions.transcript.copyEntry',
  copyTurn: 'acpSessions.transcript.copyTurn',
  copyCode: 'acpSessions.transcript.copyCode',
} as const;
export type CommandId = (typeof commandIds)[keyof typeof commandIds];

/** Commands that the core offers and a feature has, so that they do nothing without it. */
export const offeredCommandIds = {
  diagnoseAgent: 'acpSessions.agent.diagnose',
  openPlan: 'acpSessions.plan.open',
  continuePlan: 'acpSessions.plan.continue',
} as const;
export type OfferedCommandId = (typeof offeredCommandIds)[keyof typeof offeredCommandIds];

/**
 * Commands that only our own rows, lenses and links run. The manifest, whose commands people look through, doesn't have
 * them; they are registered with those.
 */
export const innerCommandIds: readonly string[] = [
  commandIds.openSession,
  commandIds.newSessionOfAgent,
  commandIds.explainAgent,
  commandIds.showHiddenSessions,
  commandIds.hideHiddenSessions,
  offeredCommandIds.openPlan,
  offeredCommandIds.continuePlan,
  'acpSessions.session.newInWorktree',
  'acpSessions.search.indexFolder',
  'acpSessions.session.openFork',
  'acpSessions.agent.useProtocol',
  'acpSessions.prompt.removeAttachment',
  'acpSessions.usage.export',
  'acpSessions.context.fix',
  'acpSessions.trace.record',
  'acpSessions.trace.stop',
  'acpSessions.trace.replay',
];

export const viewIds = {
  sessions: 'acpSessions.sessions',
  glance: 'acpSessions.glance',
  /** The view type of the page that compares sessions. */
  comparison: 'acpSessions.comparison',
  /** The view type of a transcript's tab. */
  transcript: 'acpSessions.transcript',
} as const;

/** The language id of prompts that are written in editors. */
export const promptLanguage = 'acp-prompt';

/** Context keys for the `when` clauses of the manifest. */
export const contextKeys = {
  /** How many agents are set up in `acpSessions.agents`: `none`, `one` or `several`. */
  agents: 'acpSessions.agents',
  /** Whether a filter hides sessions in the view. */
  filtered: 'acpSessions.filtered',
  /** `workspace` or `all`. */
  scope: 'acpSessions.scope',
  /** Conditions for the walkthrough: whether a session was opened, and prompted, in this window. */
  hasOpened: 'acpSessions.hasOpened',
  hasPrompted: 'acpSessions.hasPrompted',
  /** Whether the session whose tab has focus has permissions that were granted for good. */
  allowed: 'acpSessions.allowed',
  /** The words of the row of the session whose tab has focus: see `nodeWords`. */
  session: 'acpSessions.session',
  /** Whether the text field of a transcript has focus. */
  typing: 'acpSessions.typing',
  /** Whether a transcript tab exists. */
  hasTab: 'acpSessions.hasTab',
  /** Whether an agent waits for an answer, or changes wait for review. */
  waiting: 'acpSessions.waiting',
  /** Whether changes were restored to what they were before a turn, and that can be undone. */
  canUndoRestore: 'acpSessions.canUndoRestore',
  /** Whether an agent is running. */
  running: 'acpSessions.running',
  /** What the preview in the active editor asks, as words; empty if it asks nothing. */
  previewChoices: 'acpSessions.previewChoices',
} as const;

export const settingsSection = 'acpSessions';
export const settingKeys = {
  additionalDirectories: 'additionalDirectories',
  agents: 'agents',
  autoReveal: 'sessions.autoReveal',
  demoAgentCleanupDays: 'demoAgent.cleanupDays',
  groupByDate: 'sessions.groupByDate',
  hiddenSessions: 'hiddenSessions',
  permissionRules: 'permissions.rules',
  insecureHosts: 'insecureHosts',
  protocol: 'protocol',
  rememberLists: 'sessions.rememberLists',
  sendKey: 'sendKey',
  systemPrompts: 'systemPrompts',
  transcriptCacheLimit: 'transcripts.cacheSizeLimit',
  worktrees: 'worktrees',
} as const;

/** The words of a node's `contextValue`, which `when` clauses of the manifest match with `=~`. */
export const nodeWords = {
  agent: 'agent',
  /** The agent has a process. */
  running: 'running',
  /** The agent is a trace that is replayed. */
  trace: 'trace',
  /** The agent isn't in the settings any more; it has none of the words above. */
  removed: 'removed',
  /** The agent is started by this machine itself. */
  startedHere: 'startedHere',
  /** The registry has a newer version of the agent. */
  outdated: 'outdated',
  folder: 'folder',
  /** The node of a worktree beside the main one, or a session in it. */
  worktree: 'worktree',
  group: 'group',
  /** A group that the user has made. */
  ownGroup: 'ownGroup',
  session: 'session',
  /** The session's agent can load it, as far as is known. */
  openable: 'openable',
  /** Operations that the session's agent supports for it. */
  resumable: 'resumable',
  forkable: 'forkable',
  deletable: 'deletable',
  /** Marks that the user has set or can set. */
  pinnable: 'pinnable',
  pinned: 'pinned',
  archivable: 'archivable',
  archived: 'archived',
  readable: 'readable',
  unread: 'unread',
  named: 'named',
  /** The row stands in one of the user's groups. */
  grouped: 'grouped',
  /** The session was forked from another one. */
  branch: 'branch',
  /** Changes of the session wait for review. */
  reviewable: 'reviewable',
  /** The session's folder was checked in this window. */
  checked: 'checked',
  /** The session's folder is gone, or the user has located it elsewhere. */
  locatable: 'locatable',
  moved: 'moved',
  open: 'open',
  /** The session is open, and its agent can close sessions. */
  closable: 'closable',
  /** A turn is running in the session, or the subagent can be stopped alone. */
  stoppable: 'stoppable',
  subagent: 'subagent',
  older: 'older',
  problem: 'problem',
  message: 'message',
  /** A session can be created from here. */
  newSession: 'newSession',
  /** Actions that a message offers. */
  retry: 'retry',
  showLog: 'showLog',
  editAgents: 'editAgents',
  diagnose: 'diagnose',
  signIn: 'signIn',
  signOut: 'signOut',
} as const;
export type NodeWord = (typeof nodeWords)[keyof typeof nodeWords];
