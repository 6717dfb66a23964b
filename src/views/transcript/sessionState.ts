import type { Session } from '../../model/session';
import type { ChangedFile, SavedPrompt, SessionState } from '../../shared/messages';

/** What the state is made of. */
export type StateSource = Pick<Session, 'writable' | 'turn' | 'queue' | 'waiting'> & {
  readonly facts: Pick<Session['facts'], 'commands' | 'configOptions' | 'modes' | 'usage'>;
  readonly agent: Pick<Session['agent'], 'supports'>;
  readonly elsewhere: Pick<Session['elsewhere'], 'wentOn'>;
};

type Commands = SessionState['commands'];

/** Some agents have hundreds of commands with pages of text each: half a megabyte for a list to choose from. */
const maxCommands = 1000;
const maxDescription = 300;
const shortened = new WeakMap<object, Commands>();

/** What a webview is told of a session beside its transcript. */
export function sessionStateOf(
  session: StateSource,
  changedFiles: readonly ChangedFile[],
  savedPrompts: readonly SavedPrompt[],
): SessionState {
  const { writable, turn, queue, facts, waiting } = session;
  const { modes, usage } = facts;
  return {
    writable,
    turn,
    queue,
    commands: shorten(facts.commands),
    configOptions: facts.configOptions,
    ...(modes !== undefined && { modes }),
    ...(usage !== undefined && { usage }),
    takesImages: session.agent.supports('promptImage'),
    changedFiles,
    savedPrompts,
    waiting,
    ...(session.elsewhere.wentOn && { wentOn: { canReload: session.agent.supports('close') } }),
  };
}

/** Whether there is nothing new for a webview in `now`. Equal parts are mostly the very same object. */
export function sameState(before: SessionState | undefined, now: SessionState): boolean {
  return before !== undefined && keys.every((key) => same(before[key], now[key]));
}

const keys = [
  'writable',
  'turn',
  'queue',
  'commands',
  'configOptions',
  'modes',
  'usage',
  'takesImages',
  'changedFiles',
  'savedPrompts',
  'waiting',
  'wentOn',
] as const satisfies readonly (keyof SessionState)[];

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function shorten(commands: Commands): Commands {
  let short = shortened.get(commands);
  if (short === undefined) {
    short = commands.slice(0, maxCommands).map(({ name, description, hint }) => ({
      name,
      description: description.slice(0, maxDescription),
      ...(hint !== undefined && { hint: hint.slice(0, maxDescription) }),
    }));
    shortened.set(commands, short);
  }
  return short;
}
