import type { Agent } from '../../../model/agent';
import type { Log } from '../../../model/ports';
import type { SessionRef } from '../../../shared/sessionRef';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import type { Event } from '../../../util/emitter';
import { getStack } from '../../../util/getStack';
import type { TranscriptTab, TranscriptTabs } from '../../tabs/tabs';
import { readTranscriptUri, titleInUri, transcriptUri } from '../../tabs/transcriptUri';
import { moveTab } from './moveTab';

/** Names change together with many other things: within this time, in ms, all of it is looked at once. */
const soon = 200;

export interface TabNameServices {
  readonly tabs: Pick<TranscriptTabs, 'all' | 'onDidChange'>;
  readonly agents: { get(agentId: string): Agent | undefined };
  /** Whether the tab has been looked at: its panel then has a title. */
  isShown(session: SessionRef): boolean;
  findName(session: SessionRef): string | undefined;
  /** Each fires when a name may have changed. */
  readonly changes: readonly Event<unknown>[];
  readonly log: Log;
}

/**
 * Makes tabs that haven't been looked at follow the names of their sessions: VS Code shows what it has stored of them, or
 * their URIs.
 */
export function followNames(services: TabNameServices): Disposable {
  const { tabs, changes, log } = services;
  const store = new DisposableStore();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let moving = Promise.resolve();
  const look = (): void => {
    timer = undefined;
    moving = moving.then(async () => {
      for (const tab of tabs.all) {
        await follow(tab, services);
      }
    });
    moving = moving.catch((error: unknown) => log.warn(`A tab keeps its name: ${getStack(error)}`));
  };
  const lookSoon = (): void => {
    timer ??= setTimeout(look, soon);
  };
  for (const change of [tabs.onDidChange, ...changes]) {
    store.add(change(lookSoon));
  }
  store.add({ dispose: () => clearTimeout(timer) });
  lookSoon();
  return store;
}

async function follow(tab: TranscriptTab, services: TabNameServices): Promise<void> {
  const { uri, label, isActive } = tab;
  const named = readTranscriptUri(uri);
  const agent = services.agents.get(tab.agentId);
  const title = services.findName(tab);
  // An active one will have its panel in a moment.
  if (named === undefined || agent === undefined || title === undefined || isActive) {
    return;
  }
  const to = transcriptUri({ ...named, title }, agent);
  if (label !== titleInUri(to) && to.path !== uri.path && !services.isShown(tab)) {
    await moveTab(uri, to);
  }
}
