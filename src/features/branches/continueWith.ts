import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandServices } from '../../commands/session/commandServices';
import { composeIn, pickAgentBeside } from '../../commands/session/compose';
import {
  type CommandTarget,
  findKnown,
  findTarget,
  unknownSession,
} from '../../commands/session/sessionTarget';
import { findEntry } from '../../commands/transcript/findEntry';
import type { Agent } from '../../model/agent';
import { sessionName, titleAbout } from '../../model/agents/whose';
import { unreviewedChanges } from '../../model/changes/unreviewedChanges';
import { maxPromptLength, type Origin } from '../../model/marks/origin';
import { askInSession, whyNotAsked } from '../../model/session/askInSession';
import type { Session } from '../../model/session/session';
import { cleanText } from '../../model/text/titles';
import { promptsAt, startsTurn } from '../../model/transcript/turnStarts';
import {
  plainMessage,
  showInformationMessage,
  showWarningMessage,
} from '../../platform/ui/messages';
import { orCanceled } from '../../platform/ui/withCancel';
import { getRef, readSessionRef, type SessionRef } from '../../shared/sessionRef';
import type { Attachment, Draft } from '../../shared/transcript/prompt';
import { Effort } from '../../util/effort';
import type { Admission } from '../../views/transcript/tabs/admission';
import { drawChange } from '../../views/transcript/text/changedFiles';
import type { SessionReaders } from '../transcriptText/model/sessionReaders';
import { getTextSource, type TextSource } from '../transcriptText/model/sessionText';
import {
  changedFiles,
  commentsOf,
  conversationOf,
  endOfTurn,
  filesOf,
  type NamedFile,
  summaryOf,
  type TextAttachment,
} from './model/handedOver';

export interface ContinueServices extends CommandServices {
  readonly admission: Pick<Admission, 'find'>;
  readonly readers: Pick<SessionReaders, 'read'>;
}

/** What of a session another one is to continue. */
interface Handed {
  readonly target: CommandTarget;
  readonly source: TextSource;
  readonly files: readonly NamedFile[];
  readonly origin: Origin;
  /** Whether the conversation ends before its last turn. */
  readonly isPart: boolean;
}

/** Steps to count the lines of all changed files, see `Effort`. */
const countEffort = 1_000_000;

/**
 * "Continue with Another Agent…": the page of a new session of an agent that the user chooses, with the conversation of
 * this one, or a summary by its own agent, in the composer, and the names of its changed files. With the prompt of a
 * context menu, up to the end of its turn. Sends nothing to the new session.
 */
export async function continueWith(services: ContinueServices, argument: unknown): Promise<void> {
  const target = findContinued(services, argument);
  const title = l10n.t('Continue with Another Agent');
  const agent =
    target &&
    (await pickAgentBeside(services.agents, target.agent.id, {
      title,
      placeHolder: l10n.t('Which agent? You send the first prompt yourself.'),
    }));
  const handed = agent && (await read(services, target, findEntry(argument)));
  if (agent !== undefined && handed !== undefined) {
    const to = { agent, folder: handed.source.header.cwd };
    await continueAs(services, handed, to, title);
  }
}

/** The same for a new session of the same agent in another folder. */
export async function continueIn(
  services: ContinueServices,
  session: SessionRef,
  folder: string,
): Promise<void> {
  const target = findContinued(services, session);
  const handed = target && (await read(services, target, undefined));
  if (target !== undefined && handed !== undefined) {
    await continueAs(services, handed, { agent: target.agent, folder }, l10n.t('Continue There'));
  }
}

async function continueAs(
  services: ContinueServices,
  handed: Handed,
  { agent, folder }: { readonly agent: Agent; readonly folder: string },
  title: string,
): Promise<void> {
  const conversation = await choose(services, handed, titleAbout(title, agent));
  if (conversation !== undefined) {
    const draft = draftOf(services, handed, conversation);
    await composeIn(services, agent, folder, draft, handed.origin);
  }
}

const summaryPrompt = (): string =>
  l10n.t(
    'Summarize this conversation for another agent that continues the work: the goal, what has been decided, what is done, what is left to do, and the names of the files that matter. Don’t change any file.',
  );

function findContinued(services: ContinueServices, argument: unknown): CommandTarget | undefined {
  const named = readSessionRef(argument);
  if (named === undefined || services.tree.isNode(argument)) {
    return findTarget(services, argument);
  }
  const known = findKnown(services, named);
  if (known === undefined) {
    void showInformationMessage(unknownSession());
  }
  return known;
}

/** Reads a session, which is loaded first if it isn't open, and says if there is nothing to continue. */
async function read(
  services: ContinueServices,
  target: CommandTarget,
  entry: number | undefined,
): Promise<Handed | undefined> {
  const { agent, info } = target;
  return orCanceled(l10n.t('Reading {0}', sessionName(target)), (signal) =>
    services.readers.read(agent, info, signal, (session, isBorrowed) => {
      const { phase, shown } = session;
      if (isBorrowed && phase.kind === 'failed' && !shown.isCached) {
        const { title, detail } = phase.failure;
        void showWarningMessage(
          l10n.t('{0} could not be read. {1}. {2}', sessionName(target), title, detail),
        );
        return undefined;
      }
      const handed = handOver(services, session, target, entry);
      if (handed === undefined) {
        void showInformationMessage(
          l10n.t('{0} has no turns to continue yet.', sessionName(target)),
        );
      }
      return handed;
    }),
  );
}

