import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Transcript } from '../../../../../src/model/transcript/transcript';
import type { Entry } from '../../../../../src/shared/transcript/entries';
import type {
  Header,
  Phase,
  SessionState,
  ToWebview,
} from '../../../../../src/shared/transcript/webviewMessages';
import { TranscriptFeed } from '../../../../../src/views/transcript/feed/feed';
import { drawEntry } from '../../../../../src/views/transcript/rows/draw';
import { agent, call, change } from '../../../model/updates';

function message(text: string): Entry {
  return { kind: 'agent', blocks: [{ type: 'text', text }] };
}

const idle: SessionState = {
  writable: { kind: 'yes' },
  turn: { kind: 'idle' },
  queue: [],
  canSteer: false,
  commands: [],
  configOptions: [],
  takesImages: false,
  changedFiles: [],
  savedPrompts: [],
  waiting: [],
};

/** A transcript, and a webview that accepts messages when the test lets it. */
class Setup {
  header: Header = { title: 'Title', agentTitle: 'Agent', folder: 'project', cwd: '/project' };
  phase: Phase = { kind: 'loading', received: 0 };
  session = idle;
  readonly entries: Entry[] = [];
  readonly sent: ToWebview[] = [];
  /** Completes the delivery of the last message. */
  taken: () => void = () => undefined;
  /** Whether messages are accepted immediately. */
  quick = true;
  readonly feed: TranscriptFeed;

  constructor() {
    this.feed = new TranscriptFeed(this, (sent) => {
      this.sent.push(sent);
      return this.quick
        ? Promise.resolve(true)
        : new Promise<boolean>((resolve) => {
            this.taken = () => resolve(true);
          });
    });
  }

  draw(entry: Entry) {
    return drawEntry(entry, '/project');
  }

  add(text: string): void {
    const from = this.entries.push(message(text)) - 1;
    this.feed.note({ type: 'appended', from, to: from + 1 });
  }

  /** Advances the clock by this many ms, and lets the webview accept the messages. */
  async wait(ms: number): Promise<void> {
    mock.timers.tick(ms);
    for (let round = 0; round < 4; round++) {
      await Promise.resolve();
    }
  }

  /** All messages sent once every pause is over. */
  async later(): Promise<readonly ToWebview[]> {
    for (let round = 0; round < 3; round++) {
      await this.wait(1000);
    }
    return this.sent;
  }
}

