import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { FolderOfBlobs } from '../../src/features/review/model/checkpoints/folderOfBlobs';
import { GitCheckpoints } from '../../src/features/review/model/checkpoints/gitCheckpoints';
import { RecordedReview } from '../../src/features/review/model/recordedReview';
import { Recorder } from '../../src/features/review/model/recording/recorder';
import { StoredReviews } from '../../src/features/review/model/storedReviews';
import { Agents } from '../../src/model/agents/agents';
import { PromptTitles } from '../../src/model/list/promptTitles';
import { RememberedLists } from '../../src/model/list/rememberedLists';
import { RememberedSessions } from '../../src/model/list/rememberedSessions';
import { SessionPlaces } from '../../src/model/places/sessionPlaces';
import { FileRequests } from '../../src/model/requests/fileRequests';
import type { Session } from '../../src/model/session/session';
import { Sessions } from '../../src/model/session/sessions';
import { connectAgent } from '../../src/protocol/connectAgent';
import { spawnAgent } from '../../src/protocol/transport/stdio';
import { DiskFiles } from '../support/diskFiles';
import { inProject } from '../support/project';
import { until } from '../support/until';
import { FakeSettings, FakeWorkspace, memento } from '../unit/model/fakePlatform';
import { config, silentLog } from '../unit/model/fakes';
import type { Check } from './check';
import type { Random } from './random';
import { Tab } from './tab';

const sessionCount = 12;
/** A window is reloaded after so many turns of each session. */
const turnsOfWindow = 4;
/** Warming up: code is compiled, and caches fill. */
const firstMinutes = 3;
const maxGrowth = 1.1;

/** A day at work, for hours: whether what a window holds stays the same. */
export const longRuns: readonly Check[] = [
  {
    name: 'twelve sessions with turns, reviews and reloads',
    wholeOnly: true,
    lasts: true,
    run: async ({ minutes, random }) => {
      const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'acp-soak-')));
      const samples: Sample[] = [];
      const began = performance.now();
      const counts: Counts = { turns: 0, kept: 0, undone: 0, reloads: 0 };
      try {
        const project = path.join(folder, 'project');
        mkdirSync(project);
        execFileSync('git', ['init', '--quiet'], { cwd: project });
        while (samples.length < 4 || performance.now() - began < minutes * 60_000) {
          const open = await oneWindow(project, path.join(folder, 'storage'), random, counts);
          samples.push({ at: performance.now() - began, open, closed: held() });
          counts.reloads += 1;
        }
        return `${resultOf(samples)}; ${counts.turns} turns, ${counts.kept} kept, ${counts.undone} undone, ${counts.reloads} reloads`;
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  },
];

interface Counts {
  turns: number;
  kept: number;
  undone: number;
  reloads: number;
}

/** The life of a window, with what the process holds before its end; nothing holds the window any more afterwards. */
async function oneWindow(
  project: string,
  storage: string,
  random: Random,
  counts: Counts,
): Promise<number> {
  const window = await Window.open(project, storage);
  for (let turn = 0; turn < turnsOfWindow; turn++) {
    await window.turn();
    counts.turns += sessionCount;
    for (const review of window.reviews.all) {
      const isKept = random.chance(0.5);
      const { leftAlone } = await (isKept
        ? review.keep({ type: 'all' })
        : review.undo({ type: 'all' }));
      assert.deepEqual(leftAlone, []);
      counts[isKept ? 'kept' : 'undone'] += 1;
    }
  }
  const open = held();
  await window.close();
  return open;
}

interface Sample {
  /** The time in ms. */
  readonly at: number;
  /** Bytes, with a window open: also the records of all turns that its sessions have had. */
  readonly open: number;
  /** Bytes once it is closed. */
  readonly closed: number;
}

