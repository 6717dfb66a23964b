import * as l10n from '@vscode/l10n';
import { getContextSession } from '../../../model/session/providedContext';
import { cleanText } from '../../../model/text/titles';
import { openLink, type PathContext } from '../../../platform/openers';
import { readLink } from '../../../platform/ui/links';
import { showWarningMessage } from '../../../platform/ui/messages';
import type {
  Asked,
  Question,
  QuestionKind,
  Questions,
  Reply,
} from '../../../shared/transcript/questions';
import { findMentioned } from '../composer/findMentioned';
import type { TranscriptSearch } from '../find/transcriptSearch';
import type { PanelServices, PanelSession } from './panelSession';

/** What questions of the page are answered from. */
export interface AnswerTarget {
  readonly session: PanelSession;
  readonly services: Pick<
    PanelServices,
    'fileSearch' | 'promptContext' | 'prompts' | 'savedPrompts'
  >;
  readonly paths: PathContext;
  readonly search: Pick<TranscriptSearch, 'mark'>;
  readonly post: (reply: Reply) => void;
}

type Answer<Kind extends QuestionKind> = (
  target: AnswerTarget,
  asked: Asked<Kind>,
) => Questions[Kind]['reply'] | Promise<Questions[Kind]['reply']>;
type Answers = { readonly [Kind in QuestionKind]: Answer<Kind> };

const answers: Answers = {
  searchMentions: async ({ session, services }, { text }) => {
    const [contexts, files] = await Promise.all([
      services.promptContext.suggest(text, getContextSession(session)),
      services.fileSearch.search(text),
    ]);
    return [...contexts, ...files];
  },
  findFiles: ({ paths }, { texts }) => findMentioned(texts, paths),
  mark: ({ search }, { query, rows }) => search.mark(query, rows),
  usePrompt: ({ session, services }, { uri }) =>
    services.savedPrompts.all.some((saved) => saved.uri === uri)
      ? services.prompts.fill(session, uri)
      : undefined,
  answerElicitation,
};

/** Answers a question of the page. Rejects if that failed, which the page is told, too. */
export async function answer<Kind extends QuestionKind>(
  target: AnswerTarget,
  asked: Asked<Kind>,
): Promise<void> {
  const { id, type: to } = asked;
  try {
    const find: Answer<Kind> = answers[to];
    const value = await find(target, asked);
    target.post({ type: 'reply', id, to, value } as Reply);
  } catch (error) {
    target.post({ type: 'reply', id, to, failed: true });
    throw error;
  }
}

async function answerElicitation(
  { session, paths }: AnswerTarget,
  { requestId, action, values }: Question<'answerElicitation'>,
): Promise<Questions['answerElicitation']['reply']> {
  const url = action === 'accept' ? askedUrl(session, requestId) : undefined;
  const refusal = url === undefined ? undefined : whyNotOpened(url, session, paths);
  if (refusal !== undefined) {
    // The page offers to open no such address.
    void showWarningMessage(refusal);
    return undefined;
  }
  const errors = session.requests.answerElicitation(requestId, action, values);
  if (errors === undefined && url !== undefined) {
    // Opened in the browser, which neither the agent nor this extension can observe (EL-12).
    await openLink(url, paths);
  }
  return errors;
}

/** Why an address isn't opened: the agent must not be told that it was. */
function whyNotOpened(
  url: string,
  { agent }: PanelSession,
  { cwd }: PathContext,
): string | undefined {
  if (!/^https?:\/\//i.test(url)) {
    return l10n.t(
      'Only web addresses are opened for {0}. Decline the question, or cancel the turn.',
      cleanText(agent.title, 60),
    );
  }
  const link = readLink(url, cwd);
  return link.kind === 'refused' ? link.reason : undefined;
}

/** The URL that a pending question asks to open. */
function askedUrl({ shown, requests }: PanelSession, requestId: number): string | undefined {
  const asked = requests.waiting
    .map((index) => shown.entries[index])
    .find((entry) => entry?.kind === 'elicitation' && entry.requestId === requestId);
  return asked?.kind === 'elicitation' && asked.ask.mode === 'url' ? asked.ask.url : undefined;
}
