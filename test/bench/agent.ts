import { type FakeAgentCommand, fakeAgent, type Step, update } from '../fakeAgent/scenario';

/** The sessions that are loaded, by their number of updates. */
export const sizes = [1_000, 10_000, 100_000] as const;

export const sessionOf = (size: number): string => `bench-${size}`;
export const titleOf = (size: number): string => `Session of ${size} updates`;
/** The text of the last entry that the agent replays. */
export const lastEntryOf = (size: number): string => `The end of ${size} updates.`;

/** An agent with one session of each size, which it replays as fast as the pipe takes it. */
export function replayingAgent(cwd: string): FakeAgentCommand {
  const replays: Record<string, readonly Step[]> = {};
  for (const size of sizes) {
    const lastEntry = update.user(lastEntryOf(size), 'last');
    replays[sessionOf(size)] = [{ generate: size - 1 }, { update: lastEntry }, { result: {} }];
  }
  const sessions = sizes.map((size, index) => ({
    sessionId: sessionOf(size),
    cwd,
    title: titleOf(size),
    updatedAt: `2026-01-0${index + 1}T12:00:00Z`,
  }));
  return fakeAgent({ sessions, replays });
}

/** An agent with so many sessions that the list has hundreds of pages. */
export function listingAgent(cwd: string, count: number): FakeAgentCommand {
  return fakeAgent({ sessions: { count, cwd }, pageSize: 50 });
}
