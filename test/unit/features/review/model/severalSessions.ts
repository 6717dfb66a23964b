import assert from 'node:assert/strict';
import fs from 'node:fs';
import type { RecordedReview } from '../../../../../src/features/review/model/recordedReview';
import type { Recorder } from '../../../../../src/features/review/model/recording/recorder';
import type { StoredReviews } from '../../../../../src/features/review/model/storedReviews';
import type { TurnRecorder } from '../../../../../src/model/changes/turnRecorder';
import { fc } from '../../../../support/properties';
import { until } from '../../../../support/until';
import { RecorderWorld } from './recording/recorderWorld';

const agents = ['s', 't', 'u'] as const;
type AgentName = (typeof agents)[number];
type Actor = AgentName | 'user';

/** The line of each actor in the file that all of them change; each has a file of its own, too. */
const lineOf: Readonly<Record<Actor, number>> = { s: 1, t: 4, u: 7, user: 10 };
const lines = 12;

/** What happens next; an agent that isn't at work begins. */
type Act =
  | { readonly type: 'end' | 'look'; readonly who: AgentName }
  /** The agent changes a file by itself, without a word, as a command does. */
  | { readonly type: 'command'; readonly who: AgentName; readonly isShared: boolean }
  /** The agent writes through us. */
  | { readonly type: 'write'; readonly who: AgentName; readonly isShared: boolean }
  /** The agent edits by itself; the call says so when it is completed. */
  | { readonly type: 'edit'; readonly who: AgentName; readonly how: 'whole' | 'deleted' | 'lines' }
  /** The agent names a file of another one's, and doesn't change it. */
  | { readonly type: 'name'; readonly who: AgentName; readonly file: Actor | 'shared' }
  | { readonly type: 'save'; readonly isShared: boolean }
  | { readonly type: 'undo' | 'undoTurn' | 'restore'; readonly who: AgentName };

const who = fc.constantFrom(...agents);
const isShared = fc.boolean();
export const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('command' as const), who, isShared }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('write' as const), who, isShared }) },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ type: fc.constant('edit' as const), who },
      how: fc.constantFrom('whole' as const, 'deleted' as const, 'lines' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      ...{ type: fc.constant('name' as const), who },
      file: fc.constantFrom(...agents, 'user' as const, 'shared' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constantFrom('end' as const, 'look' as const), who }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('save' as const), isShared }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constantFrom('undo' as const, 'undoTurn' as const, 'restore' as const),
      who,
    }),
  },
);

interface Player {
  readonly turn: TurnRecorder;
  readonly reviews: StoredReviews;
  isAtWork: boolean;
}

/** Three sessions in one folder, one of them in another window, and the user. */
export class SeveralSessions {
  readonly #world = new RecorderWorld();
  readonly #other: { readonly reviews: StoredReviews; readonly recorder: Recorder };
  readonly #players: Readonly<Record<AgentName, Player>>;
  #count = 0;

  constructor() {
    const world = this.#world;
    this.#other = world.anotherWindow();
    const player = (sessionId: AgentName, isElsewhere = false): Player => {
      const { recorder, reviews } = isElsewhere ? this.#other : world;
      const session = { agentId: 'a', sessionId, folders: [world.folder] };
      return { turn: recorder.of(session), reviews, isAtWork: false };
    };
    this.#players = { s: player('s'), t: player('t'), u: player('u', true) };
    world.write(
      'shared',
      this.#text((line) => `${line}`),
    );
    for (const name of [...agents, 'user']) {
      world.write(name, 'begun\n');
    }
  }

  async play(it: Act): Promise<void> {
    await this.#tick();
    if (it.type === 'save') {
      const name = it.isShared ? 'shared' : 'user';
      await this.#world.save(name, this.#changed('user', name));
      return;
    }
    const player = this.#players[it.who];
    switch (it.type) {
      case 'end':
        await this.#end(it.who);
        break;
      case 'look':
        await this.#review(it.who)?.refresh();
        break;
      case 'undo':
      case 'undoTurn':
      case 'restore':
        await this.#undo(it.type, it.who);
        break;
      default:
        if (!player.isAtWork) {
          player.isAtWork = true;
          await player.turn.begin('Do it');
          await this.#tick();
        }
        await this.#work(it, player.turn);
    }
  }

  async end(): Promise<void> {
    for (const name of agents) {
      await this.#end(name);
    }
    for (const name of agents) {
      await this.#undo('undo', name);
    }
  }

