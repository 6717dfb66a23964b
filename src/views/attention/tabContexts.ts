import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents';
import type { Sessions } from '../../model/session/sessions';
import { timestampOf } from '../../model/text/timestamps';
import { contextKeys } from '../../platform/ids';
import { type Disposable, DisposableStore } from '../../util/disposable';
import type { Arrangement } from '../sessions/nodes/arrangement';
import { placeWords } from '../sessions/nodes/folderGroups';
import { markWords, sessionWords } from '../sessions/nodes/sessionWords';
import type { TranscriptPanels } from '../transcript/tabs/panels';
import { standingOf } from './standing';

interface TabServices {
  readonly agents: Pick<Agents, 'all' | 'onDidChangeAgent' | 'onDidChange'>;
  readonly sessions: Pick<Sessions, 'find' | 'waiting' | 'onDidChange'>;
  readonly panels: Pick<TranscriptPanels, 'active' | 'recent' | 'onDidChangeActive'>;
  readonly arrangement: Pick<Arrangement, 'factsOf' | 'placeOf' | 'onDidChange'>;
}

/** Maintains the context keys that limit the command palette and keybindings to applicable commands. */
export function setTabContexts(services: TabServices): Disposable {
  const store = new DisposableStore();
  const { agents, sessions, panels, arrangement } = services;
  const shown = new Map<string, unknown>();
  const set = (): void => {
    for (const [key, value] of Object.entries(contextsOf(services))) {
      if (shown.get(key) !== value) {
        shown.set(key, value);
        void vscode.commands.executeCommand('setContext', key, value);
      }
    }
  };
  store.add(agents.onDidChange(set));
  store.add(agents.onDidChangeAgent(set));
  store.add(sessions.onDidChange(set));
  store.add(panels.onDidChangeActive(set));
  store.add(arrangement.onDidChange(set));
  store.add(vscode.window.tabGroups.onDidChangeTabs(set));
  set();
  return store;
}

function contextsOf(services: TabServices): Readonly<Record<string, unknown>> {
  const { agents, sessions, panels } = services;
  return {
    [contextKeys.session]: wordsOfTab(services),
    [contextKeys.hasTab]: panels.recent !== undefined,
    [contextKeys.waiting]: sessions.waiting.length > 0,
    [contextKeys.running]: agents.all.some(
      ({ state: { kind } }) => kind === 'ready' || kind === 'starting',
    ),
  };
}

/** The words of the active session's row, whichever list shows it. */
function wordsOfTab({ sessions, panels, arrangement }: TabServices): string {
  const tab = panels.active?.session;
  const session = tab && sessions.find(tab.agent.id, tab.info.sessionId);
  if (session === undefined) {
    return '';
  }
  const { agent, info, title } = session;
  const row = {
    key: '',
    agentId: agent.id,
    info,
    title,
    updatedAt: timestampOf(info.updatedAt),
  };
  return [
    ...sessionWords(agent, standingOf(session, false), {
      open: true,
      delete: agent.supports('delete'),
    }),
    ...markWords(arrangement.factsOf(row)),
    ...placeWords(arrangement.placeOf(row)),
  ].join(' ');
}
