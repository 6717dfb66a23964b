import assert from 'node:assert/strict';
import type { FormErrors } from '../../../../src/shared/requests/agentQuestions';
import type { DrawnEntry } from '../../../../src/shared/transcript/drawn';
import type { Entry } from '../../../../src/shared/transcript/entries';
import type {
  Change,
  FromWebview,
  SessionState,
} from '../../../../src/shared/transcript/webviewMessages';
import { TranscriptWindow } from '../../../../src/views/transcript/feed/window';
import { drawEntry } from '../../../../src/views/transcript/rows/draw';
import { windowRange } from '../../../../src/webview/rows/rowWindow';
import { type StateMessage, TranscriptState } from '../../../../src/webview/state/state';
import { fc, tries } from '../../../support/properties';

const header = { title: 'Fix it', agentTitle: 'Claude', folder: 'project', cwd: '/project' };
const session: SessionState = {
  writable: { kind: 'yes' },
  turn: { kind: 'idle' },
  queue: [],
  canSteer: false,
  commands: [{ name: 'compact', description: 'Fold the context' }],
  configOptions: [],
  takesImages: false,
  changedFiles: [],
  savedPrompts: [],
  waiting: [],
};

const running = { kind: 'running', cancelling: false, canForce: false } as const;

function text(content: string): DrawnEntry {
  return { kind: 'agent', blocks: [{ type: 'text', text: content, omitted: 0 }] };
}

function textOf(entry: DrawnEntry | undefined): string | undefined {
  const block = entry?.kind === 'agent' ? entry.blocks.at(-1) : undefined;
  return block?.type === 'text' ? block.text : undefined;
}

function snapshot(revision: number, start: number, ...texts: string[]): StateMessage {
  return {
    type: 'snapshot',
    revision,
    header,
    phase: { kind: 'ready' },
    session,
    count: start + texts.length,
    start,
    entries: texts.map(text),
  };
}

function patch(revision: number, changes: readonly Change[], count?: number): StateMessage {
  return { type: 'patch', revision, changes, ...(count !== undefined && { count }) };
}

