import * as vscode from 'vscode';
import { commandTable, registerCommands } from './commands';
import { Agents } from './model/agents';
import type { Connect } from './model/managedAgent';
import { Sessions } from './model/sessions';
import { setAgentsContext } from './platform/contexts';
import { OutputLog, TrafficLog } from './platform/log';
import { ReadOnlyDocuments } from './platform/readOnlyDocuments';
import { realPath } from './platform/realPath';
import { VsCodeSettings } from './platform/settings';
import { VsCodeWorkspace } from './platform/workspace';
import { SessionsView } from './views/sessions/sessionsView';
import { SessionsTree } from './views/sessions/tree';
import { AgentsStatus } from './views/statusBar';
import { TranscriptPanels } from './views/transcript/panels';

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
  const { extensionUri, workspaceState } = context;
  const workspace = own(new VsCodeWorkspace());
  const settings = own(new VsCodeSettings(context, workspace));
  const connect = connector(context, workspace, log, own(new TrafficLog()));
  const agentsLog = log.component('agents');
  agents = own(new Agents({ settings, workspace, connect, realPath, log: agentsLog }));
  const sessions = own(new Sessions({ agents, log: log.component('sessions') }));
  const documents = own(new ReadOnlyDocuments());
  const tree = own(new SessionsTree({ agents, workspace, settings }));
  const view = own(new SessionsView(tree, sessions, workspaceState));
  const services = { extensionUri, documents, log: log.component('transcript') };
  const panels = own(new TranscriptPanels(agents, sessions, services));
  own(new AgentsStatus(agents));
  own(setAgentsContext(agents));
  const commands = commandTable({ agents, workspace, tree, panels, settings, log });
  own(registerCommands(commands, log.component('commands')));
  return { settings, agents, sessions, documents, tree, view, panels };
}

/** An agent is a child process over stdio, started in the first workspace folder unless set otherwise. */
function connector(
  context: vscode.ExtensionContext,
  workspace: VsCodeWorkspace,
  log: OutputLog,
  traffic: TrafficLog,
): Connect {
  const { version: clientVersion } = context.extension.packageJSON as { version: string };
  return async ({ id, command, args, env, cwd = workspace.folders[0]?.path }, signal) => {
    // The SDK is loaded with the first agent, not with the window.
    const { connectAgent } = await import('./protocol/connection');
    const { spawnAgent } = await import('./protocol/transport/stdio');
    const agentLog = log.component(id);
    const onStderr = (line: string): void => agentLog.info(`stderr: ${line}`);
    const transport = spawnAgent({ command, args, env, cwd, onStderr });
    return connectAgent(transport, {
      clientVersion,
      log: agentLog,
      traffic: traffic.of(id),
      signal,
    });
  };
}
