import type { Session } from '../../../model/session/session';
import type { ShownBranches } from '../../../shared/transcript/branches';
import type { FirstChoices } from '../../../shared/transcript/firstChoices';
import type { QueuedPrompt } from '../../../shared/transcript/prompt';
import type { ShownReview } from '../../../shared/transcript/reviewed';
import type {
  ChangedFile,
  SavedPrompt,
  SessionState,
} from '../../../shared/transcript/webviewMessages';
import { fit, type Room } from '../rows/fit';

/** The parts of a session from which its state is computed. */
export type StateSource = Pick<Session, 'writable' | 'fallenMode'> & {
  readonly first?: { readonly choices: FirstChoices };
  readonly shown: Partial<Pick<Session['shown'], 'isCached' | 'checklist'>>;
  readonly turns: Pick<Session['turns'], 'current' | 'queue'> &
    Partial<Pick<Session['turns'], 'tokens'>>;
  readonly requests: Pick<Session['requests'], 'waiting'>;
  readonly facts: Pick<
    Session['facts'],
    'commands' | 'configOptions' | 'modes' | 'usage' | 'limit' | 'suggestedPrompts'
  > &
    Partial<Pick<Session['facts'], 'unknownOptions'>>;
  readonly tasks: Pick<Session['tasks'], 'all'>;
  readonly agent: Pick<Session['agent'], 'supports'>;
  readonly elsewhere: Pick<Session['elsewhere'], 'wentOn'>;
};

type Commands = SessionState['commands'];

/** Some agents have hundreds of commands with pages of text each: half a megabyte for a list to choose from. */
const maxCommands = 1000;
const maxDescription = 300;
/**
 * The shortened commands by the agent's: the same result in the same object, so that an unchanged part isn't sent
 * again.
 */
const shortened = new WeakMap<object, Commands>();

/** The maximum size of one part of the state: an agent can make a list as long as it likes. */
const partRoom: Room = { bytes: 500_000, images: 0 };
/** The fitted parts, as `shortened` makes them. */
const fittedParts = new WeakMap<
  object,
  { readonly value: unknown; readonly isShortened: boolean }
>();
/** Maximum length of a queued prompt, which is shown as one line. */
const maxQueuedText = 2_000;

/** What isn't the session's own state; absent if there is none. */
interface MoreState {
  readonly sendsWithCtrl?: boolean;
  readonly insertInto?: string;
  readonly review?: ShownReview;
  readonly branches?: ShownBranches;
}

/** The state of a session for a webview, apart from its transcript. */
export function getSessionState(
  session: StateSource,
  changedFiles: readonly ChangedFile[],
  savedPrompts: readonly SavedPrompt[],
  { sendsWithCtrl, insertInto, review, branches }: MoreState = {},
): SessionState {
  const { writable, turns, facts, requests } = session;
  const { modes, usage, limit, unknownOptions = [] } = facts;
  const { checklist } = session.shown;
  const tasks = session.tasks.all;
  return {
    writable,
    ...(session.first && { first: fitted(session.first.choices) }),
    turn: turns.current,
    queue: turns.queue.map(withoutContents),
    canSteer: session.agent.supports('steering'),
    commands: fitted(shorten(facts.commands)),
    configOptions: fitted(facts.configOptions),
    ...(unknownOptions.length > 0 && { unknownOptions: fitted(unknownOptions) }),
    ...(modes !== undefined && { modes: fitted(modes) }),
    ...(facts.suggestedPrompts.length > 0 &&
      turns.current.kind === 'idle' && { suggestedPrompts: facts.suggestedPrompts }),
    ...(tasks !== undefined && { tasks: fitted(tasks) }),
    ...(session.fallenMode && { fallenMode: session.fallenMode }),
    ...(usage !== undefined && { usage }),
    ...(turns.tokens && { tokens: turns.tokens }),
    ...(limit !== undefined && { limit }),
    takesImages: session.agent.supports('promptImage'),
    changedFiles: fitted(changedFiles),
    ...(checklist !== undefined && { checklist: fitted(checklist) }),
    ...(review !== undefined && { review: fitted(review) }),
    ...(branches !== undefined && { branches: fitted(branches) }),
    savedPrompts: fitted(savedPrompts),
    waiting: fitted(requests.waiting),
    ...(session.shown.isCached && { isCached: true }),
    ...(sendsWithCtrl && { sendsWithCtrl }),
    ...(insertInto !== undefined && { insertInto }),
    ...(session.elsewhere.wentOn && { wentOn: { canReload: session.agent.supports('close') } }),
  };
}

/** Whether the agent offers more than the webview gets. */
export function offersMore({ facts }: StateSource): boolean {
  const { commands, configOptions, modes } = facts;
  return (
    commands.length > maxCommands ||
    [shorten(commands), configOptions, modes ?? []].some((part) => fittedPart(part).isShortened)
  );
}

/** Whether `now` has nothing new for a webview. Equal parts are mostly the same object. */
export function sameState(before: SessionState | undefined, now: SessionState): boolean {
  return before !== undefined && keys.every((key) => same(before[key], now[key]));
}

const keys = [
  'writable',
  'first',
  'turn',
  'queue',
  'canSteer',
  'commands',
  'configOptions',
  'unknownOptions',
  'modes',
  'suggestedPrompts',
  'tasks',
  'fallenMode',
  'usage',
  'tokens',
  'limit',
  'takesImages',
  'changedFiles',
  'checklist',
  'review',
  'branches',
  'savedPrompts',
  'waiting',
  'insertInto',
  'sendsWithCtrl',
  'isCached',
  'wentOn',
] as const satisfies readonly (keyof SessionState)[];

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function shorten(commands: Commands): Commands {
  let short = shortened.get(commands);
  if (short === undefined) {
    short = commands.slice(0, maxCommands).map(({ name, description, hint, skill }) => ({
      name,
      description: description.slice(0, maxDescription),
      ...(hint !== undefined && { hint: hint.slice(0, maxDescription) }),
      ...(skill && { skill }),
    }));
    shortened.set(commands, short);
  }
  return short;
}

function fitted<T extends object>(part: T): T {
  return fittedPart(part).value as T;
}

function fittedPart(part: object): { readonly value: unknown; readonly isShortened: boolean } {
  let known = fittedParts.get(part);
  if (known === undefined) {
    known = fit(part, partRoom) ?? { value: Array.isArray(part) ? [] : {}, isShortened: true };
    fittedParts.set(part, known);
  }
  return known;
}

/** A prompt without the contents of attachments: the host adds them again when the prompt is edited. */
function withoutContents({ draft, ...rest }: QueuedPrompt): QueuedPrompt {
  const attachments = draft.attachments.map((attachment) =>
    attachment.type === 'image'
      ? { ...attachment, data: '' }
      : 'text' in attachment
        ? { ...attachment, text: '' }
        : attachment,
  );
  return { ...rest, draft: { text: draft.text.slice(0, maxQueuedText), attachments } };
}
