import * as vscode from 'vscode';
import type { Agents } from '../model/agents/agents';
import type { ProvidedReviews } from '../model/changes/providedReviews';
import type { Session } from '../model/session/session';
import type { Sessions } from '../model/session/sessions';
import { findTimestamp } from '../model/text/timestamps';
import { contextKeys } from '../platform/ids';
import { keepContexts } from '../platform/ui/contexts';
import type { Disposable } from '../util/disposable';
import { getStanding } from './attention/standing';
import type { Arrangement } from './sessions/nodes/arrangement';
import { placeWords } from './sessions/nodes/folderFacts';
import { markWords, sessionWords } from './sessions/nodes/sessionRow';
import type { TranscriptPanels } from './transcript/tabs/panels';

interface TabServices {
  readonly agents: Pick<Agents, 'all' | 'onDidChangeAgent' | 'onDidChange'>;
  readonly sessions: Pick<Sessions, 'find' | 'waiting' | 'onDidChange'>;
  readonly panels: Pick<TranscriptPanels, 'active' | 'recent' | 'onDidChangeActive'>;
  readonly reviews: Pick<ProvidedReviews, 'all' | 'onDidChange'>;
  readonly arrangement: Pick<Arrangement, 'getFacts' | 'getPlace' | 'onDidChange'>;
}

/** Maintains the context keys that limit the command palette and keybindings to applicable commands. */
export function setTabContexts(services: TabServices): Disposable {
  const { agents, sessions, panels, arrangement, reviews } = services;
  return keepContexts(
    () => getContexts(services),
    [
      agents.onDidChange,
      agents.onDidChangeAgent,
      sessions.onDidChange,
      panels.onDidChangeActive,
      arrangement.onDidChange,
      reviews.onDidChange,
      vscode.window.tabGroups.onDidChangeTabs,
    ],
  );
}

function getContexts(services: TabServices) {
  const { agents, sessions, panels, reviews } = services;
  const session = activeSession(services);
  return {
    [contextKeys.session]: getWords(session, services),
    [contextKeys.allowed]: session?.hasLasting === true,
    [contextKeys.hasTab]: panels.recent !== undefined,
    [contextKeys.waiting]:
      sessions.waiting.length > 0 || reviews.all.some(({ pending }) => pending.length > 0),
    [contextKeys.canUndoRestore]: reviews.all.some((review) => review.lastDecision !== undefined),
    [contextKeys.running]: agents.all.some(
      ({ state: { kind } }) => kind === 'ready' || kind === 'starting',
    ),
  };
}

/** The session of the active tab, if it is open. */
function activeSession({ sessions, panels }: TabServices): Session | undefined {
  const tab = panels.active?.session;
  return tab && sessions.find(tab.agent.id, tab.info.sessionId);
}

/** The words of a session's row, whichever list shows it. */
function getWords(session: Session | undefined, { arrangement }: TabServices): string {
  if (session === undefined) {
    return '';
  }
  const { agent, info, title } = session;
  const row = {
    key: '',
    agentId: agent.id,
    info,
    title,
    updatedAt: findTimestamp(info.updatedAt),
  };
  return [
    ...sessionWords(agent, getStanding(session, false), {
      open: true,
      delete: agent.supports('delete'),
    }),
    ...markWords(arrangement.getFacts(row)),
    ...placeWords(arrangement.getPlace(row)),
  ].join(' ');
}