  dispose(): void {
    this.#other.recorder.dispose();
    this.#other.reviews.dispose();
    this.#world.dispose();
  }

  async #work(
    it: Extract<Act, { readonly type: 'command' | 'write' | 'edit' | 'name' }>,
    turn: TurnRecorder,
  ): Promise<void> {
    const world = this.#world;
    if (it.type === 'name') {
      this.#name(turn, it.file);
      return;
    }
    if (it.type === 'edit') {
      await this.#edit(turn, it);
      return;
    }
    const name = it.isShared ? 'shared' : it.who;
    const text = this.#changed(it.who, name);
    await (it.type === 'write'
      ? turn.write(world.at(name), world.writing(name, text))
      : world.writing(name, text)());
  }

  async #edit(
    turn: TurnRecorder,
    { who: name, how }: Extract<Act, { readonly type: 'edit' }>,
  ): Promise<void> {
    const world = this.#world;
    const toolCallId = `${this.#count++}`;
    turn.acted(world.call('edit', { toolCallId, status: 'in_progress' }));
    await this.#tick();
    if (how === 'lines') {
      const [old, new_] = [world.text('shared'), this.#changed(name, 'shared')];
      const [before = '', after = ''] = [old, new_].map((it) => it.split('\n')[lineOf[name]]);
      world.write('shared', new_);
      const diffs = [world.diff('shared', `${before}\n`, `${after}\n`)];
      turn.acted(world.call('edit', { toolCallId, diffs, places: [world.at('shared')] }));
      return;
    }
    if (how === 'deleted') {
      fs.rmSync(world.at(name), { force: true });
    } else {
      world.write(name, this.#changed(name, name));
    }
    turn.acted(world.call('edit', { toolCallId, places: [world.at(name)] }));
  }

  /** Names a file by an edit that fails, by reading it, and by the words of a command. */
  #name(turn: TurnRecorder, file: string): void {
    const world = this.#world;
    const places = [world.at(file)];
    const ids = [0, 1, 2].map(() => `${this.#count++}`) as [string, string, string];
    turn.acted(world.call('edit', { toolCallId: ids[0], places, status: 'failed' }));
    turn.acted(world.call('read', { toolCallId: ids[1], places }));
    const rawInput = { command: `./check ${file} && cat ${file} >> ${file}` };
    turn.acted(world.call('execute', { toolCallId: ids[2], places, rawInput }));
  }

  async #end(name: AgentName): Promise<void> {
    const player = this.#players[name];
    if (player.isAtWork) {
      player.isAtWork = false;
      player.turn.end();
      await until(() => this.#review(name)?.running === undefined);
    }
  }

  /** Whatever was recorded: nothing goes that only others have written. */
  async #undo(type: 'undo' | 'undoTurn' | 'restore', name: AgentName): Promise<void> {
    const review = this.#review(name);
    if (review === undefined) {
      return;
    }
    await review.refresh();
    const before = this.#others(name);
    const turn = review.turns.at(-1)?.turn ?? 1;
    if (type === 'restore') {
      await review.restore(await review.planRestore(turn));
    } else {
      await review.undo(type === 'undo' ? { type: 'all' } : { type: 'turn', turn });
    }
    assert.deepEqual(this.#others(name), before);
  }

  /** What everybody else has made of the files. */
  #others(name: AgentName): readonly (string | undefined)[] {
    const others = ([...agents, 'user'] as const).filter((other) => other !== name);
    const shared = this.#world.text('shared').split('\n');
    const textOf = (other: Actor): string | undefined =>
      fs.existsSync(this.#world.at(other)) ? this.#world.text(other) : undefined;
    return [...others.map((other) => shared[lineOf[other]]), ...others.map(textOf)];
  }

  #review(name: AgentName): RecordedReview | undefined {
    return this.#players[name].reviews.of('a', name) as RecordedReview | undefined;
  }

  /** The file with another text of this actor in it. */
  #changed(actor: Actor, name: string): string {
    this.#count += 1;
    const text = `${actor}${this.#count}`;
    if (name !== 'shared') {
      return `${text}\n`;
    }
    const now = this.#world.text('shared').split('\n');
    return this.#text((line) => (line === lineOf[actor] ? text : (now[line] ?? '')));
  }

  #text(line: (line: number) => string): string {
    return `${Array.from({ length: lines }, (_, at) => line(at)).join('\n')}\n`;
  }

  /** One thing happens after another, also for a clock of milliseconds. */
  #tick(): Promise<void> {
    const now = Date.now();
    return until(() => Date.now() > now);
  }
}
