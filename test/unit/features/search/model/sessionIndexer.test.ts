import assert from 'node:assert/strict';
import { indexFolder } from '../../../../../src/features/search/model/indexFolder';
import {
  type SearchIndex,
  SearchIndexError,
  type SearchIndexProblem,
  type SessionPart,
} from '../../../../../src/features/search/model/searchIndex';
import type { SearchIndexMode } from '../../../../../src/features/search/model/searchSettings';
import { SessionIndexer } from '../../../../../src/features/search/model/sessionIndexer';
import { AcpError } from '../../../../../src/protocol/errors';
import { Emitter } from '../../../../../src/util/emitter';
import { until } from '../../../../support/until';
import { allCapabilities, folder, session as info, paged, silentLog } from '../../../model/fakes';
import {
  prompted,
  replays,
  type SessionBench,
  sessionBench,
  texts,
} from '../../../model/sessionBench';
import { agent } from '../../../model/updates';

/** An index that records what is put into it. */
class NotingIndex implements SearchIndex {
  readonly calls: string[] = [];
  readonly parts: SessionPart[] = [];
  readonly #versions = new Map<string, string>();
  failing: SearchIndexProblem | undefined;
  /** Number of calls of `put`. */
  puts = 0;

  put(...parts: readonly SessionPart[]): Promise<void> {
    if (this.failing !== undefined) {
      return Promise.reject(new SearchIndexError(this.failing, 'as the test says'));
    }
    this.puts++;
    for (const part of parts) {
      const said = part.entries.map(({ text }) => text).join('|');
      this.calls.push(`put ${part.session.sessionId} ${part.from} ${said}`);
      this.parts.push(part);
      this.#versions.set(part.session.sessionId, part.version);
    }
    return Promise.resolve();
  }

  version(_agentId: string, sessionId: string): Promise<string | undefined> {
    return Promise.resolve(this.#versions.get(sessionId));
  }

  search = (): Promise<readonly []> => Promise.resolve([]);
  touching = (): Promise<readonly []> => Promise.resolve([]);

  forget(_agentId: string, sessionId: string): Promise<void> {
    this.calls.push(`forget ${sessionId}`);
    this.#versions.delete(sessionId);
    return Promise.resolve();
  }

  clear(): Promise<void> {
    this.calls.push('clear');
    this.#versions.clear();
    return Promise.resolve();
  }
}

describe('SessionIndexer', () => {
  const changed = new Emitter<void>();
  let mode: SearchIndexMode;
  let index: NotingIndex;
  let made: SessionBench;
  let indexer: SessionIndexer;
  beforeEach(() => {
    mode = 'text';
    index = new NotingIndex();
    made = sessionBench((connection) => {
      replays(connection, 'one', 'two');
      connection.list = paged([info('s0'), info('s1'), info('s2')]);
    });
    const settings = {
      get searchIndex() {
        return mode;
      },
      onDidChangeSearchIndex: changed.event,
    };
    indexer = new SessionIndexer({ sessions: made.sessions, index, settings, log: silentLog });
  });
  afterEach(() => {
    indexer.dispose();
    made.agents.dispose();
  });

  it('indexes a session when its replay is over, and again from where a turn changed it', async () => {
    await made.session.load();
    await indexer.idle;
    assert.deepEqual(index.calls, ['put s0 0 one|two']);
    assert.ok((index.parts[0]?.seen ?? 0) > 0);
    const { connection, prompt } = await prompted(made, 'three');
    connection.send('s0', agent('four', 'x'));
    await indexer.idle;
    assert.equal(index.calls.length, 1, 'nothing while the turn runs');
    prompt.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'idle');
    await indexer.idle;
    assert.equal(index.calls.at(-1), 'put s0 0 one|two|three|four');
  });

  it('SEC-188: leaves out the sessions of an agent of this window only', async () => {
    Object.assign(made.agent.config, { ofWindow: true });
    await made.session.load();
    await indexer.idle;
    assert.deepEqual(index.calls, []);
  });

  it('SUB-1: indexes what subagents of subagents say after their turn, however late', async () => {
    await made.session.load();
    const { connection, prompt } = await prompted(made, 'three');
    const announced = { sessionUpdate: 'subagent_update', title: '' } as const;
    const ended = { kind: 'idle' } as const;
    connection.send('s0', { ...announced, sessionId: 'a', state: ended });
    connection.send('a', { ...announced, sessionId: 'b', state: ended });
    connection.send('b', agent('early'));
    prompt.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'idle');
    await indexer.idle;
    assert.match(index.calls.at(-1) ?? '', /early$/);
    connection.send('b', agent(' and late'));
    connection.send('s0', { ...announced, sessionId: 'a' });
    await indexer.idle;
    assert.match(index.calls.at(-1) ?? '', /early and late$/);
  });

