import { getTitle } from '../../../model/list/promptTitles';
import type { SessionRef } from '../../../shared/sessionRef';
import type { Admission } from './admission';
import type { PanelServices, PanelSession } from './panelSession';

/** The user's own name for the session of a tab, otherwise its title. */
export function shownName(
  { agent, info, title }: Pick<PanelSession, 'agent' | 'info' | 'title'>,
  marks: Pick<PanelServices['marks'], 'get'>,
): string {
  return marks.get(agent.id, info.sessionId).alias ?? title;
}

/** The name of a session that may not be open; `undefined` if nothing is known of it. */
export function findName(
  named: SessionRef,
  marks: Pick<PanelServices['marks'], 'get'>,
  admission: Pick<Admission, 'find'>,
): string | undefined {
  const info = admission.find(named);
  return marks.get(named.agentId, named.sessionId).alias ?? (info && getTitle(info));
}