/** `undefined` if there is no turn. */
function handOver(
  { reviews }: ContinueServices,
  session: Session,
  target: CommandTarget,
  entry: number | undefined,
): Handed | undefined {
  const source = getTextSource(session);
  const end = entry === undefined ? source.entries.length : endOfTurn(source.entries, entry);
  const entries = source.entries.slice(0, end);
  const starts = entries.flatMap((_, index) => (startsTurn(entries, index) ? [index] : []));
  const last = starts.at(-1);
  if (last === undefined) {
    return undefined;
  }
  const { agent, info } = target;
  const review = reviews.of(agent.id, info.sessionId);
  const effort = new Effort(countEffort);
  const reported = unreviewedChanges(session, review).map((change) =>
    drawChange(change, info.cwd, effort),
  );
  const prompt = cleanText(promptsAt([last], entries)[0]?.text ?? '', maxPromptLength);
  return {
    target,
    source: { ...source, entries },
    files: changedFiles(review, reported, info.cwd),
    origin: {
      ...{ agentId: agent.id, sessionId: info.sessionId },
      ...{ turn: starts.length, prompt, held: 'text' },
    },
    isPart: end < source.entries.length,
  };
}

/** The conversation as the user wants it; asks only if its agent can be asked for a summary. */
async function choose(
  services: ContinueServices,
  handed: Handed,
  title: string,
): Promise<TextAttachment | undefined> {
  const { target, source, isPart } = handed;
  const { agent, info } = target;
  const open = services.sessions.find(agent.id, info.sessionId);
  const mayAsk = open === undefined ? agent.supports('load') : whyNotAsked(open) === undefined;
  const whole = {
    label: l10n.t('The Conversation as a Text'),
    detail: l10n.t('With what its tools did. Of a long one, the latest part.'),
  };
  const summary = {
    label: l10n.t('A Summary by {0}', plainMessage(cleanText(agent.title, 60))),
    detail: l10n.t('Sends one prompt to this session, and waits for the answer.'),
  };
  const isAsked = !isPart && mayAsk;
  const picked = isAsked
    ? await vscode.window.showQuickPick([whole, summary], {
        title,
        placeHolder: l10n.t('What should the new session know of this one?'),
        ignoreFocusOut: true,
      })
    : whole;
  if (picked === undefined) {
    return undefined;
  }
  const asText = (): Promise<TextAttachment> =>
    conversationOf(source, l10n.t('Conversation “{0}”', cleanText(target.title, 60)));
  return picked === summary ? askedSummary(services, target, asText) : asText();
}

/** A summary by the session's agent, which is asked in its tab; without one, the whole is offered. */
async function askedSummary(
  services: ContinueServices,
  target: CommandTarget,
  asText: () => Promise<TextAttachment>,
): Promise<TextAttachment | undefined> {
  const { agent, info } = target;
  await services.panels.open(agent, info);
  const session = services.sessions.find(agent.id, info.sessionId);
  await session?.load();
  const reason = session === undefined ? unknownSession() : whyNotAsked(session);
  const answer =
    session === undefined || reason !== undefined
      ? ''
      : await orCanceled(l10n.t('Waiting for the summary of {0}', sessionName(target)), (signal) =>
          askInSession(session, summaryPrompt(), signal),
        );
  if (answer === undefined) {
    return undefined;
  }
  if (answer !== '') {
    return summaryOf(answer, cleanText(agent.title, 60));
  }
  const attach = l10n.t('Attach the Conversation');
  const said =
    reason ?? l10n.t('The agent has answered nothing, or its turn has failed; the tab shows why.');
  const chosen = await showWarningMessage(
    l10n.t('There is no summary of {0}. {1}', sessionName(target), said),
    attach,
  );
  return chosen === attach ? asText() : undefined;
}

/** The first prompt, with the conversation, the changed files, and the comments that weren't sent yet. */
function draftOf(
  { reviews }: ContinueServices,
  { source, files, target }: Handed,
  conversation: TextAttachment,
): Draft {
  const named = filesOf(files, source.header.cwd);
  const ref = getRef(target);
  const count = reviews.comments?.count(ref) ?? 0;
  const comments =
    count > 0 ? commentsOf(count, reviews.comments?.asText(ref, target.info.cwd) ?? '') : undefined;
  const attachments: Attachment[] = [
    ...[conversation, ...(named ? [named] : []), ...(comments ? [comments] : [])],
  ];
  const text = l10n.t(
    'Continue the work of an earlier session with {0}, which is attached. Look at the files as they are now first.',
    cleanText(target.agent.title, 60),
  );
  return { text, attachments };
}