describe('feed of a webview', () => {
  let setup: Setup;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    setup = new Setup();
  });
  afterEach(() => {
    setup.feed.dispose();
    mock.timers.reset();
  });

  it('sends nothing before the webview is there', async () => {
    setup.add('a');
    assert.deepEqual(await setup.later(), []);
  });

  it('answers a start with a snapshot', () => {
    setup.add('a');
    setup.feed.start();
    assert.deepEqual(setup.sent, [
      {
        type: 'snapshot',
        revision: 1,
        header: setup.header,
        phase: setup.phase,
        session: idle,
        count: 1,
        start: 0,
        entries: [drawEntry(message('a'), '/project')],
      },
    ]);
  });

  it('sends the snapshot ahead of the webview, which hears when it is there whether it has missed that', async () => {
    setup.add('a');
    setup.feed.sendAhead();
    setup.feed.sendAhead();
    setup.feed.start();
    assert.deepEqual(
      setup.sent.map((sent) => [sent.type, 'revision' in sent && sent.revision]),
      [
        ['snapshot', 1],
        ['patch', 2],
      ],
    );
    setup.add('b');
    const last = (await setup.later()).at(-1);
    assert.ok(last?.type === 'patch' && last.revision === 3 && last.changes.length === 1);
  });

  it('sends a whole snapshot to a webview that starts again, or that was hidden before it was there', () => {
    setup.feed.sendAhead();
    setup.feed.start();
    setup.feed.start();
    setup.feed.stop();
    setup.feed.sendAhead();
    setup.feed.stop();
    setup.feed.start();
    assert.deepEqual(
      setup.sent.map(({ type }) => type),
      ['snapshot', 'patch', 'snapshot', 'snapshot', 'snapshot'],
    );
  });

  it('joins what happens within a frame into one patch with the next revision', async () => {
    setup.feed.start();
    setup.add('a');
    setup.add('b');
    setup.phase = { kind: 'ready' };
    setup.feed.update();
    const [, patch, ...rest] = await setup.later();
    assert.deepEqual(rest, []);
    assert.deepEqual(patch, {
      type: 'patch',
      revision: 2,
      phase: { kind: 'ready' },
      count: 2,
      changes: [
        { op: 'set', index: 0, entry: drawEntry(message('a'), '/project') },
        { op: 'set', index: 1, entry: drawEntry(message('b'), '/project') },
      ],
    });
  });

  it('sends a new title without anything else', async () => {
    setup.add('a');
    setup.feed.start();
    setup.header = { ...setup.header, title: 'New' };
    setup.feed.update();
    const [, patch] = await setup.later();
    assert.deepEqual(patch, {
      type: 'patch',
      revision: 2,
      header: setup.header,
      changes: [],
    });
  });

  it('sends the session’s state when it is another one, and only then', async () => {
    setup.phase = { kind: 'ready' };
    setup.feed.start();
    setup.session = { ...idle, turn: { kind: 'running', cancelling: false, canForce: false } };
    setup.feed.noteState();
    const [, patch] = await setup.later();
    assert.deepEqual(patch, {
      type: 'patch',
      revision: 2,
      session: setup.session,
      changes: [],
    });
    setup.session = { ...setup.session, waiting: [] };
    setup.feed.noteState();
    setup.add('a');
    const last = (await setup.later()).at(-1);
    assert.ok(last?.type === 'patch' && last.count === 1 && last.session === undefined);
  });

  it('joins states and rows of one frame into one patch', async () => {
    setup.phase = { kind: 'ready' };
    setup.feed.start();
    for (let used = 1; used <= 100; used++) {
      setup.session = { ...idle, usage: { used, size: 1000 } };
      setup.feed.noteState();
      setup.add(`m${used}`);
    }
    const [, patch, ...rest] = await setup.later();
    assert.deepEqual(rest, []);
    assert.ok(patch?.type === 'patch' && patch.session?.usage?.used === 100);
  });

  it('sends nothing when nothing is different', async () => {
    setup.feed.start();
    setup.feed.update();
    assert.equal((await setup.later()).length, 1);
  });

  it('waits until the webview has taken a message before it sends the next', async () => {
    setup.quick = false;
    setup.feed.start();
    setup.add('a');
    setup.add('b');
    assert.equal((await setup.later()).length, 1);
    setup.taken();
    const patch = (await setup.later()).at(-1);
    assert.ok(patch?.type === 'patch' && patch.changes.length === 2);
  });

  it('asks the user at once, whatever the webview has still to take', async () => {
    setup.quick = false;
    setup.feed.start();
    setup.add('a');
    setup.feed.noteRequest();
    setup.add('a request');
    await setup.wait(1);
    const [, patch] = setup.sent;
    assert.ok(patch?.type === 'patch' && patch.changes.length === 2);
    setup.add('b');
    assert.equal((await setup.later()).length, 2, 'one at a time again');
    setup.taken();
    assert.equal((await setup.later()).length, 3);
  });

  describe('in a flood', () => {
    /** Rows arrive so fast that every patch is a whole new window. */
    async function flood(): Promise<void> {
      setup.feed.start();
      await setup.wait(0);
      for (let index = 0; index < 500; index++) {
        setup.add(`m${index}`);
      }
      await setup.wait(20);
      assert.equal(setup.sent.length, 2);
      setup.add('next');
      await setup.wait(20);
      assert.equal(setup.sent.length, 2, 'a longer pause');
    }

    it('sends less often', async () => {
      await flood();
      assert.equal((await setup.later()).length, 3);
    });

    it('sends the end at once', async () => {
      await flood();
      setup.phase = { kind: 'ready' };
      setup.feed.update();
      await setup.wait(20);
      const patch = setup.sent[2];
      assert.ok(patch?.type === 'patch' && patch.phase?.kind === 'ready');
    });

    it('sends nothing soon after the rows that it starts with', async () => {
      for (let index = 0; index < 100; index++) {
        setup.add(`m${index}`);
      }
      setup.feed.start();
      setup.add('next');
      setup.feed.want({ start: 0, end: 80, follow: true });
      await setup.wait(20);
      assert.equal(setup.sent.length, 1);
      await setup.wait(500);
      const patch = setup.sent[1];
      assert.ok(patch?.type === 'patch' && patch.changes.length === 20);
    });

    it('sends the end at once, also soon after the rows that it starts with', async () => {
      for (let index = 0; index < 100; index++) {
        setup.add(`m${index}`);
      }
      setup.feed.start();
      await setup.wait(0);
      setup.phase = { kind: 'ready' };
      setup.feed.update();
      await setup.wait(1);
      const patch = setup.sent[1];
      assert.ok(patch?.type === 'patch' && patch.phase?.kind === 'ready');
    });

    it('sends rows that are scrolled to at once', async () => {
      await flood();
      setup.feed.want({ start: 0, end: 10, follow: false });
      await setup.wait(20);
      const patch = setup.sent[2];
      assert.ok(patch?.type === 'patch' && patch.changes.length === 10);
    });
  });

  it('is silent while the webview is hidden and starts over when it is back', async () => {
    setup.quick = false;
    setup.feed.start();
    setup.feed.stop();
    setup.add('a');
    assert.equal((await setup.later()).length, 1);
    setup.feed.start();
    const last = setup.sent.at(-1);
    assert.ok(last?.type === 'snapshot' && last.count === 1 && last.revision === 2);
    setup.add('b');
    setup.taken();
    assert.equal((await setup.later()).at(-1)?.type, 'patch');
  });

  it('answers a lost patch with a snapshot of the same window', async () => {
    for (let index = 0; index < 200; index++) {
      setup.entries.push(message(`m${index}`));
    }
    setup.feed.start();
    setup.feed.want({ start: 10, end: 20, follow: false });
    await setup.later();
    setup.feed.snapshot();
    const last = setup.sent.at(-1);
    assert.ok(last?.type === 'snapshot');
    assert.deepEqual([last.start, last.entries.length, last.count], [10, 10, 200]);
  });

  it('SUB-1: of a folded subagent only how much it did is sent, once a frame, and exactly', async () => {
    const transcript = new Transcript();
    const running = { kind: 'subagent', title: 'a', state: { kind: 'running' } } as const;
    const outer = transcript.nest();
    const inner = transcript.nest();
    for (const [{ number, transcript: nested }, within] of [
      [outer, transcript],
      [inner, outer.transcript],
    ] as const) {
      within.add({ ...running, number, entries: nested.entries, calls: nested.calls });
    }
    let drawn = 0;
    const sent: ToWebview[] = [];
    const source = {
      ...({ header: setup.header, phase: { kind: 'ready' }, session: idle } as const),
      entries: transcript.entries,
      nested: (number: number) => transcript.getEntries(number),
      draw: (entry: Entry) => {
        drawn++;
        return drawEntry(entry, '/project');
      },
    };
    const feed = new TranscriptFeed(source, (message) => {
      sent.push(message);
      return Promise.resolve(true);
    });
    transcript.onDidChangeNested((nested) => feed.noteNested(nested));
    feed.start();
    await setup.wait(1000);
    sent.length = 0;
    drawn = 0;
    for (let frame = 0; frame < 3; frame++) {
      for (let at = 0; at < 100; at++) {
        outer.transcript.apply(call(`${frame} ${at}`));
        outer.transcript.apply(change(`${frame} ${at}`, { status: 'completed' }));
        inner.transcript.apply(agent('word ', `${frame} ${at}`));
      }
      await setup.wait(20);
    }
    assert.equal(drawn, 3);
    assert.deepEqual(
      sent.map((message) => message.type === 'patch' && message.changes.map(({ index }) => index)),
      [[0], [0], [0]],
    );
    const last = sent.at(-1);
    const row = last?.type === 'patch' ? last.changes[0] : undefined;
    assert.ok(row?.op === 'set' && row.entry.kind === 'subagent');
    assert.deepEqual([row.entry.length, row.entry.calls], [301, 300]);
    outer.transcript.apply(change('0 0', { title: 'Changed' }));
    inner.transcript.apply(agent('more'));
    await setup.wait(1000);
    assert.equal(drawn, 3);
    feed.dispose();
  });
});
