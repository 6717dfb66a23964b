import * as vscode from 'vscode';
import { SlowAgents } from '../commands/agents/slowAgents';
import { SessionLinks } from '../commands/session/sessionLinks';
import { DiagnosisFacts } from '../model/agents/diagnosisFacts';
import { platformServices } from '../platform/services';
import { StoredData } from '../platform/storage/storedData';
import { setDoneContexts } from '../platform/ui/contexts';
import type { OutputLog } from '../platform/ui/log';
import { followTab } from '../views/sessions/followTab';
import { setTabContexts } from '../views/tabContexts';
import type { Lifetime } from './lifetime';
import { buildModel } from './model';
import { buildTree } from './sessionsTree';
import { buildTranscripts } from './transcripts';

/** Agents, their lists, the tree, transcripts and conversations: what every feature builds on. */
export type Core = ReturnType<typeof buildCore>;

/**
 * Builds the core. Starts no agent: that happens when one is first looked at. `features` builds the features, if they
 * aren't there yet.
 */
export function buildCore(
  context: vscode.ExtensionContext,
  log: OutputLog,
  lifetime: Lifetime,
  features: () => Promise<unknown>,
) {
  const { own } = lifetime;
  const platform = platformServices(context, log, features);
  const model = buildModel(context, platform, log, lifetime, features);
  const tree = buildTree(context, platform, model, log, lifetime);
  const parts = { ...platform, ...model, ...tree };
  const transcripts = buildTranscripts(context, parts, log, lifetime, features);
  const { version } = context.extension.packageJSON as { version: string };
  const { sessions } = model;
  const slowAgents = own(new SlowAgents({ sessions, attention: tree.attention }));
  const diagnosisFacts = new DiagnosisFacts();
  const core = {
    ...parts,
    ...transcripts,
    slowAgents,
    diagnosisFacts,
    storedData: new StoredData(),
    context,
    log,
    lifetime,
    version,
  };
  own(followTab(core.view, core.panels, core.settings));
  own(setTabContexts(core));
  own(setDoneContexts(sessions));
  const links = new SessionLinks(core);
  own(vscode.window.registerUriHandler(links));
  return { ...core, links };
}
