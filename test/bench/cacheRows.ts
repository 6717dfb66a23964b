import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { TranscriptCache } from '../../src/features/cachedTranscripts/model/transcriptCache';
import { Emitter } from '../../src/util/emitter';
import type { FakeAgentCommand } from '../fakeAgent/scenario';
import { closeAllEditors, treeRow } from '../ui/harness/window';
import { lastEntryOf, replayingAfter, replayingAgent, sessionOf, titleOf } from './agent';
import { drainBare } from './floor';
import { inWindow } from './inWindow';
import { modelOf, silentLog } from './modelRows';
import { median } from './statistics';
import type { TableRow } from './table';
import { emptyPanelText, openEmptyPanel, openSession } from './windowRows';

const updates = 100_000;
const sessionId = sessionOf(updates);
const rounds = 5;
/** Milliseconds that a cached session may take beyond an empty panel. */
const allowance = 250;
/** What a transcript may take on the disk, of what came over the wire. */
const maxStored = 0.15;
/** What a task of the extension host may take, in milliseconds. */
const longestTask = 50;

/** Cached transcripts: how soon they show, and what it takes to store them. */
export async function cacheRows(): Promise<readonly TableRow[]> {
  return [...(await storingRows()), await openingRow()];
}

/** Measures storing in plain Node, where nothing else delays tasks. */
async function storingRows(): Promise<readonly TableRow[]> {
  const cwd = process.cwd();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-bench-'));
  const { bytes } = await drainBare(replayingAgent(cwd), { sessionId, cwd });
  await writeFile(answersIn(folder), '');
  const { agents, sessions } = modelOf(agentIn(folder));
  const stored = path.join(folder, 'transcripts');
  const cache = new TranscriptCache({
    ...{ folder: stored, place: 'bench', agents, sessions },
    workspace: { trusted: true },
    settings: {
      transcriptCacheLimit: 1e9,
      onDidChangeTranscriptCache: new Emitter<void>().event,
    },
    log: silentLog,
  });
  try {
    const [agent] = agents.all;
    if (agent === undefined) {
      throw new Error('No agent');
    }
    const info = { sessionId, cwd, additionalDirectories: [] };
    const session = sessions.open(agent, info);
    await session.load();
    const delays = monitorEventLoopDelay({ resolution: 1 });
    delays.enable();
    const started = performance.now();
    await cache.end();
    const milliseconds = performance.now() - started;
    delays.disable();
    const size = await bytesIn(stored);
    await session.close();
    await rm(answersIn(folder));
    const again = sessions.open(agent, info);
    void again.load();
    const clicked = performance.now();
    await cache.recall(again);
    const first = performance.now() - clicked;
    await new Promise<void>((resolve) => {
      again.shown.onDidChange(() => resolve());
    });
    const whole = performance.now() - clicked;
    const longest = delays.max / 1e6;
    return [
      {
        what: 'a transcript of 100,000 updates on the disk',
        limit: '≤ 0.15 × the bytes on the wire',
        measured: `${(size / bytes).toFixed(3)} × (${(size / 1e6).toFixed(1)} MB, wire ${(bytes / 1e6).toFixed(1)} MB)`,
        met: size <= maxStored * bytes,
      },
      {
        what: '… stored: longest task',
        limit: '≤ 50 ms',
        measured: `${Math.round(longest)} ms (${Math.round(milliseconds)} ms in all)`,
        met: longest <= longestTask,
      },
      {
        what: '… its newest entries read again, in plain Node',
        limit: '',
        measured: `${Math.round(first)} ms (all of it ${Math.round(whole)} ms)`,
        met: true,
      },
    ];
  } finally {
    cache.dispose();
    await agents.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function bytesIn(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = files
    .filter((file) => file.isFile())
    .map(async ({ parentPath, name }) => (await stat(path.join(parentPath, name))).size);
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
}

const answersIn = (folder: string): string => path.join(folder, 'answers');

/** Answers loads only as long as there is a file, so that what is shown later can only be cached. */
function agentIn(folder: string): FakeAgentCommand {
  return replayingAfter(folder, [{ waitForFile: answersIn(folder) }]);
}

function openingRow(): Promise<TableRow> {
  return inWindow(
    agentIn,
    async (window) => {
      const { page, folder } = window;
      await writeFile(answersIn(folder), '');
      await treeRow(page, titleOf(updates)).waitFor();
      await openSession(window, updates);
      // What was loaded is stored some seconds later.
      await page.waitForTimeout(20_000);
      await closeAllEditors(page);
      await rm(answersIn(folder));
      const panels: number[] = [];
      const opened: number[] = [];
      for (let round = 0; round < rounds; round++) {
        panels.push(await openEmptyPanel(window));
        opened.push(await openSession(window, updates));
        await closeAllEditors(page);
      }
      const [panel, open] = [median(panels), median(opened)];
      return {
        what: 'click to newest entry painted, 100,000 updates cached, the agent silent',
        limit: '≤ empty panel + 250 ms',
        measured: `${Math.round(open)} ms (panel ${Math.round(panel)})`,
        met: open <= panel + allowance,
      };
    },
    [emptyPanelText, lastEntryOf(updates)],
    { 'acpSessions.transcripts.cacheSizeLimit': 300 },
  );
}
