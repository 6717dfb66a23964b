import path from 'node:path';
import * as l10n from '@vscode/l10n';
import './platform/l10n';
import * as vscode from 'vscode';
import { commandTable, registerCommands } from './commands';
import { SlowAgents } from './commands/agents/slowAgents';
import { Late } from './commands/late';
import { chooseSession } from './commands/prompts/promptCommands';
import { SessionLinks } from './commands/session/sessionLinks';
import type { Sharing } from './commands/sharing/sharing';
import type { Traces } from './commands/traces/traces';
import { Agents } from './model/agents/agents';
import { LateTranscriptCache } from './model/cachedTranscripts/lateTranscriptCache';
import { LateListMemory } from './model/memory/lateListMemory';
import { SessionMemory } from './model/memory/sessionMemory';
import type { Log } from './model/ports';
import { LateReviews } from './model/review/lateReviews';
import { RecordedPlaces } from './model/review/recordedPlaces';
import { SessionIndexer } from './model/search/sessionIndexer';
import { KeptWork } from './model/session/keptWork';
import { Sessions } from './model/session/sessions';
import { TablessSessions } from './model/session/tablessSessions';
import { TurnNotes } from './model/transcript/turnNotes/turnNotes';
import { RecordingLoader } from './platform/review/recordingLoader';
import { WorkerSearchIndex } from './platform/search/workerSearchIndex';
import { platformServices } from './platform/services';
import { VsCodeHideRules } from './platform/settings/hideRules';
import { mementoOf, storedState } from './platform/storage/storedState';
import {
  draftsFolder,
  FolderOfTexts,
  readFolder,
  turnsFolder,
} from './platform/storage/storedTexts';
import { setAgentsContext, setDoneContexts } from './platform/ui/contexts';
import { LastEditor } from './platform/ui/lastEditor';
import { OutputLog } from './platform/ui/log';
import { showErrorMessage } from './platform/ui/messages';
import { PromptLoader } from './prompts/loader';
import { allOver } from './util/async';
import { Lazy } from './util/lazy';
import { stackOf } from './util/stackOf';
import { Attention } from './views/attention/attention';
import { ReadMarks } from './views/attention/readMarks';
import { AgentsStatus } from './views/attention/statusBar';
import { TonePages } from './views/attention/tonePages';
import { Diagnoses } from './views/diagnosis/loader';
import { SignIn } from './views/dialogs/signIn';
import { provideGlance } from './views/glance/loader';
import { tellOfInterrupted } from './views/notifications/interrupted';
import { Notifications } from './views/notifications/notifications';
import { notify } from './views/notifications/notify';
import { Requests } from './views/notifications/waitingRequests';
import { ReviewLoader } from './views/review/loader';
import { Previews } from './views/review/previews';
import { Restoring } from './views/review/restoring';
import { showIndexTrouble } from './views/search/indexTrouble';
import { setChoiceContexts } from './views/sessions/choiceContexts';
import { Expansion } from './views/sessions/expansion';
import { refreshOnFocus } from './views/sessions/focusRefresh';
import { followTab } from './views/sessions/followTab';
import { includeArchived } from './views/sessions/nodes/archivedSessions';
import { Arrangement } from './views/sessions/nodes/arrangement';
import { SessionChoices } from './views/sessions/nodes/choices';
import { SessionsTree } from './views/sessions/nodes/tree';
import { TreeFolders } from './views/sessions/nodes/treeFolders';
import { SessionsView } from './views/sessions/sessionsView';
import { setTabContexts } from './views/tabContexts';
import { TranscriptTabs } from './views/tabs/tabs';
import { FileSearchLoader } from './views/transcript/composer/fileSearchLoader';
import { SavedPrompts } from './views/transcript/composer/savedPrompts';
import { Admission } from './views/transcript/tabs/admission';
import { takeOverOldTabs } from './views/transcript/tabs/oldTabs';
import { OpenedSessions } from './views/transcript/tabs/openedSessions';
import { TranscriptPanels } from './views/transcript/tabs/panels';
import { Renewals } from './views/transcript/tabs/renewals';
import { nameOf } from './views/transcript/tabs/sessionNames';
import { followNames } from './views/transcript/tabs/tabNames';
import { SessionReaders } from './views/transcript/text/sessionReaders';
import { TranscriptFiles } from './views/transcript/text/transcriptFiles';

// For `deactivate`, which gets no arguments, and which is all that VS Code waits for on its way out:
// https://github.com/microsoft/vscode/issues/941
let agents: Agents | undefined;
let work: KeptWork | undefined;
let readMarks: ReadMarks | undefined;
let turnNotes: (() => Promise<unknown>) | undefined;
let recording: RecordingLoader | undefined;
let listMemory: LateListMemory | undefined;
let transcriptCache: LateTranscriptCache | undefined;
let traces: Late<Traces> | undefined;
let sharing: Late<Sharing> | undefined;
let leavingLog: Log | undefined;

