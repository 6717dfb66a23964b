import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandServices } from '../../commands/session/commandServices';
import { askForSession } from '../../commands/session/newSession';
import { findEntry } from '../../commands/transcript/findEntry';
import { pickTurn } from '../../commands/transcript/pickTurn';
import { titleAbout } from '../../model/agents/whose';
import type { KeptWork } from '../../model/kept/keptWork';
import type { Log } from '../../model/ports';
import type { Session } from '../../model/session/session';
import { cleanText } from '../../model/text/titles';
import { plainMessage, showInformationMessage } from '../../platform/ui/messages';
import { readSessionRef } from '../../shared/sessionRef';
import type { BranchAct } from '../../shared/transcript/branches';
import { type Draft, emptyDraft } from '../../shared/transcript/prompt';
import { isObject } from '../../util/json';
import { getUri, OfferedFiles } from '../../views/transcript/composer/offeredFiles';
import { promptLine } from '../../views/transcript/rows/promptLine';
import type { TranscriptPanel } from '../../views/transcript/tabs/panel';
import { getTextSource } from '../transcriptText/model/sessionText';
import { forkWhole } from './forkWhole';
import { Branching, type BranchPoint, type BranchWay } from './model/branching';
import { conversationOf } from './model/handedOver';
import { getPromptDraft } from './model/promptDraft';
import { findRefusedPrompt, withoutImages } from './model/refusedPrompt';

export interface BranchServices extends CommandServices {
  readonly work: Pick<KeptWork, 'read' | 'setDraft'>;
  readonly log: { component(name: string): Log };
}

/** What the user is asked about. */
interface Plan {
  readonly panel: TranscriptPanel;
  readonly point: BranchPoint;
  /** Index of the prompt's entry. */
  readonly index: number;
  readonly act: BranchAct;
}

/**
 * "Fork…", "Edit and Resend" and "Retry Turn": another session that begins before a prompt of this one, which stays as it
 * is. The prompt is that of the context menu, of the page, or one that the user picks.
 */
export async function branchSession(
  services: BranchServices,
  argument: unknown,
  command: BranchAct,
): Promise<void> {
  const act = isMarked(argument, 'withoutImage') ? 'withoutImage' : command;
  const panel = findPanel(services, argument);
  const session =
    panel && services.sessions.find(panel.session.agent.id, panel.session.info.sessionId);
  if (panel === undefined || session === undefined) {
    void showInformationMessage(l10n.t('Open a session first, or choose one in the view.'));
    return;
  }
  const entry = findEntry(argument) ?? (await picked(panel, act));
  if (entry === 'whole') {
    await forkWhole(services, session);
    return;
  }
  const turn = entry === undefined ? undefined : panel.outline.findTurn(entry)?.index;
  const index =
    turn !== undefined && act === 'withoutImage'
      ? findRefusedPrompt(session.transcript.entries, panel.outline.allTurns(), turn)
      : turn;
  const prompt = index === undefined ? undefined : session.transcript.entries[index];
  if (index === undefined || prompt?.kind !== 'user') {
    return;
  }
  const found = makeBranching(services).pointBefore(session, index, promptLine(prompt));
  if (found !== undefined) {
    // The whole history has the image in it.
    const isUseless = act === 'withoutImage' && found.way === 'whole';
    const point = isUseless ? ({ ...found, way: 'text' } as const) : found;
    const mayRestore = act !== 'withoutImage' && !isMarked(argument, 'restored');
    await begin(services, { panel, point, index, act }, mayRestore);
  }
}

/** The prompt that the user picks, or the whole session if that is meant and can be forked. */
async function picked(
  panel: TranscriptPanel,
  act: BranchAct,
): Promise<number | 'whole' | undefined> {
  const mayBeWhole = act === 'fork' && panel.session.agent.supports('fork');
  const picked = await pickTurn(panel, {
    title: act === 'fork' ? l10n.t('Fork from Turn') : titles[act],
    ...(mayBeWhole && { whole: l10n.t('Whole Session') }),
  });
  if (typeof picked === 'number') {
    panel.reveal(picked);
  }
  return picked;
}

async function begin(services: BranchServices, plan: Plan, mayRestore: boolean): Promise<void> {
  const { panel, point, index } = plan;
  // Files that an agent is working on aren't restored.
  const isRunning = point.session.turns.current.kind === 'running';
  const record = mayRestore && !isRunning ? panel.recordBefore(index) : undefined;
  const choice = await choose(plan, record !== undefined);
  if (choice === undefined) {
    return;
  }
  if (choice === 'restore' && record !== undefined) {
    const back = { isChosen: true, run: () => perform(services, plan) };
    const actions = await services.reviews.actions();
    await actions?.restoreBefore(record.review, record.turn, point.prompt, back);
  } else {
    await perform(services, plan);
  }
}

