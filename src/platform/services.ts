import path from 'node:path';
import * as vscode from 'vscode';
import { ProvidedRemoteAgents } from '../model/agents/providedRemoteAgents';
import { RegistryFacts } from '../model/agents/registryFacts';
import { PromptTitles } from '../model/list/promptTitles';
import { RememberedLists } from '../model/list/rememberedLists';
import { RememberedSessions } from '../model/list/rememberedSessions';
import { groupsKey } from '../model/marks/groupRecords';
import { marksKey } from '../model/marks/markRecords';
import { SessionMarks } from '../model/marks/marks';
import { OwnGroups } from '../model/marks/ownGroups';
import { KnownWorktrees } from '../model/places/knownWorktrees';
import { SessionPlaces } from '../model/places/sessionPlaces';
import type { Log } from '../model/ports';
import { FileRequests } from '../model/requests/fileRequests';
import { getStack } from '../util/getStack';
import { startProcess } from '../util/process/startProcess';
import { HeldSecrets } from '../util/secrets/heldSecrets';
import type { ProgramStarter } from './agentProgram';
import { connector, type TraceTap } from './connector';
import { VsCodeFiles } from './files/files';
import { folderIsGone } from './files/folderIsGone';
import { OwnWrites } from './files/ownWrites';
import { ReadOnlyDocuments } from './files/readOnlyDocuments';
import { realPath } from './files/realPath';
import { VsCodeWorkspace } from './files/workspace';
import { PackageStarts } from './packageStarts';
import { VsCodePermissionRules } from './settings/permissionRules';
import { VsCodeSettings } from './settings/settings';
import { ApiKeys } from './storage/apiKeys';
import { RemoteSecrets } from './storage/remoteSecrets';
import { getMemento, storedState, type WindowState, windowState } from './storage/storedState';
import { chosenShells } from './terminals/chosenShells';
import { ChildTerminals } from './terminals/terminals';
import { TerminalViews } from './terminals/terminalViews';
import { type OutputLog, TrafficChannel } from './ui/log';

type Own = <T extends vscode.Disposable>(part: T) => T;

export type PlatformServices = ReturnType<typeof platformServices>;

/**
 * The services of VS Code for the model and the views; they live as long as the extension. `features` builds all
 * features, once.
 */
export function platformServices(
  context: vscode.ExtensionContext,
  log: OutputLog,
  features: () => Promise<unknown>,
) {
  const own: Own = (part) => {
    context.subscriptions.push(part);
    return part;
  };
  const workspace = own(new VsCodeWorkspace());
  const settings = own(new VsCodeSettings(context, workspace));
  const documents = own(new ReadOnlyDocuments());
  const ownWrites = new OwnWrites();
  const state = windowState(context);
  const storage = getMemento(state, storedState.roots);
  const files = own(new VsCodeFiles(documents, ownWrites));
  const apiKeys = new ApiKeys(context.secrets, log.component('keys'));
  const tokens = new RemoteSecrets(context.secrets);
  const traffic = own(new TrafficChannel());
  const taps = new Map<string, TraceTap>();
  const held = new HeldSecrets();
  const remoteAgents = new ProvidedRemoteAgents(features);
  const openElsewhere = new Map<string, (sessionId: string) => boolean>();
  const programs: ProgramStarter = { start: startProcess };
  const packageStarts = new PackageStarts(context.globalStorageUri.fsPath);
  const worktrees = own(new KnownWorktrees({ workspace, realPath, settings }));
  return {
    ...{ workspace, settings, documents, ownWrites, realPath, worktrees },
    places: own(
      new SessionPlaces({ storage, workspace, settings, folderIsGone, realPath, worktrees }),
    ),
    remembered: own(new RememberedSessions(getMemento(state, storedState.remembered))),
    lists: new RememberedLists(getMemento(state, storedState.lists), settings),
    promptTitles: new PromptTitles(getMemento(state, storedState.promptTitles)),
    state,
    ...sharedMarks(context, state, own, log.component('marks')),
    apiKeys,
    tokens,
    ...{ packageStarts, programs, held, taps },
    openElsewhere,
    remoteAgents,
    connect: connector(context, {
      ...{ workspace, log, traffic, taps, openElsewhere, remoteAgents, held },
      ...{ packageStarts, programs },
      keys: apiKeys,
    }),
    files: new FileRequests({ files, workspace, realPath }),
    terminals: new ChildTerminals({ workspace, shells: chosenShells }),
    terminalViews: own(new TerminalViews()),
    rules: own(new VsCodePermissionRules(log.component('permissions'))),
    registryStorage: registryStorage(context, state, own),
  };
}

function registryStorage(context: vscode.ExtensionContext, state: WindowState, own: Own) {
  return {
    folder: path.join(context.globalStorageUri.fsPath, 'registry'),
    consents: path.join(context.globalStorageUri.fsPath, 'consents', 'registry'),
    newerVersions: registryFacts(state, own, storedState.newerVersions),
    icons: registryFacts(state, own, storedState.icons),
    agents: path.join(context.globalStorageUri.fsPath, 'agents'),
    unpacker: context.asAbsolutePath('dist/unpackWorker.js'),
  };
}

function registryFacts(
  state: WindowState,
  own: Own,
  entry: typeof storedState.newerVersions | typeof storedState.icons,
): RegistryFacts {
  return own(new RegistryFacts(getMemento(state, entry), entry.key));
}

/**
 * The marks and groups of all windows, in the extension's global state; changes of other windows are merged when this
 * one gets focus.
 */
function sharedMarks(
  { globalState }: vscode.ExtensionContext,
  state: WindowState,
  own: Own,
  log: Log,
): { readonly marks: SessionMarks; readonly groups: OwnGroups } {
  globalState.setKeysForSync([marksKey, groupsKey]);
  const marks = own(new SessionMarks(getMemento(state, storedState.marks), log));
  const groups = own(new OwnGroups(getMemento(state, storedState.groups), log));
  own(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) {
        for (const shared of [marks, groups]) {
          shared.refresh().catch((error: unknown) => log.warn(`marks: ${getStack(error)}`));
        }
      }
    }),
  );
  return { marks, groups };
}
