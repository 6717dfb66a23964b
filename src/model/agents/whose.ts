import * as l10n from '@vscode/l10n';
import type { Agent } from '../agent';
import { cleanText } from '../text/titles';

/** The name of the only configured agent adds nothing, so these functions omit it. */
export type NamedAgent = Pick<Agent, 'title' | 'isOnly'>;

export interface NamedSession {
  readonly agent: NamedAgent;
  readonly title: string;
}

/** A session in a sentence: “Fix the tests”, or with several agents “Fix the tests” (Claude). */
export function sessionName({ agent, title }: NamedSession, longest = 60): string {
  const name = cleanText(title, longest);
  return agent.isOnly
    ? l10n.t('“{0}”', name)
    : l10n.t('“{0}” ({1})', name, cleanText(agent.title, 60));
}

/** A session in a title or a list: "Fix the tests", or with several agents "Fix the tests · Claude". */
export function sessionTitle({ agent, title }: NamedSession): string {
  return titleAbout(cleanText(title, 120), agent);
}

/**
 * A title with the agents that it is about: "Rename Session", or with several agents "Rename Session ·
 * Claude".
 */
export function titleAbout(title: string, ...agents: readonly NamedAgent[]): string {
  return [title, agentNames(agents)].filter((part) => part !== '').join(' · ');
}

/** The agents' names, without duplicates; empty when only one agent is configured. */
export function agentNames(agents: readonly NamedAgent[]): string {
  const several = agents.filter(({ isOnly }) => !isOnly);
  return [...new Set(several.map(({ title }) => cleanText(title, 60)))].join(', ');
}
