import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hashOf } from '../../../../src/model/review/contents';
import { Interruption } from '../../../../src/model/review/interruption';
import type { RecordedReview } from '../../../../src/model/review/recordedReview';
import { World } from './world';

const names = ['a', 'b'] as const;
const name = fc.constantFrom(...names);
const line = fc.nat({ max: 9 });

/** What can happen. Lines of the agent begin with `agent`, and those of the user are marked, each once. */
const act = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ type: fc.constant('agent'), name, at: line, count: fc.nat({ max: 3 }) }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constantFrom('user', 'secret'), name, at: line }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom('keep', 'undo'),
      of: fc.constantFrom('all', 'files', 'turn', 'lines'),
      name,
      at: line,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constantFrom('turn', 'restore', 'unrestore', 'reload', 'rewrite', 'delete'),
      name,
      at: line,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constantFrom('crashOn', 'crashBack'),
      name,
      at: line,
    }),
  },
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

class Story {
  readonly #world: World;
  #turn = 1;
  #marks = 0;
  /** The user's lines that must be in each file. */
  readonly marks = new Map<string, Set<string>>(names.map((it) => [it, new Set()]));

  constructor(world: World) {
    this.#world = world;
  }

  get #review(): RecordedReview {
    return this.#world.review;
  }

  #lines(of: string): string[] {
    return (this.#world.text(of) ?? '').split('\n').slice(0, -1);
  }

  /** A new line of the user's, somewhere. */
  #edited(of: string, at: number): string {
    const lines = this.#lines(of);
    const mark = `mine ${++this.#marks}`;
    lines.splice(Math.min(at, lines.length), 0, mark);
    this.marks.get(of)?.add(mark);
    return lines.map((it) => `${it}\n`).join('');
  }

  /** The agent replaces some lines, but never those of the user. */
  #replaced(of: string, at: number, count: number): string {
    const lines = this.#lines(of);
    const end = lines.findIndex((it, index) => index >= at && it.startsWith('mine'));
    const most = end === -1 ? lines.length : end;
    lines.splice(at, Math.max(0, Math.min(count, most - at)), `agent ${++this.#marks}`);
    return lines.map((it) => `${it}\n`).join('');
  }

  async play(it: Act): Promise<void> {
    const { name: file, at } = it;
    switch (it.type) {
      case 'agent':
        return this.#world.agent(
          this.#turn,
          file,
          this.#replaced(file, at, 'count' in it ? it.count : 1),
        );
      case 'rewrite': {
        const own = this.#lines(file).filter((text) => text.startsWith('mine'));
        const text = [`agent ${++this.#marks}`, ...own, `agent ${++this.#marks}`].join('\n');
        return this.#world.agent(this.#turn, file, `${text}\n`);
      }
      case 'delete':
        // Only what has no text of the user.
        if (this.marks.get(file)?.size === 0 && this.#world.text(file) !== null) {
          return this.#world.agent(this.#turn, file, null);
        }
        return;
      case 'user':
        return this.#world.user(this.#turn, file, this.#edited(file, at));
      case 'secret':
        this.#world.write(file, this.#edited(file, at));
        return;
      case 'turn':
        return this.#world.beginTurn(++this.#turn);
      case 'reload':
        return this.#reload();
      case 'restore': {
        const plan = await this.#review.planRestore(1 + (at % this.#turn));
        await this.#review.restore(plan);
        return;
      }
      case 'unrestore':
        await this.#review.undoRestore();
        return;
      case 'crashOn':
      case 'crashBack':
        return this.#crash(it.type, at);
      case 'keep':
      case 'undo':
        return this.#decide(it.type, 'of' in it ? it.of : 'all', file, at);
    }
  }

  async #decide(type: string, of: string, file: string, at: number): Promise<void> {
    const path = this.#world.path(file);
    const selection =
      of === 'all'
        ? ({ type: 'all' } as const)
        : of === 'files'
          ? ({ type: 'files', files: [path] } as const)
          : of === 'turn'
            ? ({ type: 'turn', turn: 1 + (at % this.#turn) } as const)
            : ({ type: 'lines', file: path, lines: [{ start: at, end: at + 2 }] } as const);
    if (type === 'keep') {
      await this.#review.keep(selection);
      return;
    }
    const mixed = this.#review.pending.filter(({ isMixed }) => isMixed).map((it) => it.file);
    await this.#review.undo(selection);
    if ((of === 'files' || of === 'lines') && mixed.includes(path)) {
      // The user has been asked, and may lose what is inside the agent's lines.
      this.#forgetLost(file);
    }
  }

  #forgetLost(file: string): void {
    const there = new Set(this.#lines(file));
    for (const mark of this.marks.get(file) ?? []) {
      if (!there.has(mark)) {
        this.marks.get(file)?.delete(mark);
      }
    }
  }

  async #reload(): Promise<void> {
    const { pending, turns } = this.#review;
    this.#review.dispose();
    await this.#world.open();
    assert.deepEqual(this.#review.pending, pending);
    assert.deepEqual(this.#review.turns, turns);
  }

  /** The window ends in the middle of an undo, and the next one goes on or back. */
  async #crash(type: string, at: number): Promise<void> {
    const { files } = this.#world;
    const replace = files.replace.bind(files);
    let intent: string | undefined;
    files.replace = async (all, done) => {
      [intent] = this.#review.record.state.open.keys();
      await replace(all.slice(0, at % (all.length + 1)), done);
      throw new Error('killed');
    };
    await this.#review.undo({ type: 'all' }).catch(() => undefined);
    files.replace = replace;
    await this.#reload();
    const found = this.#review.record.state.open.get(intent ?? '');
    if (found !== undefined) {
      const review = this.#review;
      const interrupted = await Interruption.of({
        ...{ review, files, intent: found, onEnd: () => undefined },
      });
      const { leftAlone } = await (type === 'crashOn' ? interrupted.goOn() : interrupted.goBack());
      assert.deepEqual(leftAlone, []);
    }
  }

  /** Every file is what the record says, and has the user's text. */
  async check(): Promise<void> {
    await this.#review.planRestore(1);
    for (const [file, marks] of this.marks) {
      const text = this.#world.text(file);
      for (const mark of marks) {
        assert.ok(text?.split('\n').includes(mark), `${mark} is in ${file}: ${text}`);
      }
      const record = this.#review.record.state.files.get(this.#world.path(file));
      const seen = record?.seen;
      if (seen !== undefined) {
        const hash = text === null ? undefined : hashOf(Buffer.from(text));
        assert.equal(seen.kind === 'file' ? seen.hash : undefined, hash);
      }
    }
    for (const { file } of this.#review.pending) {
      assert.notEqual(await this.#review.baseline(file), undefined);
    }
  }
}

describe('Reviews: properties', () => {
  it('whatever happens, the record explains every file, and the user’s own text is in it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 25 }), async (acts) => {
        const world = await new World().open();
        try {
          world.write('a', '1\n2\n3\n4\n5\n6\n7\n8\n');
          await world.beginTurn(1);
          const story = new Story(world);
          for (const it of acts) {
            await story.play(it);
          }
          await story.check();
        } finally {
          world.dispose();
        }
      }),
      { numRuns: Number(process.env['REVIEW_RUNS'] ?? 25) },
    );
  });
});
