import * as vscode from 'vscode';
import type { WorkspaceFolder } from '../../../model/ports';
import { cleanText } from '../../../model/text/titles';
import type { Header } from '../../../shared/transcript/webviewMessages';
import { getStack } from '../../../util/getStack';
import { folderLabel } from '../../folderLabel';
import type { FeedSource } from '../feed/feed';
import type { Outline } from '../feed/outlineFeed';
import { getSessionState } from '../feed/sessionState';
import { drawRow } from '../rows/draw';
import { bounded } from '../rows/drawTexts';
import type { ChangedFiles } from '../text/changedFiles';
import type { TurnReviews } from '../text/turnReviews';
import type { PanelServices, PanelSession } from './panelSession';
import { shownName } from './sessionNames';

/** Maximum number of drawing errors that are logged. */
const maxFaults = 10;
/** Maximum length of a folder's path on the page. */
const maxPathLength = 5_000;
const maxBranchLength = 200;
const maxSystemPromptLength = 500;

/** What the page of a session shows. */
export function getSource(
  session: PanelSession,
  changedFiles: ChangedFiles,
  reviews: TurnReviews,
  outline: () => Outline,
  {
    savedPrompts,
    lastEditor,
    sendKey,
    marks,
    branches,
    headerFacts,
    worktrees,
    log,
  }: PanelServices,
): FeedSource {
  let faults = 0;
  const report = (error: unknown): void => {
    faults += 1;
    if (faults <= maxFaults) {
      log.error(`An entry could not be drawn: ${getStack(error)}`);
    }
  };
  return {
    get header(): Header {
      const { agent, info } = session;
      const folder = bounded(folderLabel(info.cwd, foldersOfWindow()), maxPathLength);
      const facts = headerFacts.of(session);
      const branch = cleanText(worktrees.at(info.cwd)?.branch ?? '', maxBranchLength);
      return {
        title: shownName(session, marks),
        agentTitle: agent.title,
        folder,
        cwd: bounded(info.cwd, maxPathLength),
        ...(branch !== '' && { branch }),
        ...describeSystemPrompt(session),
        ...(facts.length > 0 && { facts }),
      };
    },
    get phase() {
      return session.phase;
    },
    get session() {
      const files = [...reviews.pendingFiles, ...changedFiles.files];
      const shownBranches = branches.current?.shown(session, outline());
      return getSessionState(session, files, savedPrompts.all, {
        ...(sendKey.needsCtrl && { sendsWithCtrl: true }),
        ...(lastEditor.name !== undefined && { insertInto: lastEditor.name }),
        ...(reviews.shown !== undefined && { review: reviews.shown }),
        ...(shownBranches !== undefined && { branches: shownBranches }),
      });
    },
    get entries() {
      return session.shown.entries;
    },
    nested: (number) => session.shown.getEntries(number),
    draw: (entry, effort) => drawRow(entry, session.info.cwd, effort, report),
  };
}

function foldersOfWindow(): readonly WorkspaceFolder[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.map(({ name, uri }) => ({ name, path: uri.fsPath }));
}

function describeSystemPrompt({ facts }: PanelSession): Pick<Header, 'systemPrompt'> {
  if (facts.systemPrompt === undefined) {
    return {};
  }
  const { mode, text, isSent } = facts.systemPrompt;
  const kind = isSent ? mode : 'refused';
  return { systemPrompt: { kind, text: bounded(text, maxSystemPromptLength) } };
}