/** For tests that run in VS Code; nothing else gets it. */
export type TestApi = ReturnType<typeof buildRest> & {
  /** What `activate()` itself takes, without what it waits for, in ms. */
  readonly activation: number;
};

/**
 * Starts no agent: that happens when one is first looked at. The view comes first, and everything else when its rows are
 * drawn. VS Code lets commands and tabs wait until this resolves.
 */
export async function activate(context: vscode.ExtensionContext): Promise<TestApi | undefined> {
  const own: Own = (part) => {
    context.subscriptions.push(part);
    return part;
  };
  const log = own(new OutputLog());
  leavingLog = log.component('extension');
  try {
    const began = performance.now();
    const shown = buildShown(context, log, own);
    const first = performance.now() - began;
    await shown.view.whenDrawn();
    const wentOn = performance.now();
    const api = buildRest(context, log, shown, own);
    const activation = first + performance.now() - wentOn;
    log.component('extension').info(`started in ${activation.toFixed(0)} ms`);
    return context.extensionMode === vscode.ExtensionMode.Test ? { ...api, activation } : undefined;
  } catch (error) {
    // VS Code doesn't tell the user when an extension fails to start.
    log.component('extension').error(stackOf(error));
    void showErrorMessage(l10n.t('ACP Sessions could not start: {0}', String(error)));
    throw error;
  }
}

/** Saves work in progress, and ends all agents; VS Code waits a few seconds for it. */
export async function deactivate(): Promise<void> {
  const failures = await allOver([
    ...[() => work?.end(), () => readMarks?.end(), () => turnNotes?.()],
    ...[() => listMemory?.end(), () => transcriptCache?.end()],
    ...[() => agents?.close(), () => recording?.close()],
    ...[() => traces?.end(), () => sharing?.end()],
  ]);
  for (const failure of failures) {
    leavingLog?.warn(String(failure));
  }
}

type Own = <T extends vscode.Disposable>(part: T) => T;

/** Builds the view with all that its rows show, and what must not miss an agent's start. */
function buildShown(context: vscode.ExtensionContext, log: OutputLog, own: Own) {
  const model = buildModel(context, log, own);
  const tabs = own(new TranscriptTabs());
  const view = buildView(context, log, { ...model, tabs }, own);
  const slowAgents = own(new SlowAgents(model));
  followRemotes(model.agents, log.component('agents'), own);
  own(setAgentsContext(model.agents));
  return { ...model, ...view, tabs, slowAgents };
}

type Shown = ReturnType<typeof buildShown>;

/** Builds everything else, in the order in which the parts depend on each other. */
function buildRest(context: vscode.ExtensionContext, log: OutputLog, shown: Shown, own: Own) {
  const search = buildSearch(context, log, shown, own);
  const signIn = new SignIn(shown);
  const previews = own(new Previews(shown.documents));
  const restoring = new Restoring({ ...shown, previews });
  const transcripts = buildTranscripts(context, log, { ...shown, signIn, restoring }, own);
  const parts = { ...shown, ...search, ...transcripts, signIn, previews, restoring, log };
  const { agents: all, sessions, tree, settings, panels } = parts;
  const { prompts, fileSearch } = parts;
  own(new AgentsStatus(all, sessions));
  own(provideGlance({ ...parts, extensionUri: context.extensionUri }));
  own(followTab(parts.view, panels, settings));
  own(setTabContexts(parts));
  notifyOfSessions(log, parts, own);
  own(tellOfInterrupted(parts));
  own(setDoneContexts(sessions));
  prompts.provide({
    ...{ agents: all, sessions, tree, panels, fileSearch },
    extensionUri: context.extensionUri,
    state: mementoOf(context, storedState.promptSessions),
    log: log.component('prompts'),
    chooseSession: () => chooseSession(parts),
  });
  const { version } = context.extension.packageJSON as { version: string };
  const diagnoses = own(new Diagnoses({ ...parts, version }));
  const traced = { ...parts, context, version, traceLog: log.component('traces') };
  traces = own(new Late(async () => new (await import('./commands/traces/traces')).Traces(traced)));
  const shared = { ...parts, sharedPorts: mementoOf(context, storedState.sharedPorts) };
  sharing = own(
    new Late(async () => new (await import('./commands/sharing/sharing')).Sharing(shared)),
  );
  const requests = new Requests(sessions, all, panels, shown.reviews);
  const links = new SessionLinks(parts);
  own(vscode.window.registerUriHandler(links));
  const review = own(new ReviewLoader(parts));
  provideReviews(context, log, { ...parts, review }, own);
  const commands = commandTable({ ...parts, requests, review, diagnoses, traces, sharing });
  own(registerCommands(commands, all, log.component('commands')));
  return { ...parts, links, requests, review };
}

