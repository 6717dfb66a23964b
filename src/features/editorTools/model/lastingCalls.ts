import { setTimeout as pause } from 'node:timers/promises';
import type { ServedSession } from '../../../model/session/ownServers';
import { type EditorTool, ToolRefusal } from './tool';

/** Agents give a call up after a minute. */
const answerMs = 50_000;
/** How long a result waits for the agent to ask again, in ms. */
const keptMs = 600_000;
/** Calls of one session that run, or whose result waits. */
const maxCalls = 20;

interface Running {
  readonly result: Promise<string>;
  readonly abort: AbortController;
  /** How many calls wait for it. */
  waiting: number;
  /** When it was over, by `performance.now()`. */
  over?: number;
}

/** Lets a tool take longer than agents wait, as one that asks the user: an equal call goes on waiting for the same. */
export function lasting(tool: EditorTool, waitMs = answerMs): EditorTool {
  const sessions = new WeakMap<ServedSession, Map<string, Running>>();
  return {
    ...tool,
    run: async (args, session, signal) => {
      const calls = sessions.get(session) ?? new Map<string, Running>();
      sessions.set(session, calls);
      forgetOld(calls);
      const key = JSON.stringify(args);
      const running = calls.get(key) ?? begin(tool, args, session, calls);
      calls.set(key, running);
      running.waiting++;
      const stop = new AbortController();
      try {
        const late = pause(waitMs, undefined, { signal: AbortSignal.any([signal, stop.signal]) });
        const said = await Promise.race([running.result.catch(() => ''), late]);
        if (said === undefined) {
          return 'Still waiting for the user, or for the end. Call again with the same arguments to go on waiting.';
        }
        calls.delete(key);
        return await running.result;
      } finally {
        stop.abort();
        running.waiting--;
        if (signal.aborted && running.waiting === 0) {
          running.abort.abort();
          calls.delete(key);
        }
      }
    },
  };
}

function begin(
  tool: EditorTool,
  args: Parameters<EditorTool['run']>[0],
  session: ServedSession,
  calls: ReadonlyMap<string, Running>,
): Running {
  if (calls.size >= maxCalls) {
    throw new ToolRefusal(
      `${maxCalls} calls of ${tool.name} wait already. Wait for their answers.`,
    );
  }
  const abort = new AbortController();
  const result = tool.run(args, session, abort.signal);
  const running: Running = { result, abort, waiting: 0 };
  const end = (): void => {
    running.over = performance.now();
  };
  result.then(end, end);
  return running;
}

function forgetOld(calls: Map<string, Running>): void {
  for (const [key, { over }] of calls) {
    if (over !== undefined && performance.now() - over > keptMs) {
      calls.delete(key);
    }
  }
}
