import path from 'node:path';
import type * as vscode from 'vscode';
import { Agents } from '../model/agents/agents';
import { FollowRemotes } from '../model/agents/followRemotes';
import { TranscriptCache } from '../model/cachedTranscripts/transcriptCache';
import { ProvidedRecorders } from '../model/changes/providedRecorders';
import { ProvidedReviews } from '../model/changes/providedReviews';
import { ListMemory } from '../model/memory/listMemory';
import { SessionMemory } from '../model/memory/sessionMemory';
import { KeptWork } from '../model/session/keptWork';
import { Sessions } from '../model/session/sessions';
import { TablessSessions } from '../model/session/tablessSessions';
import { TurnNotes } from '../model/transcript/turnNotes/turnNotes';
import type { PlatformServices } from '../platform/services';
import { draftsFolder, FolderOfTexts, turnsFolder } from '../platform/storage/storedTexts';
import type { OutputLog } from '../platform/ui/log';
import type { Lifetime } from './lifetime';

export type Model = ReturnType<typeof buildModel>;

/** Builds the agents and the sessions of the window, and what remembers them. */
export function buildModel(
  context: vscode.ExtensionContext,
  platform: PlatformServices,
  log: OutputLog,
  lifetime: Lifetime,
  features: () => Promise<unknown>,
) {
  const { own } = lifetime;
  const { workspace, settings, connect, realPath, remembered, lists } = platform;
  const agentsLog = log.component('agents');
  const agents = own(
    new Agents({ settings, workspace, connect, realPath, remembered, lists, log: agentsLog }),
  );
  lifetime.beforeEnd(() => agents.close());
  own(new FollowRemotes({ agents }));
  const recorders = new ProvidedRecorders(features, log.component('review'));
  const transcriptsLog = log.component('transcripts');
  const texts = new FolderOfTexts(turnsFolder(context));
  const notes = new TurnNotes({ texts, workspace, settings, log: transcriptsLog });
  const sessions = buildSessions(platform, { agents, recorders, notes }, log, lifetime);
  const transcriptCache = own(
    new TranscriptCache({
      folder: path.join(context.globalStorageUri.fsPath, 'transcripts'),
      place: context.storageUri?.fsPath ?? '',
      agents,
      sessions,
      workspace,
      settings,
      notes,
      log: transcriptsLog,
    }),
  );
  lifetime.beforeEnd(() => transcriptCache.end());
  const listsLog = log.component('lists');
  const listMemory = own(
    new ListMemory({
      agents,
      sessions,
      workspace,
      lists,
      transcriptCache,
      settings,
      log: listsLog,
    }),
  );
  lifetime.beforeEnd(() => listMemory.end());
  const drafts = new FolderOfTexts(draftsFolder(context));
  const work = own(new KeptWork({ texts: drafts, sessions, log: log.component('drafts') }));
  lifetime.beforeEnd(() => work.end());
  const tabless = own(new TablessSessions(sessions));
  const reviews = own(new ProvidedReviews());
  return {
    agents,
    sessions,
    transcriptCache,
    listMemory,
    work,
    tabless,
    reviews,
    recorders,
  };
}

function buildSessions(
  { files, terminals, rules, mcp, places, remembered }: PlatformServices,
  parts: {
    readonly agents: Agents;
    readonly recorders: ProvidedRecorders;
    readonly notes: TurnNotes;
  },
  log: OutputLog,
  lifetime: Lifetime,
): Sessions {
  const { agents, recorders, notes } = parts;
  const sessionsLog = log.component('sessions');
  const sessions = lifetime.own(
    new Sessions({
      agents,
      files,
      terminals,
      rules,
      mcp,
      places,
      remembered,
      recorders,
      notes,
      log: sessionsLog,
    }),
  );
  lifetime.own(new SessionMemory(sessions, remembered, sessionsLog));
  lifetime.beforeEnd(() => Promise.all(sessions.all.map((session) => notes.note(session))));
  return sessions;
}