describe('what the webview knows', () => {
  let posted: FromWebview[];
  let state: TranscriptState;
  beforeEach(() => {
    posted = [];
    state = new TranscriptState((message) => posted.push(message));
  });

  it('is nothing before the first snapshot, which it asks for once when something else arrives', () => {
    state.receive(patch(1, [{ op: 'set', index: 0, entry: text('early') }], 1));
    state.receive(patch(2, [{ op: 'set', index: 0, entry: text('early') }], 1));
    assert.equal(state.count.value, 0);
    assert.deepEqual(posted, [{ type: 'resync' }]);
  });

  it('takes a snapshot and what follows it', () => {
    state.receive(snapshot(7, 10, 'a', 'b'));
    state.receive(
      patch(
        8,
        [
          { op: 'append', index: 11, text: 'c' },
          { op: 'set', index: 12, entry: text('d') },
        ],
        13,
      ),
    );
    assert.deepEqual(
      [9, 10, 11, 12].map((index) => textOf(state.entry(index).value)),
      [undefined, 'a', 'bc', 'd'],
    );
    assert.equal(state.count.value, 13);
    assert.deepEqual(state.header.value, header);
    assert.deepEqual(state.phase.value, { kind: 'ready' });
  });

  it('fills the rows that were scrolled to, whatever still arrives for the previous ones', () => {
    state.receive(snapshot(1, 0, 'a'));
    state.receive(patch(2, [], 1000));
    state.setWindow({ start: 0, end: 80, follow: false });
    state.setVisible(500, 510);
    const drawn = state.entry(505);
    state.receive(patch(3, [{ op: 'set', index: 10, entry: text('late') }]));
    state.setWindow({ start: 460, end: 550, follow: false });
    state.receive(patch(4, [{ op: 'set', index: 505, entry: text('here') }]));
    assert.equal(textOf(drawn.value), 'here');
  });

  it('keeps header and phase that a patch leaves out, and takes those that it has', () => {
    state.receive(snapshot(1, 0, 'a'));
    state.receive(patch(2, []));
    assert.deepEqual(state.header.value, header);
    const renamed = { ...header, title: 'Renamed' };
    state.receive({
      type: 'patch',
      revision: 3,
      header: renamed,
      phase: { kind: 'loading', received: 5 },
      changes: [],
    });
    assert.deepEqual(state.header.value, renamed);
    assert.deepEqual(state.phase.value, { kind: 'loading', received: 5 });
  });

  it('takes the state of the session, and keeps what of it is still the same', () => {
    state.receive(snapshot(1, 0, 'a'));
    assert.deepEqual(state.session.value, session);
    const before = state.session.value;
    state.receive({
      type: 'patch',
      revision: 2,
      session: { ...structuredClone(session), turn: running },
      changes: [],
    });
    const after = state.session.value;
    assert.deepEqual(after, { ...session, turn: running });
    assert.equal(after.commands, before.commands);
    state.receive(patch(3, []));
    assert.equal(state.session.value, after);
  });

  it('CM-3: takes an empty list of commands for none', () => {
    state.receive(snapshot(1, 0, 'a'));
    state.receive({
      type: 'patch',
      revision: 2,
      session: { ...session, commands: [] },
      changes: [],
    });
    assert.deepEqual(state.session.value?.commands, []);
  });

  it('NO-3: shows the last few notices until they are dismissed', () => {
    for (const title of ['one', 'two', 'three', 'four']) {
      state.receive({ type: 'notice', severity: 'warning', title });
    }
    const titles = (): string[] => state.notices.value.map((notice) => notice.title);
    assert.deepEqual(titles(), ['two', 'three', 'four']);
    state.dismissNotice(state.notices.value[1]?.id ?? 0);
    assert.deepEqual(titles(), ['two', 'four']);
  });

  it('says that an answer to an agent couldn’t be given', async () => {
    const answer = {
      type: 'answerElicitation',
      requestId: 3,
      action: 'cancel',
      values: {},
    } as const;
    const answered = state.answer(state.ask, answer);
    state.receive({ type: 'reply', id: 1, to: 'answerElicitation', failed: true });
    assert.equal(await answered, false);
    assert.deepEqual(
      state.notices.value.map(({ severity, title }) => [severity, title]),
      [['error', 'This failed. See the log for details.']],
    );
  });

  it('EL-6: has the errors of each form', async () => {
    const replies: [number, FormErrors][] = [
      [3, { age: 'Too low' }],
      [5, { name: 'Missing' }],
      [3, {}],
    ];
    for (const [at, [requestId, value]] of replies.entries()) {
      const answer = {
        type: 'answerElicitation',
        requestId,
        action: 'accept',
        values: {},
      } as const;
      const answered = state.answer(state.ask, answer);
      state.receive({ type: 'reply', id: at + 1, to: 'answerElicitation', value });
      assert.ok(await answered);
    }
    assert.deepEqual(
      [...state.formErrors.value],
      [
        [3, {}],
        [5, { name: 'Missing' }],
      ],
    );
  });

  it('asks once for a snapshot after a gap, and takes nothing until it is there', () => {
    state.receive(snapshot(1, 0, 'a'));
    state.receive(patch(3, [{ op: 'set', index: 0, entry: text('wrong') }]));
    state.receive(patch(4, [{ op: 'set', index: 0, entry: text('wrong') }]));
    assert.deepEqual(posted, [{ type: 'resync' }]);
    assert.equal(textOf(state.entry(0).value), 'a');
    state.receive(snapshot(5, 0, 'right'));
    state.receive(patch(6, [{ op: 'append', index: 0, text: ' again' }]));
    assert.equal(textOf(state.entry(0).value), 'right again');
    assert.equal(posted.length, 1);
  });

  it('asks for a snapshot when a text is to grow that is not a text', () => {
    state.receive(snapshot(1, 0, 'a'));
    state.receive(patch(2, [{ op: 'set', index: 0, entry: { kind: 'plan', items: [] } }]));
    state.receive(patch(3, [{ op: 'append', index: 0, text: 'x' }]));
    assert.deepEqual(posted, [{ type: 'resync' }]);
  });

  it('forgets what a snapshot no longer has', () => {
    state.receive(snapshot(1, 0, 'a', 'b', 'c'));
    const gone = state.entry(2);
    state.receive(snapshot(2, 0, 'x'));
    assert.equal(state.count.value, 1);
    assert.equal(gone.value, undefined);
    assert.equal(textOf(state.entry(0).value), 'x');
  });

  it('reports a row that is still on its way', () => {
    state.receive(snapshot(1, 0, 'a'));
    const seen: (string | undefined)[] = [];
    state.entry(1).subscribe((entry) => seen.push(textOf(entry)));
    state.receive(patch(2, [{ op: 'set', index: 1, entry: text('b') }], 2));
    assert.deepEqual(seen, [undefined, 'b']);
  });

  it('lets go of rows far outside of its window', () => {
    state.receive(snapshot(1, 0, ...Array.from({ length: 500 }, (_, index) => `row ${index}`)));
    state.setVisible(240, 260);
    state.setWindow({ start: 200, end: 300, follow: false });
    assert.deepEqual(posted, [{ type: 'window', start: 200, end: 300, follow: false }]);
    assert.ok(state.held <= 160);
    assert.equal(textOf(state.entry(250).value), 'row 250');
    assert.equal(state.entry(10).value, undefined);
  });

  it('moves its window along with the end while following', () => {
    state.receive(snapshot(1, 0, 'a'));
    state.setWindow({ start: 0, end: 50, follow: true });
    for (let index = 1; index < 1000; index++) {
      state.receive(
        patch(index + 1, [{ op: 'set', index, entry: text(`row ${index}`) }], index + 1),
      );
      state.setVisible(Math.max(0, index - 10), index);
    }
    assert.ok(state.held <= 110);
    assert.equal(textOf(state.entry(999).value), 'row 999');
    assert.equal(textOf(state.entry(951).value), 'row 951');
  });

  it('counts new entries below while not following', () => {
    state.receive(snapshot(1, 0, 'a', 'b', 'c', 'd'));
    assert.equal(state.unseen.value, 0);
    state.follow.value = false;
    state.receive(patch(2, [], 10));
    assert.equal(state.unseen.value, 6);
    state.setVisible(5, 7);
    assert.equal(state.unseen.value, 2);
    state.setVisible(0, 3);
    assert.equal(state.unseen.value, 2);
    state.jumpToLatest();
    assert.equal(state.unseen.value, 0);
  });

  it('shows only rows that there are', () => {
    state.receive(snapshot(1, 0, 'a', 'b'));
    state.receive({ type: 'reveal', index: 2 });
    assert.equal(state.reveal.value, undefined);
    state.receive({ type: 'reveal', index: 1 });
    assert.deepEqual(state.reveal.value, { index: 1, as: 'entry' });
    assert.equal(state.follow.value, false);
  });

  it('starts keyboard commands at the active row while it can be seen', () => {
    state.setVisible(10, 20);
    assert.equal(state.current, 10);
    state.active.value = 15;
    assert.equal(state.current, 15);
    state.setVisible(30, 40);
    assert.equal(state.current, 30);
  });

  it('holds in its window just what the host has, however messages and windows interleave', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('grow' as const), by: fc.integer({ min: 1, max: 60 }) }),
      fc.record({ do: fc.constant('change' as const), at: fc.nat(400) }),
      fc.record({ do: fc.constant('send' as const) }),
      fc.record({ do: fc.constant('deliver' as const) }),
      fc.record({
        do: fc.constant('window' as const),
        start: fc.nat(400),
        size: fc.integer({ min: 1, max: 120 }),
        follow: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (script) => {
        const host = new Host();
        const webview = new TranscriptState((message) => host.receive(message));
        host.send();
        for (const action of script) {
          if (action.do === 'grow') {
            host.grow(action.by);
          } else if (action.do === 'change') {
            host.change(action.at);
          } else if (action.do === 'send') {
            host.send();
          } else if (action.do === 'deliver') {
            host.deliver(webview);
          } else {
            const { start, size, follow } = action;
            webview.setWindow({ start, end: start + size, follow });
          }
        }
        host.send();
        host.deliver(webview);
        const { start, end } = windowRange(
          webview.window ?? { start: 0, end: 60, follow: true },
          host.entries.length,
        );
        for (let index = start; index < end; index++) {
          assert.equal(textOf(webview.entry(index).value), host.textOf(index), `row ${index}`);
        }
      }),
      tries(500),
    );
  });
});