/** Asks only if there is something to choose, or the result isn't what the command says. */
async function choose(
  { point: { way, session }, act }: Plan,
  canRestore: boolean,
): Promise<'plain' | 'restore' | undefined> {
  const detail = findDetail(way, plainMessage(cleanText(session.agent.title, 60)));
  const isAsSaid = detail === undefined || act === 'withoutImage';
  if (isAsSaid && !canRestore) {
    return 'plain';
  }
  const plain = {
    label: getLabel(way, act),
    detail: detail ?? l10n.t('The files stay as they are.'),
  };
  const restore = {
    label: l10n.t('{0}, and Restore the Files…', plain.label),
    detail: l10n.t('Shows first what would change in the files.'),
  };
  const picked = await vscode.window.showQuickPick([plain, ...(canRestore ? [restore] : [])], {
    title: titleAbout(titles[act], session.agent),
    placeHolder: l10n.t('This session stays as it is.'),
    ignoreFocusOut: true,
  });
  return picked && (picked === restore ? 'restore' : 'plain');
}

async function perform(services: BranchServices, plan: Plan): Promise<void> {
  const { panel, act } = plan;
  const { draft, left } = await getDraft(plan);
  const isSent = act === 'retry' && left === 0 && (await maySend(draft, panel));
  const session = await branch(services, plan, isSent ? emptyDraft : draft);
  if (session === undefined) {
    return;
  }
  if (isSent) {
    session.turns.submit(draft);
  }
  const where = act === 'fork' ? 'side' : 'here';
  (await services.panels.open(session.agent, session.info, { where })).focusComposer();
  if (left > 0) {
    void showInformationMessage(
      l10n.t('Parts of the prompt that can’t be attached again were left out: {0}.', left),
    );
  }
}

/** Asks again if the agent doesn't know the message; then it can only fork the whole, which is no help with an image in it. */
async function branch(
  services: BranchServices,
  plan: Plan,
  draft: Draft,
): Promise<Session | undefined> {
  const { point, act } = plan;
  const { agent } = point.session;
  const forked = await branchAt(services, point, draft);
  if (forked !== undefined || point.way !== 'message') {
    return forked;
  }
  if (act === 'withoutImage') {
    const asText = { ...point, way: 'text' } as const;
    return branchAt(services, asText, (await getDraft({ ...plan, point: asText })).draft);
  }
  const label = getLabel('whole', 'fork');
  const detail = l10n.t(
    '{0} doesn’t know the message before this prompt any more.',
    plainMessage(cleanText(agent.title, 60)),
  );
  const answer = await vscode.window.showQuickPick([{ label, detail }], {
    title: titleAbout(titles.fork, agent),
    ignoreFocusOut: true,
  });
  return answer && branchAt(services, { ...point, way: 'whole' }, draft);
}

function makeBranching({ sessions, marks, work, log }: BranchServices): Branching {
  return new Branching({ sessions, marks, work, log: log.component('sessions') });
}

/** `undefined` if the agent doesn't know the message to fork at. */
function branchAt(
  services: BranchServices,
  point: BranchPoint,
  draft: Draft,
): Promise<Session | undefined> {
  return askForSession(services, point.session.agent, (signal) =>
    makeBranching(services).branch(point, draft, signal),
  );
}

/** The prompt; where the agent can't fork, with the conversation up to there. */
async function getDraft({ point: { way, session }, index, act }: Plan) {
  const { entries } = session.transcript;
  const whole = getPromptDraft(entries, index);
  const prompt = act === 'withoutImage' ? { ...whole, draft: withoutImages(whole.draft) } : whole;
  if (way !== 'text') {
    return prompt;
  }
  const source = getTextSource(session);
  const before = { ...source, entries: source.entries.slice(0, index) };
  const conversation = await conversationOf(before, l10n.t('The conversation up to here'));
  const attachments = [conversation, ...prompt.draft.attachments];
  return { ...prompt, draft: { ...prompt.draft, attachments } };
}

/** Files outside of the session are only sent if the user allows it: an agent may have made up the prompt. */
async function maySend({ attachments }: Draft, { session }: TranscriptPanel): Promise<boolean> {
  const uris = attachments.flatMap(getUri);
  return (await new OfferedFiles().allowed(uris, session)).size === new Set(uris).size;
}

const titles: Readonly<Record<BranchAct, string>> = {
  fork: l10n.t('Fork from Here'),
  edit: l10n.t('Edit and Resend'),
  retry: l10n.t('Retry Turn'),
  withoutImage: l10n.t('Continue Without the Image'),
};

function getLabel(way: BranchWay, act: BranchAct): string {
  switch (way) {
    case 'whole':
      return l10n.t('Fork with the Whole History');
    case 'text':
      return l10n.t('New Session with the Conversation as a Text');
    case 'start':
    case 'message':
      return titles[act];
  }
}

/** Why the result isn't what the command says. */
function findDetail(way: BranchWay, agentTitle: string): string | undefined {
  switch (way) {
    case 'whole':
      return l10n.t(
        '{0} hasn’t given the messages before this prompt an id, so it can’t fork there.',
        agentTitle,
      );
    case 'text':
      return l10n.t(
        '{0} can’t fork sessions. The conversation up to this prompt is attached to it.',
        agentTitle,
      );
    case 'start':
    case 'message':
      return undefined;
  }
}

function findPanel({ panels }: BranchServices, argument: unknown): TranscriptPanel | undefined {
  const named = readSessionRef(argument);
  return named === undefined ? panels.active : panels.find(named.agentId, named.sessionId);
}

/** `restored`: the files were, just before. */
function isMarked(argument: unknown, mark: 'restored' | 'withoutImage'): boolean {
  return isObject(argument) && argument[mark] === true;
}
