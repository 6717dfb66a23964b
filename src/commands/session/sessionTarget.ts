import * as l10n from '@vscode/l10n';
import type { Agent, SessionRow } from '../../model/agent';
import { getTitle } from '../../model/list/promptTitles';
import type { Session } from '../../model/session/session';
import { showInformationMessage } from '../../platform/ui/messages';
import type { SessionRef } from '../../shared/sessionRef';
import type { SessionNode } from '../../views/sessions/nodes/nodes';
import type { SessionsTree } from '../../views/sessions/nodes/tree';
import type { Admission } from '../../views/transcript/tabs/admission';
import type { CommandServices } from './commandServices';

/** The session that a command applies to. */
export interface CommandTarget {
  readonly agent: Agent;
  readonly info: SessionRow['info'];
  /** The title as the view shows it: the user's local name, otherwise the agent's title. */
  readonly title: string;
}

/** What finding a session by its ids takes. */
type KnownServices = Pick<CommandServices, 'agents' | 'marks'> & {
  readonly admission: Pick<Admission, 'find'>;
};

/** The session of the given row, otherwise of the active tab. Tells the user if there is none. */
export function findTarget(
  services: CommandServices,
  argument: unknown,
): CommandTarget | undefined {
  const [target] = getTargets(services, argument, undefined);
  return target;
}

/** A session that a command names otherwise; `undefined` if it is known here no more. */
export function findKnown(
  { agents, admission, marks }: KnownServices,
  session: SessionRef,
): CommandTarget | undefined {
  const agent = agents.get(session.agentId);
  const info = admission.find(session);
  return agent && info && { agent, info, title: getShownTitle(marks, agent, info) };
}

function getShownTitle(
  marks: CommandServices['marks'],
  { id }: Agent,
  info: CommandTarget['info'],
): string {
  return marks.get(id, info.sessionId).alias ?? getTitle(info);
}

/** Finds the rows that a command is about: all that are selected, if it was called on one of them. */
export function getTargets(
  { agents, tree, panels, marks }: CommandServices,
  argument: unknown,
  selection: unknown,
): readonly CommandTarget[] {
  const selected = Array.isArray(selection) ? selection : [argument];
  const nodes = selected
    .map((value: unknown) => sessionNode(tree, value))
    .filter((node) => node !== undefined);
  if (nodes.length > 0) {
    return nodes.map(({ list: { agent }, row: { info, title } }) => ({
      // The row may not have been drawn again since the agent was replaced.
      agent: agent.current,
      info,
      title: marks.get(agent.id, info.sessionId).alias ?? title,
    }));
  }
  const shown = panels.active?.session;
  // A page of a session that hasn't begun has none yet.
  const session = shown?.first === undefined ? shown : undefined;
  const agent = session && agents.get(session.agent.id);
  if (session === undefined || agent === undefined) {
    void showInformationMessage(l10n.t('Open a session first, or choose one in the view.'));
    return [];
  }
  const { info } = session;
  return [{ agent, info, title: getShownTitle(marks, agent, info) }];
}

/** The target's session, if it is open. */
export function findOpenSession(
  { sessions }: CommandServices,
  { agent, info }: CommandTarget,
): Session | undefined {
  return sessions.find(agent.id, info.sessionId);
}

/** The row that a command was called on, if it is a session's. */
export function sessionNode(tree: SessionsTree, argument: unknown): SessionNode | undefined {
  return tree.isNode(argument) && argument.kind === 'session' ? argument : undefined;
}

/** A sentence about a session that is remembered here, but neither open nor listed. */
export function unknownSession(): string {
  return l10n.t('That session isn’t known here any more. It may have been deleted.');
}