  it('leaves what has not changed as it is', async () => {
    await made.session.load();
    await indexer.idle;
    await made.session.reload();
    await indexer.idle;
    assert.deepEqual(index.calls, ['put s0 0 one|two', 'put s0 16 ']);
    assert.equal(index.parts[0]?.version, index.parts[1]?.version);
  });

  it('indexes the entries that exist when the session is closed at once', async () => {
    await made.session.load();
    await made.session.close();
    await indexer.idle;
    assert.deepEqual(index.calls, ['put s0 0 one|two']);
  });

  it('puts sessions together that become idle soon after each other', async () => {
    await made.session.load();
    await made.sessions.open(made.agent, info('s1')).load();
    await made.session.reload();
    await indexer.idle;
    assert.deepEqual(index.calls, ['put s0 0 one|two', 'put s1 0 one|two']);
    assert.equal(index.puts, 1);
  });

  it('puts long sessions in parts of whole chunks, the last with the version', async () => {
    await made.session.load();
    await indexer.idle;
    const long = Array.from({ length: 3_000 }, (_, at) => `message ${at}`);
    replays(made.connections[0]!, ...long);
    await made.session.reload();
    await indexer.idle;
    const parts = index.parts.slice(1);
    assert.deepEqual(
      parts.map(({ from, entries, version }) => [from, entries.length, version !== '']),
      [
        [0, 1024, false],
        [1024, 1024, false],
        [2048, 952, true],
      ],
    );
  });

  it('keeps only titles, or nothing, according to the setting, and deletes what it had', async () => {
    mode = 'titles';
    await made.session.load();
    await indexer.idle;
    assert.deepEqual(index.calls, ['put s0 0 ']);
    mode = 'off';
    changed.fire();
    await indexer.idle;
    assert.equal(index.calls.at(-1), 'clear');
    const before = index.parts.length;
    await made.session.reload();
    await indexer.idle;
    assert.equal(index.parts.length, before);
    mode = 'text';
    changed.fire();
    await indexer.idle;
    assert.equal(index.calls.at(-1), 'put s0 0 one|two');
  });

  it('forgets sessions that are deleted or gone', async () => {
    await made.session.load();
    await made.sessions.delete(made.agent, info('s0'));
    await indexer.idle;
    assert.equal(index.calls.at(-1), 'forget s0');
    made.connections[0]!.replay = () => {
      throw new AcpError('gone', 'no such session');
    };
    await made.sessions.open(made.agent, info('s1')).load();
    await indexer.idle;
    assert.equal(index.calls.at(-1), 'forget s1');
  });

  it('says once that nothing can be written, and tries no more until it is cleared', async () => {
    const failures: SearchIndexProblem[] = [];
    indexer.onDidFail((problem) => failures.push(problem));
    index.failing = 'readOnly';
    await made.session.load();
    await made.session.reload();
    await indexer.idle;
    assert.deepEqual(failures, ['readOnly']);
    index.failing = undefined;
    await indexer.clear();
    await made.session.reload();
    await indexer.idle;
    assert.equal(index.calls.at(-1), 'put s0 0 one|two');
  });

