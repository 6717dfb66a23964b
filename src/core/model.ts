import type * as vscode from 'vscode';
import { Agents } from '../model/agents/agents';
import { ProvidedRecorders } from '../model/changes/providedRecorders';
import { ProvidedReviews } from '../model/changes/providedReviews';
import { ProvidedChecks } from '../model/checks/providedChecks';
import { KeptWork } from '../model/kept/keptWork';
import { ProvidedTranscripts } from '../model/kept/knownTranscripts';
import { SessionMemory } from '../model/kept/sessionMemory';
import { TablessSessions } from '../model/kept/tablessSessions';
import { ProvidedWorktreeStates } from '../model/places/providedWorktreeStates';
import { ProvidedOwnServers } from '../model/session/ownServers';
import { ProvidedContext } from '../model/session/providedContext';
import { ProvidedMcpServers } from '../model/session/providedMcpServers';
import { Sessions } from '../model/session/sessions';
import { TurnNotes } from '../model/transcript/turnNotes/turnNotes';
import type { PlatformServices } from '../platform/services';
import { systemPrompts } from '../platform/settings/systemPrompts';
import { draftsFolder, FolderOfTexts, turnsFolder } from '../platform/storage/storedTexts';
import type { OutputLog } from '../platform/ui/log';
import type { Lifetime } from './lifetime';

export type Model = ReturnType<typeof buildModel>;

/** Builds the agents and the sessions of the window. `features` builds all features, once. */
export function buildModel(
  context: vscode.ExtensionContext,
  platform: PlatformServices,
  log: OutputLog,
  lifetime: Lifetime,
  features: () => Promise<unknown>,
) {
  const { own } = lifetime;
  const { workspace, settings, connect, realPath, remembered, lists, promptTitles } = platform;
  const agentsLog = log.component('agents');
  const agents = own(
    new Agents({
      ...{ settings, workspace, connect, realPath, remembered, lists, promptTitles },
      log: agentsLog,
    }),
  );
  const recorders = new ProvidedRecorders(features, log.component('review'));
  const transcriptsLog = log.component('transcripts');
  const texts = new FolderOfTexts(turnsFolder(context));
  const notes = new TurnNotes({ texts, workspace, settings, log: transcriptsLog });
  const mcp = new ProvidedMcpServers(features);
  const ownServers = new ProvidedOwnServers(features);
  const promptContext = new ProvidedContext(features);
  const sessions = buildSessions(
    platform,
    { agents, mcp, ownServers, promptContext, recorders, notes },
    log,
    lifetime,
  );
  lifetime.beforeEnd(async () => {
    await sessions.discardPrepared();
    await agents.close();
  });
  const knownTranscripts = new ProvidedTranscripts(features);
  const drafts = new FolderOfTexts(draftsFolder(context));
  const work = own(new KeptWork({ texts: drafts, sessions, log: log.component('drafts') }));
  lifetime.beforeEnd(() => work.end());
  const tabless = own(new TablessSessions(sessions));
  const reviews = own(new ProvidedReviews());
  const checks = own(new ProvidedChecks());
  const worktreeStates = own(new ProvidedWorktreeStates());
  return {
    agents,
    sessions,
    mcp,
    ownServers,
    promptContext,
    notes,
    knownTranscripts,
    work,
    tabless,
    reviews,
    checks,
    worktreeStates,
    recorders,
  };
}

function buildSessions(
  { files, terminals, rules, places, remembered, promptTitles }: PlatformServices,
  parts: {
    readonly agents: Agents;
    readonly mcp: ProvidedMcpServers;
    readonly ownServers: ProvidedOwnServers;
    readonly promptContext: ProvidedContext;
    readonly recorders: ProvidedRecorders;
    readonly notes: TurnNotes;
  },
  log: OutputLog,
  lifetime: Lifetime,
): Sessions {
  const { agents, mcp, ownServers, promptContext, recorders, notes } = parts;
  const sessionsLog = log.component('sessions');
  const sessions = lifetime.own(
    new Sessions({
      agents,
      files,
      terminals,
      rules,
      mcp,
      ownServers,
      promptContext,
      systemPrompts,
      places,
      remembered,
      recorders,
      notes,
      log: sessionsLog,
    }),
  );
  lifetime.own(new SessionMemory(sessions, remembered, promptTitles, sessionsLog));
  lifetime.beforeEnd(() => Promise.all(sessions.all.map((session) => notes.note(session))));
  return sessions;
}
