import type * as vscode from 'vscode';
import type { PlatformServices } from '../platform/services';
import { VsCodeHideRules } from '../platform/settings/vsCodeHideRules';
import { getMemento, storedState } from '../platform/storage/storedState';
import { FolderOfTexts, readFolder } from '../platform/storage/storedTexts';
import { setAgentsContext } from '../platform/ui/contexts';
import type { OutputLog } from '../platform/ui/log';
import { Attention } from '../views/attention/attention';
import { ReadMarks } from '../views/attention/readMarks';
import { setChoiceContexts } from '../views/sessions/choiceContexts';
import { Expansion } from '../views/sessions/expansion';
import { refreshOnFocus } from '../views/sessions/focusRefresh';
import { includeArchived } from '../views/sessions/nodes/archivedSessions';
import { Arrangement } from '../views/sessions/nodes/arrangement';
import { SessionChoices } from '../views/sessions/nodes/sessionChoices';
import { SessionsTree } from '../views/sessions/nodes/tree';
import { TreeFolders } from '../views/sessions/nodes/treeFolders';
import { RowDrops } from '../views/sessions/rowDrops';
import { SessionsView } from '../views/sessions/sessionsView';
import { TranscriptTabs } from '../views/tabs/tabs';
import type { Lifetime } from './lifetime';
import type { Model } from './model';

export type TreeParts = ReturnType<typeof buildTree>;

/** Builds the view in the side bar, and what its rows show. */
export function buildTree(
  context: vscode.ExtensionContext,
  platform: PlatformServices,
  model: Model,
  log: OutputLog,
  lifetime: Lifetime,
) {
  const { own } = lifetime;
  const { settings, state, workspace, marks, groups, places, worktrees } = platform;
  const { registryStorage: registry } = platform;
  const { agents, sessions, work, reviews, checks, worktreeStates } = model;
  const tabs = own(new TranscriptTabs());
  const attention = own(new Attention(sessions));
  const readTexts = new FolderOfTexts(readFolder(context));
  const readMarks = own(new ReadMarks(marks, attention, sessions, agents, readTexts));
  void readMarks.begin();
  lifetime.beforeEnd(() => readMarks.end());
  const choices = own(new SessionChoices(getMemento(state, storedState.choices), settings));
  own(setChoiceContexts(choices));
  own(includeArchived(choices, agents));
  const rules = own(new VsCodeHideRules(log.component('hidden sessions')));
  const arrangement = own(
    new Arrangement({ marks, groups, choices, rules, sessions, places, attention, work, reviews }),
  );
  const folders = own(new TreeFolders(worktrees, places));
  const tree = own(
    new SessionsTree({
      agents,
      workspace,
      worktrees: folders,
      arrangement,
      sessions,
      attention,
      tabs,
      reviews,
      checks,
      worktreeStates,
      registry,
      runningIn: (agentId, sessionId) => sessions.find(agentId, sessionId)?.subagents.running ?? [],
    }),
  );
  const expansion = new Expansion(getMemento(state, storedState.expansion));
  const drops = new RowDrops(tree, groups, arrangement.choices);
  const view = own(new SessionsView(tree, sessions, arrangement, tabs, expansion, drops));
  own(refreshOnFocus(agents, workspace, sessions, folders));
  own(setAgentsContext(agents));
  return { tabs, attention, choices, arrangement, tree, view };
}
