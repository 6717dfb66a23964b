import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sessionName, sessionTitle } from '../../../model/agents/whose';
import { describeFailure } from '../../../model/failures/failures';
import { fileOfWindow } from '../../../platform/files/windowFiles';
import { contextKeys, offeredCommandIds } from '../../../platform/ids';
import { openFile, openLink } from '../../../platform/openers';
import { addRule } from '../../../platform/settings/permissionRules';
import { act } from '../../../platform/ui/failureActions';
import {
  showErrorMessage,
  showInformationMessage,
  showWarningMessage,
} from '../../../platform/ui/messages';
import { getRef } from '../../../shared/sessionRef';
import type { Entry } from '../../../shared/transcript/entries';
import { maxAttachments } from '../../../shared/transcript/parseDraft';
import type { Draft } from '../../../shared/transcript/prompt';
import { type Asked, isQuestion, type QuestionKind } from '../../../shared/transcript/questions';
import type { FromWebview, ToWebview } from '../../../shared/transcript/webviewMessages';
import type { TonePage } from '../../attention/tonePages';
import { fileUri, getAttachments, parseUris, reportRefused } from '../composer/attachments';
import { keepDraft, postDraft } from '../composer/drafts';
import { getUri, type OfferedFiles } from '../composer/offeredFiles';
import { openAttachment } from '../composer/openAttachment';
import type { TranscriptFeed } from '../feed/feed';
import { canQueue } from '../feed/intentGate';
import type { OutlineFeed } from '../feed/outlineFeed';
import { sayNoneLeft } from '../find/seek';
import type { TranscriptSearch } from '../find/transcriptSearch';
import { promptLine } from '../rows/promptLine';
import { useCode } from '../text/code';
import { copyCode, copyEntries, copyTurn } from '../text/copyEntries';
import { openAllChanges, openChange } from '../text/openChanges';
import { findText, getWholeText, openDiff, openText } from '../text/openParts';
import type { TurnReviews } from '../text/turnReviews';
import { type AnswerTarget, answer } from './answers';
import { confirmStop } from './confirmStop';
import type { PanelServices, PanelSession } from './panelSession';

/** Everything that handling an intent of the webview needs. */
export interface IntentTarget extends AnswerTarget {
  readonly services: PanelServices;
  readonly post: (message: ToWebview) => void;
  readonly feed: TranscriptFeed;
  readonly outline: OutlineFeed;
  readonly reviews: TurnReviews;
  readonly search: TranscriptSearch;
  readonly offered: OfferedFiles;
  readonly webview: Pick<vscode.Webview, 'asWebviewUri'>;
  readonly tonePage: TonePage;
  /** Makes the tab permanent if it is a preview. */
  readonly keep: () => void;
}

type IntentType = Exclude<FromWebview['type'], QuestionKind>;
type Intent<Type extends IntentType> = Extract<Exclude<FromWebview, Asked>, { type: Type }>;
type Handler<Type extends IntentType> = (target: IntentTarget, intent: Intent<Type>) => unknown;
type Handlers = { readonly [Type in IntentType]: Handler<Type> };

