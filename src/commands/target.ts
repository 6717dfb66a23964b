import * as vscode from 'vscode';
import type { Agent, SessionRow } from '../model/agent';
import type { Session } from '../model/session';
import { cleanText, labelOf } from '../model/titles';
import { type SessionCommands, sessionNode } from './sessions';

/** The session that a command is about. */
export interface Target {
  readonly agent: Agent;
  readonly info: SessionRow['info'];
  readonly title: string;
}

/** Of the row that it was called on, else of the tab that has the focus. Says when there is none. */
export function targetOf(commands: SessionCommands, argument: unknown): Target | undefined {
  const [target] = targetsOf(commands, argument, undefined);
  return target;
}

/** Of all selected rows when it was called on one of them. */
export function targetsOf(
  { agents, tree, panels }: SessionCommands,
  argument: unknown,
  selection: unknown,
): readonly Target[] {
  const selected = Array.isArray(selection) ? selection : [argument];
  const nodes = selected
    .map((value: unknown) => sessionNode(tree, value))
    .filter((node) => node !== undefined);
  if (nodes.length > 0) {
    return nodes.map(({ list, row }) => ({ agent: list.agent, info: row.info, title: row.title }));
  }
  const session = panels.active?.session;
  const agent = session && agents.get(session.agent.id);
  if (session === undefined || agent === undefined) {
    void vscode.window.showInformationMessage('Open a session first, or choose one in the view.');
    return [];
  }
  return [{ agent, info: session.info, title: labelOf(session.info.title) }];
}

/** The target's session, if it is open. */
export function openSessionOf(
  { sessions }: SessionCommands,
  { agent, info }: Target,
): Session | undefined {
  return sessions.find(agent.id, info.sessionId);
}

type Capability = Parameters<Agent['supports']>[0];

/** Starts the agent if need be, and says so in words when it can't do this (DEL-2, RES-2). */
export async function canDo(agent: Agent, capability: Capability, what: string): Promise<boolean> {
  await agent.connect();
  if (agent.supports(capability)) {
    return true;
  }
  const name = cleanText(agent.title, 60);
  void vscode.window.showWarningMessage(`${name} can't ${what}: it doesn't offer that.`);
  return false;
}
