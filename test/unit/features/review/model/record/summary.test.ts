import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { writeLine } from '../../../../../../src/features/review/model/record/journalLines';
import type { RecordedReview } from '../../../../../../src/features/review/model/recordedReview';
import { posixOnly } from '../../../../../support/posixOnly';
import { makePipe } from '../../../../model/files/hostileFiles';
import { isSummedUpRightly } from '../story';
import { World } from '../world';

/** The agent's line is the first one, and the user's is the last one. */
const text = (agent: number, user: number): string =>
  [`turn ${agent}`, ...Array.from({ length: 8 }, (_, at) => `line ${at}`), `mine ${user}`, ''].join(
    '\n',
  );

describe('The summary of a record', () => {
  let world: World;

  beforeEach(async () => {
    world = await new World(undefined, 0).open();
    for (let turn = 1; turn <= 5; turn++) {
      await world.beginTurn(turn);
      await world.agent(turn, 'a', text(turn, turn - 1));
      await world.user(turn, 'a', text(turn, turn));
      await world.agent(turn, `new ${turn}`, 'new\n');
    }
    await world.agentMoves(5, 'new 5', 'moved');
    await world.review.keep({ type: 'files', files: [world.path('new 1')] });
    await world.review.undo({ type: 'files', files: [world.path('new 2')] });
  });

  afterEach(() => world.dispose());

  const file = (): string => path.join(world.store, 'summary.json');
  const journal = (): string => path.join(world.store, 'journal.ndjson');
  const steps = ({ record }: RecordedReview): number =>
    record.state.files.get(world.path('a'))?.steps.length ?? 0;

  /** Returns the steps that a new window has read by itself. */
  async function stepsOfNewWindow(): Promise<number> {
    const review = await world.window();
    review.dispose();
    return steps(review);
  }

  it('tells the same as all lines, and the lines before it aren’t read', async () => {
    await isSummedUpRightly(world);
    assert.equal(steps(world.review), 10);
    assert.ok((await stepsOfNewWindow()) < 10);
  });

  it('leaves out the past, which is read when a turn or a restoration asks', async () => {
    const review = await world.window();
    assert.equal(await review.baseline(world.path('a'), 3), text(2, 5));
    assert.equal(steps(review), 10);
    review.dispose();
    const another = await world.window();
    const files = await another.getFiles(1, 9);
    assert.deepEqual(
      files.map((it) => path.basename(it.file)),
      ['a', 'new 1'],
    );
    another.dispose();
    const other = await world.window();
    await other.restore(await other.planRestore(2));
    assert.equal(world.text('a'), text(1, 5));
    await other.takeBack();
    assert.equal(world.text('a'), text(5, 5));
    other.dispose();
    await isSummedUpRightly(world);
  });

  it('is of no use for another journal, even one of the same length', async () => {
    const [summary, all] = [fs.readFileSync(file()), fs.readFileSync(journal(), 'utf8')];
    fs.writeFileSync(journal(), all.replaceAll('"by":"user"', '"by":"else"'));
    const review = await world.window();
    assert.equal(steps(review), 5);
    review.dispose();
    fs.writeFileSync(file(), summary);
    fs.writeFileSync(journal(), all.slice(0, all.length / 2));
    await isSummedUpRightly(world);
  });

  it('is left aside if it is cut off, damaged, hostile or of another version', async () => {
    const good = fs.readFileSync(file(), 'utf8');
    const state = /"seen":"[0-9a-f]{64}:\d+"/;
    const bad = [
      '',
      '{}',
      good.slice(0, good.length / 2),
      good.slice(good.indexOf('\n')),
      good.replace('"version":1', '"version":2'),
      good.replace(/"end":"."/, '"end":"x"').replace(/"end":"[0-9a-f]+",?/, ''),
      good.replace(/"bytes":\d+/, '"bytes":1e15'),
      good.replace(/"bytes":\d+/, '"bytes":-1'),
      good.replace(state, '"seen":"../../etc/passwd"'),
      good.replace('"paths":["/', '"paths":["'),
      good.replace('"revisions":[', '"revisions":[-'),
      good.replace(/"files":\[0,/, '"files":[9999,'),
      good.replace('"restored":{', '"restored":{"files":[1],"x":{'),
      good.replace(/"agentId\\":\\"agent/, '"agentId\\":\\"other'),
    ];
    for (const [at, hostile] of bad.entries()) {
      fs.writeFileSync(file(), hostile);
      assert.notEqual(hostile, good, `${at}`);
      assert.equal(await stepsOfNewWindow(), 10, `${at}: ${hostile.slice(0, 300)}`);
    }
  });

  it('isn’t read if it is twice as large as the largest', async () => {
    fs.truncateSync(file(), 64 * 1024 * 1024);
    assert.equal(await stepsOfNewWindow(), 10);
  });

  posixOnly('a link or a pipe in its place is replaced', async () => {
    fs.rmSync(file());
    makePipe(file());
    assert.equal(await stepsOfNewWindow(), 10);
    assert.ok(fs.lstatSync(file()).isFile());
  });

  it('a record from before there were summaries gets one', async () => {
    fs.rmSync(file());
    assert.equal(await stepsOfNewWindow(), 10);
    assert.ok((await stepsOfNewWindow()) < 10);
  });

  it('none is stored while a decision isn’t completed', async () => {
    const { files } = world;
    files.replace = () => Promise.reject(new Error('killed'));
    await assert.rejects(world.review.undo({ type: 'all' }), /killed/);
    fs.rmSync(file());
    const review = await world.window();
    assert.equal(review.record.state.openDecisions.size, 1);
    assert.ok(!fs.existsSync(file()));
    review.dispose();
  });

  it('two windows that append at once store summaries that are right', async () => {
    const other = await world.window();
    for (let turn = 10; turn < 15; turn++) {
      const windows = [world.review, other].map(({ record }, window) =>
        record.addTurn({ turn: turn + 10 * window, prompt: 'p'.repeat(200), began: turn }),
      );
      await Promise.all(windows);
      // Not while one appends: what is compared is read one after the other.
      await isSummedUpRightly(world);
    }
    other.dispose();
  });

  it('a journal of a later version of the extension isn’t summed up', async () => {
    fs.rmSync(file());
    const head = writeLine({ type: 'record', agentId: 'agent', sessionId: 'session' }) ?? '';
    fs.appendFileSync(journal(), `${head.replace('"version":1', '"version":2')}\n`);
    await stepsOfNewWindow();
    assert.ok(!fs.existsSync(file()));
  });
});