const handlers: Handlers = {
  ready: async (target) => {
    target.feed.start();
    target.outline.start();
    await target.services.work.read();
    postDraft(target);
  },
  draft: keepDraft,
  resync: ({ feed }) => feed.snapshot(),
  typing: (_target, { typing }) =>
    vscode.commands.executeCommand('setContext', contextKeys.typing, typing),
  window: ({ feed, outline }, rows) => {
    feed.want(rows);
    outline.want(rows);
  },
  silent: ({ services, tonePage }, { tone }) => services.tonePages.play(tone, tonePage),
  showRow: ({ feed }, { index }) => feed.ask(index),
  unfold: ({ feed }, { number, rows }) => feed.unfold(number, rows),
  stopSubagent: ({ session }, { number }) => session.stopSubagent(number),
  stopTask: async ({ session }, { id }) => {
    const task = session.tasks.all?.listed.find((one) => one.id === id);
    if (task?.canStop && (await confirmStop(task.title))) {
      await session.tasks.stop(id);
    }
  },
  openLink: ({ paths }, { href }) => openLink(href, paths),
  openLocation: async ({ session, paths }, { index, location }) => {
    const target = toolCallAt(session, index)?.locations[location];
    if (target !== undefined) {
      await openFile(target.path, target.line, paths);
    }
  },
  openDiff: async ({ session, services, paths }, { index, content }) => {
    const diff = toolCallAt(session, index)?.content[content];
    if (diff?.type === 'diff') {
      await openDiff(services.documents, diff, paths);
    } else if (diff?.type === 'fileChange') {
      await openFile(diff.path, undefined, paths);
    }
  },
  openText: async ({ session, services }, { index, part, item }) => {
    const entry = session.shown.at(index);
    const text =
      entry &&
      (part === 'whole'
        ? await getWholeText(entry, session.agent.title)
        : findText(entry, part, item));
    if (text !== undefined) {
      await openText(services.documents, text);
    }
  },
  plan: ({ session }, { act: how, index }) =>
    vscode.commands.executeCommand(
      how === 'open' ? offeredCommandIds.openPlan : offeredCommandIds.continuePlan,
      { ...getRef(session), entry: index },
    ),
  cancelLoad: ({ session }) => session.cancelLoad(),
  prompt: async (target, { draft, now }) => {
    const { session, post } = target;
    const known = await withoutForeign(target, draft);
    if (known.attachments.length < draft.attachments.length) {
      // The rest of the draft must not be lost.
      post({ type: 'edit', draft: known });
    } else if (canQueue(session.turns.queue, known)) {
      const { id } = session.turns.submit(known);
      await (now && sendNow(target, id));
    } else {
      post({ type: 'edit', draft });
      void showWarningMessage(
        l10n.t(
          'Too many prompts are queued in {0}. Send this one when some are done.',
          sessionName(session),
        ),
      );
    }
  },
  editInEditor: async (target, { draft }) => {
    const { session, services, post } = target;
    const known = await withoutForeign(target, draft);
    try {
      // The editor's suggestions are those of a session.
      const begun = session.first === undefined ? session : await session.first.begin();
      if (begun === undefined) {
        post({ type: 'edit', draft: known });
      } else {
        await services.prompts.edit(begun, known);
      }
    } catch (error) {
      // The draft must not be lost. The page may attach whatever it is sent, so it gets only the
      // allowed files.
      post({ type: 'edit', draft: known });
      throw error;
    }
  },
  keep: ({ keep }) => keep(),
  cancelTurn: ({ session }) => session.turns.cancel(),
  forceFinish: ({ session }) => session.turns.forceFinish(),
  sendAgain: ({ session }, { index }) => session.turns.sendAgain(index),
  sendWhenReset: ({ session }, { index }) => session.turns.sendWhenReset(index),
  removeQueued: ({ session }, { id }) => session.turns.removeQueued(id),
  sendQueued: ({ session }, { id }) => session.turns.sendQueued(id),
  sendNow: (target, { id }) => sendNow(target, id),
  moveQueued: ({ session }, { id, to }) => session.turns.moveQueued(id, to),
  editQueued: ({ session, post }, { id }) => {
    const draft = session.turns.removeQueued(id);
    if (draft !== undefined) {
      post({ type: 'edit', draft });
    }
  },
  setMode: ({ session }, { modeId }) => reportRefusal(session, session.setMode(modeId)),
  goOnInMode: ({ session }) => session.goOnInMode(),
  setConfigOption: ({ session }, { configId, value }) =>
    reportRefusal(session, session.setConfigOption(configId, value)),
  chooseFirst: ({ session }, { kind, value }) =>
    reportRefusal(session, session.first?.choose(kind, value) ?? Promise.resolve()),
  answerPermission: ({ session }, { requestId, optionId }) =>
    session.requests.answerPermission(requestId, optionId),
  allowByRule: async ({ session }, { requestId }) => {
    const offered = session.requests.offered(requestId);
    if (offered !== undefined && (await addRule(session.agent.id, offered.rule))) {
      session.requests.answerPermission(requestId, offered.optionId);
    }
  },
  dropFiles: async (target, { uris }) => {
    const dropped = parseUris(uris)
      .slice(0, maxAttachments)
      .map((uri) => fileOfWindow(uri, target.webview));
    const files = dropped.filter(({ scheme, authority }) => scheme === 'file' && authority === '');
    const allowed = await target.offered.allowed(files.map(fileUri), target.session);
    // Anything but local files is refused with a message to the user.
    const kept = dropped.filter((uri) => !files.includes(uri) || allowed.has(fileUri(uri)));
    await attach(target, kept);
  },
  pickFiles: async (target) => {
    const picked = await vscode.window.showOpenDialog({
      canSelectMany: true,
      canSelectFiles: true,
      defaultUri: vscode.Uri.file(target.session.info.cwd),
      openLabel: l10n.t('Add to Session'),
      title: l10n.t('Add Files to {0}', sessionName(target.session)),
    });
    await attach(target, picked ?? []);
  },
  openAttachment: async (target, { attachment }) => {
    const known = await withoutForeign(target, { text: '', attachments: [attachment] });
    for (const each of known.attachments) {
      await openAttachment(each, target);
    }
  },
  openTerminal: ({ session, services }, { terminalId }) => {
    const terminal = session.terminals.get(terminalId);
    if (terminal !== undefined) {
      services.terminalViews.open(terminal, sessionTitle(session));
    }
  },
  openChanges: ({ session, services, paths, reviews: { review } }) =>
    openAllChanges(services, session, review, paths),
  openChange: async ({ session, services, paths, reviews: { review } }, { path }) => {
    if (review?.pending.some(({ file }) => file === path)) {
      await (await services.reviews.actions())?.showFile(review, path);
      return;
    }
    const change = session.changes.files.find((file) => file.path === path);
    if (change !== undefined) {
      await openChange(services.documents, change, session.agent.title, paths);
    }
  },
  reviewTurn: async ({ session, services, reviews: { review } }, { turn, act }) => {
    if (act === 'sendComments') {
      await services.reviews.comments?.send(getRef(session));
      return;
    }
    const turns = act === 'showUncertain' ? review?.uncertainTurns : review?.turns;
    if (review !== undefined && turns?.some((it) => it.turn === turn)) {
      await (await services.reviews.actions())?.[act](review, turn);
    }
  },
  restoreBefore: async ({ session, services, reviews }, { index }) => {
    const { review } = reviews;
    const turn = reviews.firstTurnFrom(index);
    const prompt = session.shown.entries[index];
    if (review === undefined || turn === undefined || prompt?.kind !== 'user') {
      return undefined;
    }
    if (session.turns.current.kind !== 'idle') {
      const name = sessionName(session);
      return showInformationMessage(
        l10n.t('A turn is running in {0}. Stop it first, then restore.', name),
      );
    }
    return (await services.reviews.actions())?.restoreBefore(
      review,
      turn,
      promptLine(prompt),
      services.branches.current?.goingBack(session, index),
    );
  },
  branch: ({ session, services }, { act, index }) =>
    services.branches.current?.begin(session, act, index),
  openOrigin: ({ session, services }) => services.branches.current?.openOrigin(session),
  openFork: ({ session, services }, { sessionId, agentId }) =>
    services.branches.current?.openFork(session, sessionId, agentId),
  openFact: ({ session, services }, { opens }) => services.headerFacts.open(session, opens),
  action: (target, { action }) =>
    action === 'signIn'
      ? signIn(target)
      : act(action, { agentId: target.session.agent.id, retry: () => target.session.reload() }),
  find: ({ search }, intent) => search.start(intent),
  copy: ({ session, outline }, { what, index, last }) => {
    switch (what) {
      case 'entry':
        return copyEntries(session, index, last);
      case 'turn':
        return copyTurn(session, outline.outline, index);
    }
  },
  copyCode: ({ session }, place) => copyCode(session, place),
  useCode: ({ session, services }, use) => useCode(session, services.lastEditor, use),
  seek: ({ outline, post }, { target, direction, from }) => {
    const index = outline.outline.seek(target, direction, from);
    if (index !== undefined) {
      post({ type: 'reveal', index });
    } else {
      sayNoneLeft(target, direction);
    }
  },
};

