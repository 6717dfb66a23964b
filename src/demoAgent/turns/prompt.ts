import { randomUUID } from 'node:crypto';
import type { ContentBlock, PromptResponse, StopReason } from '@agentclientprotocol/sdk/unstable';
import { commands, isOffered } from '../script/commands';
import { greet } from '../script/greet';
import type { OpenSession } from '../sessions/openSession';
import { titleOf } from '../sessions/title';
import { asRequestError, endingOf } from '../vocabulary/errors';
import type { Ending } from '../vocabulary/updates';
import type { SteeringOutcome } from './steering';
import type { DemoTurn } from './turn';

/** The context size that the demo agent pretends to have, in tokens. */
const contextSize = 200_000;

/** Roughly the size of a token in English; accurate enough for a number that only has to grow. */
const bytesPerToken = 4;

/**
 * Runs one turn from its prompt to its stop reason: stores the prompt, sets a title, runs the script. `inserted` gets
 * the prompt's id.
 */
export async function runPrompt(
  turn: DemoTurn,
  now: () => number,
  inserted: (messageId: string) => void,
): Promise<PromptResponse> {
  const { session } = turn;
  await session.save();
  inserted(await insertPrompt(session, turn.prompt));
  await session.activity.begin();
  let ending: Ending | undefined;
  try {
    await begin(turn, now());
    const stopReason = await answer(turn);
    ending = { stopReason };
    return { stopReason };
  } catch (error) {
    ending = endingOf(error, turn.signal);
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
    await turn.session.activity.end(ending ?? { stopReason: 'cancelled' });
  }
}

async function begin({ session, prompt }: DemoTurn, now: number): Promise<void> {
  await session.patch({
    updatedAt: now,
    ...(session.meta.title === '' && { title: titleOf(prompt) }),
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
  session.steering.add(prompt);
  return messageId;
}

/**
 * Answers `_session/steering`: the prompt becomes a part of the running turn, unless the session
 * shall answer otherwise.
 */
export async function steer(
  session: OpenSession,
  prompt: readonly ContentBlock[],
  newTurn: () => DemoTurn,
): Promise<{ readonly outcome: SteeringOutcome; readonly reason?: string }> {
  const { steering } = session;
  if (!session.isRunning) {
    return { outcome: 'promptRequired', reason: 'noRunningTurn' };
  }
  const { outcome } = steering;
  if (outcome === 'injected') {
    await injectPrompt(session, prompt);
  } else {
    steering.isAnswered = true;
  }
  if (outcome === 'startedNewTurn') {
    await insertPrompt(session, prompt);
    newTurn().later(async (work) => {
      await work.wait(3000);
      await work.say('This is the turn that your prompt has begun.');
    });
  }
  return { outcome };
}

/** Runs the script; a canceled turn is never an error, whatever the script throws (CA-5). */
async function answer(turn: DemoTurn): Promise<StopReason> {
  try {
    turn.session.steering.isAnswered = false;
    const reason = (await runScript(turn)) ?? 'end_turn';
    await turn.answerSteering();
    return reason;
  } catch (error) {
    if (turn.signal.aborted) {
      return 'cancelled';
    }
    throw asRequestError(error);
  }
}

async function runScript(turn: DemoTurn): Promise<StopReason | undefined> {
  const { name, argument } = slashCommand(turn.prompt);
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) {
    return greet(turn, name);
  }
  if (!isOffered(command, turn.capabilities)) {
    await turn.say(`/${command.name} needs a capability that your editor doesn’t advertise.`);
    return undefined;
  }
  return command.run(turn, argument);
}

/** CM-2: a command is ordinary text that starts with a slash and the command's name. */
function slashCommand(prompt: readonly ContentBlock[]): { name?: string; argument: string } {
  const first = prompt.find((block) => block.type === 'text');
  const match = /^\s*\/(\S+)\s*([^]*)$/.exec(first?.text ?? '');
  return match?.[1] === undefined
    ? { argument: '' }
    : { name: match[1], argument: (match[2] ?? '').trim() };
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
