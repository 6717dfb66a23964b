import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { toSearchEntry } from '../../src/features/search/model/searchEntries';
import { SessionIndexer } from '../../src/features/search/model/sessionIndexer';
import { WorkerSearchIndex } from '../../src/features/search/workerSearchIndex';
import { type FakeAgentCommand, fakeAgent } from '../fakeAgent/scenario';
import { modelOf, silentLog } from './modelRows';
import { percentile } from './statistics';
import type { TableRow } from './table';

const sessionCount = 1_000;
const updatesInSession = 500;
const queries = 300;
/** Prefixes and whole words; common, rare and absent ones. */
const vocabulary = [
  'pars',
  'needle',
  'the',
  'edit file',
  'question 1',
  'naive c',
  'zebra',
  'src/pro',
];

const cwd = process.cwd();
const idOf = (index: number): string => `session-${index}`;

/** The cost of indexing a thousand sessions while they load, and of a search. */
export async function indexRows(): Promise<readonly TableRow[]> {
  const agent = fakeAgent({
    replays: { '*': [{ generate: updatesInSession }, { result: {} }] },
    sessions: [],
  });
  const folder = await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-bench-'));
  try {
    const floor = await drainAll(agent);
    const { milliseconds, textBytes, times, loaded } = await indexAll(agent, folder);
    const disk = await bytesIn(folder);
    const p95 = percentile(times, 95);
    return [
      {
        what: `${sessionCount} sessions of ${updatesInSession} updates, loaded and indexed`,
        limit: '≤ 3 × floor',
        measured: `${(milliseconds / floor).toFixed(2)} × floor (${Math.round(milliseconds)} ms, loaded after ${Math.round(loaded)} ms, floor ${Math.round(floor)} ms)`,
        met: milliseconds <= 3 * floor,
      },
      {
        what: '… a search in them, 95 of 100',
        limit: '< 30 ms',
        measured: `${p95.toFixed(1)} ms (worst ${Math.max(...times).toFixed(1)} ms)`,
        met: p95 < 30,
      },
      {
        what: '… on disk',
        limit: '≤ 0.5 × the text',
        measured: `${(disk / textBytes).toFixed(2)} × (${(disk / 1e6).toFixed(1)} MB, text ${(textBytes / 1e6).toFixed(1)} MB)`,
        met: disk <= 0.5 * textBytes,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function indexAll(agentCommand: FakeAgentCommand, folder: string) {
  const { agents, sessions, settings } = modelOf(agentCommand);
  const program = path.resolve('dist', 'searchWorker.js');
  const index = new WorkerSearchIndex({ program, folder, limit: () => 10e9, log: silentLog });
  const indexer = new SessionIndexer({ sessions, index, settings, log: silentLog });
  try {
    const agent = agents.all[0];
    if (!agent) {
      throw new Error('No agent');
    }
    await agent.connect();
    let textBytes = 0;
    const started = performance.now();
    for (let number = 0; number < sessionCount; number++) {
      const updatedAt = new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString();
      const sessionId = idOf(number);
      const info = { sessionId, cwd, additionalDirectories: [], title: sessionId, updatedAt };
      const session = sessions.open(agent, info);
      await session.load();
      if (number === 0) {
        const texts = session.transcript.entries.map((entry) => toSearchEntry(entry, cwd).text);
        textBytes = sessionCount * Buffer.byteLength(texts.join(''));
      }
      await session.close();
    }
    const loaded = performance.now() - started;
    await indexer.idle;
    const milliseconds = performance.now() - started;
    const times: number[] = [];
    for (let query = 0; query < queries; query++) {
      const asked = performance.now();
      await index.search(vocabulary[query % vocabulary.length] ?? '');
      times.push(performance.now() - asked);
    }
    return { milliseconds, textBytes, times, loaded };
  } finally {
    indexer.dispose();
    index.dispose();
    await agents.close();
  }
}

/**
 * The floor: splits lines, parses JSON, and requests the next session as soon as one has loaded.
 */
async function drainAll(agent: FakeAgentCommand): Promise<number> {
  const child = spawn(agent.command, agent.args, {
    env: { ...process.env, ...agent.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const send = (id: number, method: string, params: unknown): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  };
  try {
    return await new Promise<number>((resolve, reject) => {
      let rest = '';
      let started = 0;
      child.on('error', reject);
      child.stdout.on('data', (chunk: Buffer) => {
        const lines = (rest + chunk.toString('utf8')).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const { id } = JSON.parse(line) as { id?: number };
          if (id === 0) {
            started = performance.now();
          }
          if (id === sessionCount) {
            resolve(performance.now() - started);
          } else if (id !== undefined) {
            send(id + 1, 'session/load', { sessionId: idOf(id), cwd, mcpServers: [] });
          }
        }
      });
      send(0, 'initialize', { protocolVersion: 1, clientCapabilities: {} });
    });
  } finally {
    child.kill('SIGKILL');
  }
}

async function bytesIn(folder: string): Promise<number> {
  const sizes = (await readdir(folder)).map(
    async (name) => (await stat(path.join(folder, name))).size,
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
