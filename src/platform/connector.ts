import type * as vscode from 'vscode';
import type { Connect } from '../model/managedAgent';
import type { OutputLog, TrafficLog } from './log';
import type { VsCodeWorkspace } from './workspace';

/** An agent is a child process over stdio, started in the first workspace folder unless set otherwise. */
export function connector(
  context: vscode.ExtensionContext,
  workspace: VsCodeWorkspace,
  log: OutputLog,
  traffic: TrafficLog,
): Connect {
  const { version: clientVersion } = context.extension.packageJSON as { version: string };
  return async ({ id, command, args, env, cwd = workspace.folders[0]?.path }, requests, signal) => {
    // The SDK is loaded with the first agent, not with the window.
    const { connectAgent } = await import('../protocol/connection');
    const { spawnAgent } = await import('../protocol/transport/stdio');
    const agentLog = log.component(id);
    const onStderr = (line: string): void => agentLog.info(`stderr: ${line}`);
    const transport = spawnAgent({ command, args, env, cwd, onStderr });
    return connectAgent(transport, {
      clientVersion,
      log: agentLog,
      traffic: traffic.of(id),
      requests,
      authTerminal: true,
      signal,
    });
  };
}