/** The host's window of a transcript, with messages that arrive after a delay. */
class Host {
  readonly entries: Entry[] = [{ kind: 'agent', blocks: [{ type: 'text', text: 'start' }] }];
  readonly #window = new TranscriptWindow({
    entries: this.entries,
    draw: (entry) => drawEntry(entry, '/project'),
  });
  readonly #sent: StateMessage[] = [];
  #revision = 0;

  grow(by: number): void {
    const from = this.entries.length;
    for (let index = from; index < from + by; index++) {
      this.entries.push({ kind: 'agent', blocks: [{ type: 'text', text: `row ${index}` }] });
    }
    this.#window.note({ type: 'appended', from, to: this.entries.length });
  }

  change(at: number): void {
    const index = at % this.entries.length;
    this.entries[index] = {
      kind: 'agent',
      blocks: [{ type: 'text', text: `${this.textOf(index)}!` }],
    };
    this.#window.note({ type: 'updated', index });
  }

  receive(message: FromWebview): void {
    if (message.type === 'window') {
      this.#window.want(message);
    }
  }

  textOf(index: number): string {
    const entry = this.entries[index];
    const block = entry?.kind === 'agent' ? entry.blocks[0] : undefined;
    return block?.type === 'text' ? block.text : '';
  }

  send(): void {
    this.#revision += 1;
    this.#sent.push(
      this.#revision === 1
        ? {
            type: 'snapshot',
            revision: 1,
            header,
            phase: { kind: 'ready' },
            session,
            count: this.entries.length,
            ...this.#window.snapshot(),
          }
        : patch(this.#revision, this.#window.changes(false), this.entries.length),
    );
  }

  deliver(webview: TranscriptState): void {
    for (const message of this.#sent.splice(0)) {
      webview.receive(message);
    }
  }
}
