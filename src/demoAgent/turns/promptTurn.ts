import { randomUUID } from 'node:crypto';
import type {
  ContentBlock,
  PromptRequest,
  PromptResponse,
} from '@agentclientprotocol/sdk/unstable';
import { commands, isOffered } from '../commands/commands';
import { greeting } from '../commands/greet';
import type { DemoSessions } from '../sessions/demoSessions';
import type { OpenSession } from '../sessions/openSession';
import { getTitle } from '../sessions/title';
import type { Ending } from '../vocabulary/demoUpdates';
import { asRequestError, getEnding } from '../vocabulary/requestErrors';
import { DemoTurn, type Steps } from './turn';

/** The context size that the demo agent pretends to have, in tokens. */
const contextSize = 200_000;

/** Roughly the size of a token in English; accurate enough for a number that only has to grow. */
const bytesPerToken = 4;

/**
 * Runs a turn from its prompt to its stop reason; throws if there is no such session, or it has a turn already. `inserted`
 * gets the id that the prompt has in the session.
 */
export async function prompt(
  sessions: DemoSessions,
  { sessionId, prompt: blocks }: Pick<PromptRequest, 'sessionId' | 'prompt'>,
  outer: AbortSignal | undefined,
  inserted: (messageId: string) => void,
): Promise<PromptResponse> {
  const { client, options } = sessions;
  const { pace, now } = options;
  const session = sessions.get(sessionId);
  // Fails only if the connection is closed; then nobody is left to notify.
  const tellChange = (): Promise<void> => client.listChanged().catch(() => undefined);
  try {
    return await session.runTurn(outer, async (signal) => {
      await tellChange();
      const turn = new DemoTurn({ session, client, prompt: blocks, pace, signal });
      return await runPrompt(turn, now, inserted);
    });
  } finally {
    void tellChange();
  }
}

/** Stores the prompt, sets a title, and runs the steps of the command. */
async function runPrompt(
  turn: DemoTurn,
  now: () => number,
  inserted: (messageId: string) => void,
): Promise<PromptResponse> {
  const { session } = turn;
  await session.save();
  inserted(await insertPrompt(session, turn.prompt));
  await session.tellState({ state: 'running' });
  let ending: Ending | undefined;
  try {
    await begin(turn, now());
    const before = await session.bytes();
    const answered = { ...(await answer(turn)), ...(await usageSince(session, before)) };
    ending = answered;
    return answered;
  } catch (error) {
    ending = getEnding(error, turn.signal);
    throw error;
  } finally {
    await finish(turn, now(), ending);
  }
}

/** Tells the end whatever happens, once the turn takes nothing more. */
async function finish(turn: DemoTurn, now: number, ending: Ending | undefined): Promise<void> {
  try {
    await end(turn, now);
  } finally {
    turn.session.endTurn();
    await turn.session.tellState({ state: 'idle', ...(ending ?? { stopReason: 'cancelled' }) });
  }
}

async function begin({ session, prompt }: DemoTurn, now: number): Promise<void> {
  await session.patch({
    updatedAt: now,
    ...(session.meta.title === '' && { title: getTitle(prompt) }),
  });
  await session.send({
    sessionUpdate: 'session_info_update',
    title: session.meta.title,
    updatedAt: new Date(now).toISOString(),
  });
}

/** Stores the prompt as what a load sends, and tells that it was inserted. Returns the message's id. */
async function insertPrompt(
  session: OpenSession,
  prompt: readonly ContentBlock[],
): Promise<string> {
  const messageId = randomUUID();
  await session.record(
    ...prompt.map(
      (content) => ({ sessionUpdate: 'user_message_chunk', messageId, content }) as const,
    ),
  );
  await session.send({ sessionUpdate: 'user_message', messageId, content: prompt });
  return messageId;
}

/** Makes a prompt a part of the running turn. Returns the message's id. */
export async function injectPrompt(
  session: OpenSession,
  prompt: readonly ContentBlock[],
): Promise<string> {
  const messageId = await insertPrompt(session, prompt);
  session.injected.push(prompt);
  return messageId;
}

/** Answers `_session/steering` (T-39): the prompt becomes a part of the running turn. */
export async function steer(
  session: OpenSession,
  prompt: readonly ContentBlock[],
): Promise<{ readonly outcome: string; readonly reason?: string }> {
  if (!session.isRunning) {
    return { outcome: 'promptRequired', reason: 'noRunningTurn' };
  }
  await injectPrompt(session, prompt);
  return { outcome: 'injected' };
}

/** Runs the command; a canceled turn is never an error, whatever was thrown (CA-5). */
async function answer(turn: DemoTurn): Promise<PromptResponse> {
  try {
    await turn.run(stepsFor(turn));
    await turn.answerInjected();
    return { stopReason: 'end_turn' };
  } catch (error) {
    if (turn.signal.aborted) {
      return { stopReason: 'cancelled' };
    }
    throw asRequestError(error);
  }
}

function stepsFor(turn: DemoTurn): Steps {
  const { name, argument } = slashCommand(turn.prompt);
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) {
    return greeting(turn, name);
  }
  return isOffered(command, turn.client.capabilities)
    ? command.steps(argument, turn)
    : [{ say: `/${command.name} needs a capability that your editor doesn’t advertise.` }];
}

/** CM-2: a command is ordinary text that starts with a slash and the command's name. */
function slashCommand(prompt: readonly ContentBlock[]): { name?: string; argument: string } {
  const first = prompt.find((block) => block.type === 'text');
  const match = /^\s*\/(\S+)\s*([^]*)$/.exec(first?.text ?? '');
  return match?.[1] === undefined
    ? { argument: '' }
    : { name: match[1], argument: (match[2] ?? '').trim() };
}

/** The turn's tokens: a model would read what there was before, and write what has come since. */
async function usageSince(
  session: OpenSession,
  before: number,
): Promise<Pick<PromptResponse, 'usage'>> {
  if (!session.meta.settings.reportUsage) {
    return {};
  }
  const inputTokens = Math.ceil(before / bytesPerToken);
  const outputTokens = Math.ceil(Math.max(0, (await session.bytes()) - before) / bytesPerToken);
  return { usage: { totalTokens: inputTokens + outputTokens, inputTokens, outputTokens } };
}

async function end({ session }: DemoTurn, now: number): Promise<void> {
  await session.patch({ updatedAt: now });
  if (session.meta.settings.reportUsage) {
    const used = Math.min(contextSize, Math.ceil((await session.bytes()) / bytesPerToken));
    await session.send({ sessionUpdate: 'usage_update', used, size: contextSize });
  }
  await session.send({
    sessionUpdate: 'session_info_update',
    updatedAt: new Date(now).toISOString(),
  });
}
