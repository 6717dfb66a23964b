import './platform/l10n';
import * as vscode from 'vscode';
import { commandTable, registerCommands } from './commands';
import { SessionLinks } from './commands/sessionLinks';
import { Agents } from './model/agents';
import { KnownWorktrees } from './model/knownWorktrees';
import type { Session } from './model/session';
import { SessionIndexer } from './model/sessionIndexer';
import { Sessions } from './model/sessions';
import { setAgentsContext } from './platform/contexts';
import { VsCodeHideRules } from './platform/hideRules';
import { OutputLog } from './platform/log';
import { forgetMcpInputs } from './platform/mcp';
import { searchIndexOf } from './platform/search/searchIndexOf';
import { platformServices } from './platform/services';
import { Attention } from './views/attention';
import { Notifications } from './views/notifications';
import { ReadMarks } from './views/readMarks';
import { Requests } from './views/requests';
import { showIndexTrouble } from './views/search/indexTrouble';
import { Arrangement } from './views/sessions/arrangement';
import { setChoiceContexts } from './views/sessions/choiceContexts';
import { SessionChoices } from './views/sessions/choices';
import { refreshOnFocus } from './views/sessions/focusRefresh';
import { SessionsView } from './views/sessions/sessionsView';
import { SessionsTree } from './views/sessions/tree';
import { TreeFolders } from './views/sessions/treeFolders';
import { SignIn } from './views/signIn';
import { AgentsStatus } from './views/statusBar';
import { FileSearch } from './views/transcript/fileSearch';
import { TranscriptPanels } from './views/transcript/panels';
import { TranscriptFiles } from './views/transcript/transcriptFiles';

let agents: Agents | undefined;

/** What tests inside of VS Code look at; nobody else gets it. */
export type TestApi = ReturnType<typeof build> & {
  /** Milliseconds that `activate()` took by itself. */
  readonly activation: number;
};

/** Starts no agent: that happens when one is first looked at. */
export function activate(context: vscode.ExtensionContext): TestApi | undefined {
  const started = performance.now();
  const log = new OutputLog();
  context.subscriptions.push(log);
  try {
    const api = build(context, log);
    const activation = performance.now() - started;
    log.component('extension').info(`started in ${activation.toFixed(0)} ms`);
    return context.extensionMode === vscode.ExtensionMode.Test ? { ...api, activation } : undefined;
  } catch (error) {
    // VS Code itself says nothing when an extension fails to start.
    log.component('extension').error(String(error));
    void vscode.window.showErrorMessage(`ACP Sessions could not start: ${String(error)}`);
    throw error;
  }
}

/** Ends all agents; VS Code waits a few seconds for it. */
export async function deactivate(): Promise<void> {
  await agents?.close();
}

/** Builds everything, in the order in which the parts need each other. */
function build(context: vscode.ExtensionContext, log: OutputLog) {
  const own = <T extends vscode.Disposable>(part: T): T => {
    context.subscriptions.push(part);
    return part;
  };
  const platform = platformServices(context, log);
  const { settings, workspace, documents, mcp, marks, places } = platform;
  agents = own(new Agents({ ...platform, log: log.component('agents') }));
  const sessions = own(new Sessions({ ...platform, agents, log: log.component('sessions') }));
  const attention = own(new Attention(sessions));
  own(new ReadMarks(marks, attention, sessions));
  const choices = own(new SessionChoices(context.workspaceState, settings));
  own(setChoiceContexts(choices));
  const rules = own(new VsCodeHideRules());
  const arrangement = own(new Arrangement({ marks, choices, rules, sessions, places, attention }));
  const known = own(new KnownWorktrees(platform));
  const worktrees = own(new TreeFolders(known, places));
  const tree = own(new SessionsTree({ agents, workspace, worktrees, arrangement }));
  const state = context.workspaceState;
  const view = own(new SessionsView(tree, sessions, attention, arrangement, state));
  const signIn = new SignIn(agents, workspace);
  const fileSearch = own(new FileSearch());
  const panelLog = log.component('transcript');
  const { extensionUri } = context;
  const services = { ...platform, extensionUri, fileSearch, attention, signIn, log: panelLog };
  const panels = own(new TranscriptPanels(agents, sessions, services));
  const transcriptFiles = own(new TranscriptFiles(sessions, panelLog));
  const show = (session: Session): unknown => panels.show(session);
  own(new AgentsStatus(agents, sessions));
  own(new Notifications({ sessions, attention, settings, show }));
  own(setAgentsContext(agents));
  const searchLog = log.component('search');
  const index = own(searchIndexOf(context, settings, searchLog));
  const indexer = own(new SessionIndexer({ sessions, index, settings, log: searchLog }));
  own(showIndexTrouble(indexer));
  own(refreshOnFocus(agents, workspace, sessions, worktrees));
  const parts = {
    agents,
    workspace,
    tree,
    panels,
    sessions,
    documents,
    transcriptFiles,
    settings,
    marks,
    places,
    attention,
    choices,
    log,
    search: { index, indexer, log: searchLog },
  };
  const requests = new Requests(sessions, panels);
  const forget = (): Promise<void> => forgetMcpInputs(mcp);
  const commands = commandTable({ ...parts, signIn, requests, forgetMcpInputs: forget });
  const links = new SessionLinks({ ...parts, signIn });
  own(vscode.window.registerUriHandler(links));
  own(registerCommands(commands, log.component('commands')));
  return { ...parts, links, view, signIn, requests };
}
