import type * as vscode from 'vscode';
import { RememberedSessions } from '../model/list/rememberedSessions';
import { KnownWorktrees } from '../model/places/knownWorktrees';
import { SessionPlaces } from '../model/places/sessionPlaces';
import type { Terminals } from '../model/ports';
import { FileRequests } from '../model/requests/fileRequests';
import { ApiKeys } from './apiKeys';
import { connector } from './connector';
import { VsCodeFiles } from './files';
import { folderIsGone } from './folderIsGone';
import { type OutputLog, TrafficLog } from './log';
import { sessionMarks } from './marks';
import { vsCodeMcpServers } from './mcp';
import { VsCodePermissionRules } from './permissionRules';
import { ReadOnlyDocuments } from './readOnlyDocuments';
import { realPath } from './realPath';
import { VsCodeSettings } from './settings';
import { TerminalViews } from './terminalViews';
import { VsCodeWorkspace } from './workspace';

/** What the model and the views need of VS Code; they live as long as the extension. */
export function platformServices(context: vscode.ExtensionContext, log: OutputLog) {
  const own = <T extends vscode.Disposable>(part: T): T => {
    context.subscriptions.push(part);
    return part;
  };
  const workspace = own(new VsCodeWorkspace());
  const settings = own(new VsCodeSettings(context, workspace));
  const documents = own(new ReadOnlyDocuments());
  const storage = context.globalState;
  const apiKeys = new ApiKeys(context.secrets, log.component('keys'));
  const traffic = own(new TrafficLog());
  const worktrees = own(new KnownWorktrees({ workspace, realPath, settings }));
  return {
    workspace,
    settings,
    documents,
    realPath,
    worktrees,
    places: own(
      new SessionPlaces({ storage, workspace, settings, folderIsGone, realPath, worktrees }),
    ),
    remembered: own(new RememberedSessions(context.workspaceState)),
    marks: sessionMarks(context, log.component('marks')),
    apiKeys,
    connect: connector(context, { workspace, log, traffic, keys: apiKeys }),
    files: new FileRequests({ files: new VsCodeFiles(documents), workspace, realPath }),
    terminals: childTerminals(workspace),
    terminalViews: own(new TerminalViews()),
    rules: own(new VsCodePermissionRules(log.component('permissions'))),
    mcp: vsCodeMcpServers(context, workspace, settings, log.component('mcp')),
  };
}

function childTerminals(workspace: Pick<VsCodeWorkspace, 'trusted'>): Terminals {
  let loaded: Promise<Terminals> | undefined;
  return {
    create: async (options) => {
      loaded ??= import('./programs').then(
        ({ ChildTerminals }) => new ChildTerminals({ workspace }),
      );
      return (await loaded).create(options);
    },
  };
}