/** What the process can't do without. */
function held(): number {
  assert.ok(globalThis.gc, 'started without --expose-gc');
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Compares the end with the minutes after the first ones. Throws if more is left of closed windows. */
function resultOf(samples: readonly Sample[]): string {
  const warm = samples.filter(({ at }) => at > firstMinutes * 60_000);
  const all = warm.length >= 4 ? warm : samples;
  const few = Math.max(1, Math.min(10, Math.floor(all.length / 4)));
  const grown = (of: 'open' | 'closed'): readonly [number, string] => {
    const [first, last] = [all.slice(0, few), all.slice(-few)].map((some) =>
      medianOf(some.map((sample) => sample[of])),
    ) as [number, number];
    const growth = last / first;
    return [growth, `${mebibytes(first)} to ${mebibytes(last)} (${growth.toFixed(3)} ×)`];
  };
  const [growth, closed] = grown('closed');
  const [, open] = grown('open');
  const said = `after windows were closed ${closed}, in open ones ${open}`;
  assert.ok(warm.length < 4 || growth <= maxGrowth, `more and more is held: ${said}`);
  return said;
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** The model of one window, with everything that records and reviews. */
class Window {
  readonly #agents: Agents;
  readonly #sessions: Sessions;
  readonly #checkpoints: GitCheckpoints;
  readonly #recorder: Recorder;
  readonly #open: { readonly session: Session; readonly tab: Tab }[] = [];
  readonly reviews: StoredReviews;

  private constructor(project: string, storage: string) {
    const settings = new FakeSettings();
    const program = inProject('out/soak/workingAgent.main.mjs');
    const agent = { ...config('demo'), command: process.execPath, args: [program], cwd: project };
    settings.agents = { agents: [agent], problems: [] };
    const workspace = new FakeWorkspace();
    workspace.folders = [{ name: 'project', path: project }];
    const realPath = (file: string) => Promise.resolve(file);
    const remembered = new RememberedSessions(memento());
    this.#agents = new Agents({
      ...{ settings, workspace, realPath, log: silentLog, remembered },
      connect: (of, requests, signal) =>
        connectAgent(spawnAgent(of), {
          ...{ clientVersion: '0.0.0', log: silentLog, requests, signal },
        }),
      promptTitles: new PromptTitles(memento()),
      lists: new RememberedLists(memento(), { remembersLists: true }),
    });
    const files = new DiskFiles();
    this.reviews = new StoredReviews({
      ...{ folder: storage, files, log: silentLog },
      blobs: (of) => new FolderOfBlobs(path.join(of, 'blobs')),
      places: () => Promise.resolve([project]),
      findFolder: () => project,
    });
    this.#checkpoints = new GitCheckpoints({
      ...{ storage, realPath, log: silentLog },
      git: () => Promise.resolve('git'),
      hindrance: () => undefined,
    });
    const { reviews } = this;
    const checkpoints = this.#checkpoints;
    this.#recorder = new Recorder({ reviews, checkpoints, files, realPath, log: silentLog });
    const nothing = () => Promise.reject(new Error('There is nothing of the kind'));
    this.#sessions = new Sessions({
      ...{ agents: this.#agents, log: silentLog, remembered, recorders: this.#recorder },
      files: new FileRequests({
        files: {
          read: (file) => readFile(file, 'utf8'),
          write: (file, text) => writeFile(file, text),
        },
        ...{ workspace, realPath },
      }),
      terminals: { shellFor: nothing, create: nothing },
      rules: { decide: () => 'allow', offer: () => Promise.resolve(undefined) },
      mcp: { servers: () => Promise.resolve([]) },
      promptContext: { read: () => Promise.resolve([]) },
      places: new SessionPlaces({
        ...{ storage: memento(), workspace, realPath },
        settings: { additionalDirectories: 'none' },
        folderIsGone: () => Promise.resolve(false),
        worktrees: { below: () => [], at: () => undefined },
      }),
    });
  }

  static async open(project: string, storage: string): Promise<Window> {
    const window = new Window(project, storage);
    await window.reviews.load();
    const agent = window.#agents.get('demo');
    assert.ok(agent);
    await agent.connect();
    for (let at = 0; at < sessionCount; at++) {
      const info = { sessionId: `s${at}`, cwd: project, additionalDirectories: [] };
      const session = window.#sessions.open(agent, info);
      window.#open.push({ session, tab: new Tab(session) });
      await session.load();
      assert.equal(session.phase.kind, 'ready');
    }
    return window;
  }

  /** A turn of each session, all at once. */
  async turn(): Promise<void> {
    for (const { session } of this.#open) {
      session.turns.submit({ text: 'Go on', attachments: [] });
    }
    const isOver = ({ turns }: Session): boolean =>
      turns.current.kind === 'idle' && turns.queue.length === 0;
    while (!this.#open.every(({ session }) => isOver(session))) {
      await delay(20);
    }
    // The last checkpoint of each turn is compared after its end.
    const isRecorded = (): boolean =>
      this.reviews.all.length === sessionCount &&
      !this.reviews.all.some((it) => it instanceof RecordedReview && it.running?.isRunning);
    await until(isRecorded);
  }

  async close(): Promise<void> {
    for (const { session, tab } of this.#open) {
      tab.dispose();
      await session.close();
    }
    this.#recorder.dispose();
    await this.#checkpoints.close();
    this.#checkpoints.dispose();
    this.reviews.dispose();
    this.#sessions.dispose();
    await this.#agents.close();
  }
}