/** Intents that open another editor, which would replace a preview, so the tab becomes permanent first. */
const leadElsewhere: ReadonlySet<FromWebview['type']> = new Set([
  'openLink',
  'openLocation',
  'openDiff',
  'openText',
  'openAttachment',
  'plan',
  'openChange',
  'openChanges',
  'reviewTurn',
  'restoreBefore',
  'branch',
  'openOrigin',
  'openFork',
  'editInEditor',
]);

/** Handles an intent of the webview, or answers its question. */
export async function handleIntent(target: IntentTarget, intent: FromWebview): Promise<void> {
  if (isQuestion(intent)) {
    await answer(target, intent);
  } else {
    await obey(target, intent);
  }
}

async function obey<Type extends IntentType>(
  target: IntentTarget,
  intent: Intent<Type>,
): Promise<void> {
  if (leadElsewhere.has(intent.type)) {
    target.keep();
  }
  const handler: Handler<Type> = handlers[intent.type];
  await handler(target, intent);
}

async function signIn({ session, services }: IntentTarget): Promise<void> {
  if (await services.signIn.signInTo(session.agent.id)) {
    await retryAfterSignIn(session);
  }
}

/** Repeats what the missing login prevented: the prompt, otherwise the load (AUTH-4). */
async function retryAfterSignIn(session: PanelSession): Promise<void> {
  const { entries } = session.shown;
  const last = entries.at(-1);
  if (last?.kind === 'turn' && last.outcome.type === 'failed' && last.outcome.canResend) {
    session.turns.sendAgain(entries.length - 1);
  } else if (session.phase.kind === 'failed') {
    await session.reload();
  }
}