/** Loads what connects again to agents on other machines with the first of them. */
function followRemotes(all: Agents, log: Log, own: Own): void {
  const following = new Lazy(async () => {
    const { FollowRemotes } = await import('./platform/remote/remoteAgents');
    own(new FollowRemotes({ agents: all }));
    listening.dispose();
  });
  const listening = own(
    all.onDidChangeAgent(({ config: { remote }, state }) => {
      if (remote !== undefined && state.kind === 'ready') {
        following.get().catch((error: unknown) => log.warn(stackOf(error)));
      }
    }),
  );
}

/** Tells of session events, in the window or to a user who looks at another one. */
function notifyOfSessions(
  log: OutputLog,
  parts: Model & {
    readonly panels: TranscriptPanels;
    readonly tabs: TranscriptTabs;
    readonly tonePages: TonePages;
  },
  own: Own,
): void {
  const { settings, panels } = parts;
  const { window, env } = vscode;
  own(
    new Notifications({
      ...parts,
      notify,
      isAway: () =>
        !window.state.focused && (settings.systemNotifications || settings.notificationSound),
      loadAway: async () => {
        const { Away } = await import('./views/notifications/away');
        const isUsersMachine = env.remoteName === undefined && env.uiKind === vscode.UIKind.Desktop;
        const { onDidChangeWindowState } = window;
        return new Away({ ...parts, isUsersMachine, onDidChangeWindowState });
      },
      show: (session) => void panels.show(session),
      log: log.component('notifications'),
    }),
  );
}

/** Connects the record of agents' changes, once it is loaded, with what shows it. */
function provideReviews(
  context: vscode.ExtensionContext,
  log: OutputLog,
  parts: Model & {
    readonly review: ReviewLoader;
    readonly panels: TranscriptPanels;
    readonly previews: Previews;
  },
  own: Own,
): void {
  const { recording: loader, review, reviews: shown, sessions } = parts;
  own(
    loader.onDidLoad(({ reviews }) => {
      review.provide({ ...parts, reviews });
      shown.provide(reviews, {
        show: async (of, turn) => (await review.load()).review(of.agentId, of.sessionId, turn),
        showUncertain: async (of) => (await review.load()).reviewUncertain(of),
        keep: async (of, turn) =>
          (await review.load()).decideSession('keep', of.agentId, of.sessionId, turn),
        undo: async (of, turn) =>
          (await review.load()).decideSession('undo', of.agentId, of.sessionId, turn),
      });
    }),
  );
  own(
    sessions.onDidDelete(({ agentId, sessionId }) => {
      void loader.forget(agentId, sessionId);
    }),
  );
  loader.provide({
    ...parts,
    folder: path.join(context.globalStorageUri.fsPath, 'review'),
    files: review.files,
    log: log.component('review'),
  });
}

/** The model, which is independent of VS Code, on top of the platform. */
function buildModel(context: vscode.ExtensionContext, log: OutputLog, own: Own) {
  const platform = platformServices(context, log);
  agents = own(new Agents({ ...platform, log: log.component('agents') }));
  recording = new RecordingLoader(log.component('review'));
  const notes = new TurnNotes({
    ...platform,
    texts: new FolderOfTexts(turnsFolder(context)),
    log: log.component('transcripts'),
  });
  const sessions = own(
    new Sessions({
      ...platform,
      agents,
      ...{ recorders: recording, notes },
      log: log.component('sessions'),
    }),
  );
  own(new SessionMemory(sessions, platform.remembered, log.component('sessions')));
  transcriptCache = own(
    new LateTranscriptCache({
      ...{ ...platform, agents, sessions, notes },
      folder: path.join(context.globalStorageUri.fsPath, 'transcripts'),
      place: context.storageUri?.fsPath ?? '',
      log: log.component('transcripts'),
    }),
  );
  const parts = { ...platform, agents, sessions, transcriptCache };
  listMemory = own(new LateListMemory({ ...parts, log: log.component('lists') }));
  turnNotes = () => Promise.all(sessions.all.map((session) => notes.note(session)));
  const attention = own(new Attention(sessions));
  const readTexts = new FolderOfTexts(readFolder(context));
  readMarks = own(new ReadMarks(platform.marks, attention, sessions, agents, readTexts));
  void readMarks.begin();
  const texts = new FolderOfTexts(draftsFolder(context));
  work = own(new KeptWork({ texts, sessions, log: log.component('drafts') }));
  const tabless = own(new TablessSessions(sessions));
  const reviews = own(new LateReviews());
  const recordedPlaces = own(new RecordedPlaces({ ...platform, agents, sessions }));
  const kept = { work, listMemory, transcriptCache };
  return {
    ...platform,
    ...kept,
    agents,
    sessions,
    attention,
    tabless,
    reviews,
    recording,
    recordedPlaces,
  };
}

