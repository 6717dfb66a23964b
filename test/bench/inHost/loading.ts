import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { name, publisher } from '../../../package.json';
import type { TestApi } from '../../../src/extension';
import { usedMemory } from '../usedMemory';

/** The figures measured inside the extension host, in bytes and milliseconds. */
export interface HostFigures {
  readonly activation: number;
  readonly before: number;
  readonly loaded: number;
  readonly closed: number;
}

/**
 * The entry point in the extension host: activates the extension, loads one session of the first
 * agent and closes it again. The environment has the session's id and the file for the figures.
 */
export async function run(): Promise<void> {
  const extension = vscode.extensions.getExtension<TestApi>(`${publisher}.${name}`);
  const sessionId = process.env['ACP_SESSIONS_BENCH_SESSION'];
  const resultsFile = process.env['ACP_SESSIONS_BENCH_RESULTS'];
  if (!extension || !sessionId || !resultsFile) {
    throw new Error('Not started by the benchmark');
  }
  const { agents, sessions, search, promptLoader, transcriptCache, activation } =
    await extension.activate();
  if (promptLoader.isLoaded) {
    throw new Error('What belongs to prompts was loaded without any');
  }
  const agent = agents.all[0];
  const cwd = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (!agent || cwd === undefined) {
    throw new Error('No agent or no folder');
  }
  await agent.connect();
  const before = await usedMemory();
  const session = sessions.open(agent, { sessionId, cwd, additionalDirectories: [] });
  await session.load();
  if (session.phase.kind !== 'ready') {
    throw new Error(`The load ended as ${JSON.stringify(session.phase)}`);
  }
  const loaded = await usedMemory();
  await session.close();
  // The search index and the cache of transcripts read the transcript in the background.
  await search.indexer.idle;
  await transcriptCache.end();
  const closed = await usedMemory();
  const figures: HostFigures = { activation, before, loaded, closed };
  writeFileSync(resultsFile, JSON.stringify(figures));
}
