import { Agents } from '../../../src/model/agents/agents';
import { PromptTitles } from '../../../src/model/list/promptTitles';
import { RememberedLists } from '../../../src/model/list/rememberedLists';
import { RememberedSessions } from '../../../src/model/list/rememberedSessions';
import { SessionPlaces } from '../../../src/model/places/sessionPlaces';
import type { Files } from '../../../src/model/ports';
import { FileRequests } from '../../../src/model/requests/fileRequests';
import type { Session } from '../../../src/model/session/session';
import { Sessions } from '../../../src/model/session/sessions';
import type { McpServer } from '../../../src/protocol/agentConnection';
import { connectAgent } from '../../../src/protocol/connectAgent';
import type { ToWebview } from '../../../src/shared/transcript/webviewMessages';
import { Effort } from '../../../src/util/effort';
import { TranscriptFeed } from '../../../src/views/transcript/feed/feed';
import { getSessionState } from '../../../src/views/transcript/feed/sessionState';
import { drawRow, rowEffort } from '../../../src/views/transcript/rows/draw';
import { FakeSettings, FakeWorkspace, memento } from '../model/fakePlatform';
import { config, silentLog } from '../model/fakes';
import { FakeTerminals } from '../model/fakeTerminals';
import { type Peer, TestLog } from '../protocol/peer';

/** The model of a window in which this agent is configured. */
export interface WireWindow {
  readonly agents: Agents;
  readonly sessions: Sessions;
}

export interface WindowOptions {
  readonly mcpServers?: readonly McpServer[];
  readonly files?: Files;
}

const noFiles: Files = {
  read: () => Promise.resolve(''),
  write: () => Promise.resolve(),
};

/** Connects a window to an agent of the test: all that is between its bytes and the page is real. */
export function windowWith(
  { client }: Peer,
  { mcpServers = [], files = noFiles }: WindowOptions = {},
): WireWindow {
  const settings = new FakeSettings();
  settings.agents = { agents: [config('agent')], problems: [] };
  const workspace = new FakeWorkspace();
  const realPath = (file: string): Promise<string> => Promise.resolve(file);
  const remembered = new RememberedSessions(memento());
  const lists = new RememberedLists(memento(), { remembersLists: true });
  const agents = new Agents({
    ...{ settings, workspace, realPath, remembered, lists, log: silentLog },
    promptTitles: new PromptTitles(memento()),
    connect: (_, requests) =>
      connectAgent(client, {
        ...{ clientVersion: '0.0.0', log: new TestLog(), authTerminal: true, requests },
      }),
  });
  const sessions = new Sessions({
    ...{ agents, remembered, log: silentLog },
    files: new FileRequests({ files, workspace, realPath }),
    terminals: new FakeTerminals(),
    rules: { decide: () => undefined, offer: () => Promise.resolve(undefined) },
    mcp: { servers: () => Promise.resolve(mcpServers) },
    promptContext: { read: () => Promise.resolve([]) },
    places: new SessionPlaces({
      ...{ storage: memento(), workspace, realPath },
      settings: { additionalDirectories: 'none' },
      folderIsGone: () => Promise.resolve(false),
      worktrees: { below: () => [], at: () => undefined },
    }),
  });
  return { agents, sessions };
}

export type Snapshot = Extract<ToWebview, { type: 'snapshot' }>;

function fail(error: unknown): never {
  throw error;
}

/** What a session's tab gets when it is opened. */
export function snapshotOf(session: Session): Snapshot {
  const { cwd } = session.info;
  let snapshot: Snapshot | undefined;
  const feed = new TranscriptFeed(
    {
      header: { title: session.title, agentTitle: session.agent.title, folder: '', cwd },
      phase: session.phase,
      session: getSessionState(session, [], []),
      entries: session.transcript.entries,
      draw: (entry) => drawRow(entry, cwd, new Effort(rowEffort), fail),
    },
    (message) => {
      snapshot = message.type === 'snapshot' ? message : snapshot;
      return Promise.resolve(true);
    },
  );
  feed.start();
  feed.dispose();
  return snapshot ?? fail(new Error('The tab got no snapshot'));
}