type Model = ReturnType<typeof buildModel>;
interface Tabs {
  readonly tabs: TranscriptTabs;
}

/** The view in the side bar. */
function buildView(
  context: vscode.ExtensionContext,
  log: OutputLog,
  model: Model & Tabs,
  own: Own,
) {
  const { agents: all, sessions, attention, settings, workspace } = model;
  const { marks, tabs, work: kept } = model;
  const choices = own(new SessionChoices(mementoOf(context, storedState.choices), settings));
  own(setChoiceContexts(choices));
  own(includeArchived(choices, all));
  const rules = own(new VsCodeHideRules(log.component('hidden sessions')));
  const arrangement = own(
    new Arrangement({
      marks,
      choices,
      rules,
      sessions,
      places: model.places,
      attention,
      work: kept,
      reviews: model.reviews,
    }),
  );
  const worktrees = own(new TreeFolders(model.worktrees, model.places));
  const tree = own(
    new SessionsTree({
      ...{ agents: all, workspace, worktrees, arrangement, sessions, attention, tabs },
      ...{ reviews: model.reviews, registry: model.registryStorage },
      runningIn: (agentId, sessionId) => sessions.find(agentId, sessionId)?.subagents.running ?? [],
    }),
  );
  const expansion = new Expansion(mementoOf(context, storedState.expansion));
  const view = own(new SessionsView(tree, sessions, arrangement, tabs, expansion));
  own(refreshOnFocus(all, workspace, sessions, worktrees));
  return { arrangement, choices, tree, view };
}

function buildSearch(
  context: vscode.ExtensionContext,
  log: OutputLog,
  { sessions, settings }: Model,
  own: Own,
) {
  const searchLog = log.component('search');
  const index = own(
    new WorkerSearchIndex({
      program: context.asAbsolutePath('dist/searchWorker.js'),
      // Shared by all windows on this machine.
      folder: `${context.globalStorageUri.fsPath}/search`,
      limit: () => settings.searchIndexLimit,
      log: searchLog,
    }),
  );
  const indexer = own(new SessionIndexer({ sessions, index, settings, log: searchLog }));
  own(showIndexTrouble(indexer));
  return { search: { index, indexer, log: searchLog } };
}

/** The tabs, and everything that is written for them. */
function buildTranscripts(
  context: vscode.ExtensionContext,
  log: OutputLog,
  model: Model &
    Tabs & {
      readonly tree: SessionsTree;
      readonly signIn: SignIn;
      readonly restoring: Restoring;
    },
  own: Own,
) {
  const { extensionUri } = context;
  const { sessions } = model;
  const transcriptLog = log.component('transcript');
  const fileSearch = own(new FileSearchLoader(log.component('files')));
  const savedPrompts = own(new SavedPrompts());
  const prompts = own(new PromptLoader());
  const written = { fileSearch, savedPrompts, prompts };
  const opened = new OpenedSessions(mementoOf(context, storedState.openedSessions));
  const admission = new Admission({ ...model, opened });
  const lastEditor = own(new LastEditor());
  const tonePages = new TonePages();
  const services = {
    ...model,
    ...written,
    lastEditor,
    tonePages,
    extensionUri,
    log: transcriptLog,
  };
  const panels = own(new TranscriptPanels({ ...services, admission, opened }));
  own(takeOverOldTabs(panels));
  own(new Renewals({ ...services, panels }));
  own(
    followNames({
      ...model,
      isShown: ({ agentId, sessionId }) => panels.find(agentId, sessionId) !== undefined,
      nameOf: (named) => nameOf(named, model.marks, admission),
      changes: [model.tree.onDidChange, model.marks.onDidChange, model.agents.onDidList],
      log: transcriptLog,
    }),
  );
  const isShown = (agentId: string, id: string): boolean => panels.has(agentId, id);
  const readers = new SessionReaders(sessions, isShown, model.transcriptCache);
  const texts = { sessions, admission, readers, log: transcriptLog };
  const transcriptFiles = own(new TranscriptFiles(texts));
  return { ...written, admission, panels, readers, tonePages, transcriptFiles };
}