function toolCallAt(
  { shown }: PanelSession,
  index: number,
): Extract<Entry, { kind: 'toolCall' }> | undefined {
  const entry = shown.at(index);
  return entry?.kind === 'permission'
    ? entry.toolCall
    : entry?.kind === 'toolCall'
      ? entry
      : undefined;
}

/** The prompt stays queued if it can't be sent now; tells the user why. */
async function sendNow({ session }: IntentTarget, id: number): Promise<void> {
  const failure = await session.turns.sendNow(id);
  if (failure !== undefined) {
    const name = sessionName(session);
    void showWarningMessage(
      l10n.t('The prompt stays queued in {0}. {1}. {2}', name, failure.title, failure.detail),
    );
  }
}

/** The page's optimistic choice has been reverted; tells the user why. */
async function reportRefusal(session: PanelSession, change: Promise<void>): Promise<void> {
  try {
    await change;
  } catch (error) {
    const { title, detail } = describeFailure(error, session.agent.title);
    void showErrorMessage(
      l10n.t(
        'The choice couldn’t be applied in {0}. {1}. {2}',
        sessionName(session),
        title,
        detail,
      ),
    );
  }
}

/** The page isn't trusted: a draft keeps only files that the page was offered, or that the user allows. */
async function withoutForeign({ session, offered }: IntentTarget, draft: Draft): Promise<Draft> {
  const uris = draft.attachments.flatMap(getUri);
  const allowed = await offered.allowed(uris, session);
  const attachments = draft.attachments.filter(
    (attachment) =>
      getUri(attachment).every((uri) => allowed.has(uri)) && offered.isOffered(attachment),
  );
  return { ...draft, attachments };
}

async function attach({ session, post }: IntentTarget, uris: readonly vscode.Uri[]): Promise<void> {
  const read = await getAttachments(uris, session.agent.supports('promptImage'));
  reportRefused(read, session);
  if (read.attachments.length > 0) {
    post({ type: 'attach', attachments: read.attachments });
  }
}
