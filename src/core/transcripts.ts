import type * as vscode from 'vscode';
import type { PlatformServices } from '../platform/services';
import { SendKey } from '../platform/settings/sendKey';
import { getMemento, storedState } from '../platform/storage/storedState';
import { LastEditor } from '../platform/ui/lastEditor';
import type { OutputLog } from '../platform/ui/log';
import { TonePages } from '../views/attention/tonePages';
import { SignInDialog } from '../views/dialogs/signInDialog';
import { Previews } from '../views/previews/previews';
import { FileSearch } from '../views/transcript/composer/fileSearch';
import { ProvidedPromptEditing } from '../views/transcript/composer/promptEditing';
import { SavedPrompts } from '../views/transcript/composer/savedPrompts';
import { Admission } from '../views/transcript/tabs/admission';
import { NewPages } from '../views/transcript/tabs/newPages';
import { ProvidedPlaces } from '../views/transcript/tabs/newPlaces';
import { takeOverOldTabs } from '../views/transcript/tabs/oldTabs';
import { OpenedSessions } from '../views/transcript/tabs/openedSessions';
import { TranscriptPanels } from '../views/transcript/tabs/panels';
import { ProvidedBranches } from '../views/transcript/tabs/providedBranches';
import { ProvidedHeaderFacts } from '../views/transcript/tabs/providedHeaderFacts';
import { Renewals } from '../views/transcript/tabs/renewals';
import { SameNames } from '../views/transcript/tabs/sameNames';
import { findName } from '../views/transcript/tabs/sessionNames';
import { followNames } from '../views/transcript/tabs/tabNames';
import type { Lifetime } from './lifetime';
import type { Model } from './model';
import type { TreeParts } from './sessionsTree';

/** Builds the tabs of sessions, and what they offer. */
export function buildTranscripts(
  context: vscode.ExtensionContext,
  parts: PlatformServices & Model & TreeParts,
  outputLog: OutputLog,
  { own }: Lifetime,
  features: () => Promise<unknown>,
) {
  const { sessions, agents, tree, tabs, marks, state } = parts;
  const log = outputLog.component('transcript');
  const { extensionUri } = context;
  const signIn = new SignInDialog(parts);
  const previews = own(new Previews(parts.documents));
  const fileSearch = own(new FileSearch(outputLog.component('files')));
  const savedPrompts = own(new SavedPrompts());
  const prompts = new ProvidedPromptEditing();
  const branches = own(new ProvidedBranches());
  const headerFacts = own(new ProvidedHeaderFacts());
  const opened = new OpenedSessions(getMemento(state, storedState.openedSessions));
  const admission = new Admission({ agents, sessions, tree, opened });
  const lastEditor = own(new LastEditor());
  const sendKey = own(new SendKey());
  const tonePages = new TonePages();
  const newPlaces = new ProvidedPlaces(features);
  const newPages = own(
    new NewPages({ ...parts, newPlaces, log, state: getMemento(state, storedState.newPages) }),
  );
  const panels = own(
    new TranscriptPanels({
      ...parts,
      extensionUri,
      signIn,
      fileSearch,
      savedPrompts,
      prompts,
      branches,
      headerFacts,
      opened,
      newPages,
      admission,
      lastEditor,
      sendKey,
      tonePages,
      names: own(new SameNames(tabs)),
      log,
    }),
  );
  own(takeOverOldTabs(panels));
  own(new Renewals({ ...parts, panels, log }));
  own(
    followNames({
      tabs,
      agents,
      isShown: ({ agentId, sessionId }) => panels.find(agentId, sessionId) !== undefined,
      findName: (named) => findName(named, marks, admission),
      changes: [tree.onDidChange, marks.onDidChange, agents.onDidList],
      log,
    }),
  );
  return {
    signIn,
    previews,
    fileSearch,
    savedPrompts,
    prompts,
    branches,
    headerFacts,
    admission,
    newPages,
    newPlaces,
    lastEditor,
    panels,
    tonePages,
  };
}