  it('indexes all of a session once more that could not be indexed when it changed', async () => {
    await made.session.load();
    const long = Array.from({ length: 40 }, (_, at) => `message ${at}`);
    replays(made.connections[0]!, ...long);
    await made.session.reload();
    await indexer.idle;
    index.failing = 'busy';
    replays(made.connections[0]!, ...long.map((text) => `other ${text}`), 'more');
    await made.session.reload();
    await indexer.idle;
    index.failing = undefined;
    const { prompt } = await prompted(made, 'three');
    prompt.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'idle');
    await indexer.idle;
    assert.match(index.calls.at(-1) ?? '', /^put s0 0 other message 0/);
  });

  it('goes on after a session that can not be indexed, and stops after three in a row', async () => {
    const failures: SearchIndexProblem[] = [];
    indexer.onDidFail((problem) => failures.push(problem));
    for (const failing of ['failed', 'failed', undefined, 'failed', 'failed'] as const) {
      index.failing = failing;
      await (made.session.phase.kind === 'ready' ? made.session.reload() : made.session.load());
      await indexer.idle;
    }
    assert.deepEqual(failures, []);
    await made.session.reload();
    await indexer.idle;
    assert.deepEqual(failures, ['failed']);
  });

  it('indexes a bounded part of a session, and none whose folders are beyond measure', async () => {
    const texts_ = Array.from({ length: 640 }, (_, at) => `${at} ${'x'.repeat(99_990)}`);
    await made.session.load();
    await indexer.idle;
    replays(made.connections[0]!, ...texts_);
    await made.session.reload();
    await indexer.idle;
    const characters = index.parts
      .slice(1)
      .flatMap(({ entries }) => entries.map(({ text }) => text.length))
      .reduce((sum, length) => sum + length, 0);
    assert.ok(characters >= 32_000_000 && characters < 36_000_000, `${characters}`);
    assert.notEqual(index.parts.at(-1)?.version, '');
    const before = index.parts.length;
    const additionalDirectories = Array.from(
      { length: 2_000 },
      (_, at) => `/${'d'.repeat(100)}${at}`,
    );
    await made.sessions.open(made.agent, { ...info('s1'), additionalDirectories }).load();
    await indexer.idle;
    assert.equal(index.parts.length, before);
  });

  it('indexes the sessions of a folder that it does not have, and closes each', async () => {
    await made.session.load();
    const { agents, sessions } = made;
    const shown = new Set<string>();
    const options = {
      agents,
      sessions,
      indexer,
      log: silentLog,
      isShown: (_agentId: string, sessionId: string) => shown.has(sessionId),
      pause: 0,
    };
    const { signal } = new AbortController();
    const seen: string[] = [];
    const result = await indexFolder(options, [folder], signal, ({ done, total }) =>
      seen.push(`${done}/${total}`),
    );
    assert.deepEqual(result, { indexed: 2, failed: 0, skipped: [] });
    assert.deepEqual(seen, ['0/3', '1/3', '2/3']);
    assert.deepEqual(sessions.all, [made.session], 'what was open is open, and nothing else');
    assert.deepEqual(texts(made.session), ['one', 'two']);
    assert.deepEqual(
      index.parts.map(({ session, seen: at }) => [session.sessionId, at > 0]),
      [
        ['s0', true],
        ['s1', false],
        ['s2', false],
      ],
    );
    assert.equal(made.connections[0]?.loads.length, 3);
    const again = await indexFolder(options, [folder], signal, () => undefined);
    assert.equal(again.indexed, info('s1').updatedAt === undefined ? 2 : 0);
  });

  it('leaves agents out that can not close what they load, and ends when it is canceled', async () => {
    await made.session.load();
    const abort = new AbortController();
    const { agents, sessions } = made;
    const isShown = (): boolean => false;
    const options = { agents, sessions, indexer, log: silentLog, isShown, pause: 0 };
    const cancelled = await indexFolder(options, [folder], abort.signal, () => abort.abort());
    assert.equal(cancelled.indexed, 0);
    made.connections[0]!.capabilities = { ...allCapabilities, close: false };
    const { signal } = new AbortController();
    const result = await indexFolder(options, [folder], signal, () => undefined);
    assert.deepEqual(result, { indexed: 0, failed: 0, skipped: [made.agent.title] });
  });
});
