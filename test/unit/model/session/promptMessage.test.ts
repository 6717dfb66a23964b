import assert from 'node:assert/strict';
import { findForkPoint } from '../../../../src/features/branches/model/forkPoint';
import type { Block } from '../../../../src/shared/transcript/content';
import { fc, tries } from '../../../support/properties';
import { until } from '../../../support/until';
import { draft, prompted, type SessionBench, sessionBench, texts } from '../sessionBench';
import { agent, chunk, state, user, whole } from '../updates';

const ids = ({ session }: SessionBench): (string | undefined)[] =>
  session.transcript.entries.map((entry) => ('messageId' in entry ? entry.messageId : undefined));

/** A session with one prompt that the agent hasn't answered. */
async function sent(text = 'do it') {
  const made = sessionBench();
  const { connection, prompt } = await prompted(made, text);
  return { made, connection, prompt };
}

describe('The message of a prompt', () => {
  it('V2-TURN-7: a whole echo isn’t shown twice, and gives the prompt its id', async () => {
    const { made, connection } = await sent();
    connection.send('s0', whole('user', 'u', 'do it'), chunk('agent', 'a', 'Done'));
    assert.deepEqual(texts(made.session), ['do it', 'Done']);
    assert.deepEqual(ids(made), ['u', 'a']);
    connection.send('s0', whole('user', 'u', 'do it'), whole('user', 'u'));
    assert.deepEqual(texts(made.session), ['do it', 'Done']);
  });

  it('V2-TURN-7: so does one in pieces, with reports of the state between them', async () => {
    const { made, connection } = await sent();
    connection.send('s0', chunk('user', 'u', 'do '), state('running'), chunk('user', 'u', 'it'));
    connection.send('s0', chunk('agent', 'a', 'Done'));
    assert.deepEqual(texts(made.session), ['do it', 'Done']);
    assert.deepEqual(ids(made), ['u', 'a']);
  });

  it('V2-TURN-7: a message with another text is shown, as is one in pieces that only begins like it', async () => {
    const { made, connection } = await sent();
    connection.send('s0', whole('user', 'o', 'do that'), chunk('user', 'p', 'do '));
    connection.send('s0', chunk('agent', 'a', 'x'), whole('user', 'u', 'do it'));
    assert.deepEqual(texts(made.session), ['do it', 'do that', 'do ', 'x']);
    assert.deepEqual(ids(made), ['u', 'o', 'p', 'a']);
  });

  it('V2-TURN-7: once the id is known, another message with the same text is another message', async () => {
    const { made, connection } = await sent();
    connection.send('s0', whole('user', 'u', 'do it'), whole('user', 'o', 'do it'));
    connection.send('s0', chunk('user', 'p', 'do it'));
    assert.deepEqual(texts(made.session), ['do it', 'do it', 'do it']);
    assert.deepEqual(ids(made), ['u', 'o', 'p']);
  });

  it('V2-MSG-1, V2-MSG-3: a later upsert or chunk with the id changes the prompt’s entry, which stays a prompt', async () => {
    const { made, connection, prompt } = await sent();
    connection.send('s0', whole('user', 'u', 'do it'), chunk('agent', 'a', 'Done'));
    connection.send('s0', chunk('user', 'u', ' now'));
    assert.deepEqual(texts(made.session), ['do it now', 'Done']);
    connection.send('s0', whole('user', 'u', 'other words'));
    assert.deepEqual(texts(made.session), ['other words', 'Done']);
    connection.send('s0', whole('user', 'u', 'do it'));
    assert.deepEqual(texts(made.session), ['do it', 'Done']);
    prompt.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'idle');
    const [entry] = made.session.transcript.entries;
    assert.ok(entry?.kind === 'user' && entry.turn?.ended !== undefined);
    connection.send('s0', whole('user', 'u', []));
    assert.deepEqual(texts(made.session), ['', 'Done']);
  });

  it('V2-TURN-1: the answer tells the id as well: an agent may send the prompt in other words, or not at all', async () => {
    const { made, connection, prompt } = await sent('/fix');
    prompt.inserted?.('u');
    assert.deepEqual(ids(made), ['u']);
    connection.send('s0', whole('user', 'u', 'Fix the tests'));
    assert.deepEqual(texts(made.session), ['Fix the tests']);

    const pieces = await sent('/fix');
    pieces.prompt.inserted?.('u');
    pieces.connection.send('s0', chunk('user', 'u', '/f'), agent('x'), chunk('user', 'u', 'oo'));
    pieces.connection.send('s0', chunk('user', 'u', ' bar'));
    assert.deepEqual(texts(pieces.made.session), ['/foo bar', 'x']);
  });

  it('V2-TURN-7: nor are the other words shown twice if they come before the answer', async () => {
    for (const forms of [
      [whole('user', 'u', 'Fix the tests')],
      [chunk('user', 'u', 'Fix '), chunk('user', 'u', 'the tests')],
    ]) {
      const { made, connection, prompt } = await sent('/fix');
      connection.send('s0', ...forms, agent('x'));
      assert.deepEqual(texts(made.session), ['/fix', 'Fix the tests', 'x']);
      prompt.inserted?.('u');
      assert.deepEqual(texts(made.session), ['Fix the tests', '', 'x']);
      connection.send('s0', chunk('user', 'u', ' now'));
      assert.deepEqual(texts(made.session), ['Fix the tests now', '', 'x']);
    }
  });

  it('V2-TURN-7: two prompts with the same text get an id each', async () => {
    const { made, connection, prompt } = await sent('go');
    connection.send('s0', whole('user', '1', 'go'), chunk('agent', 'a', 'x'));
    prompt.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'idle');
    await prompted(made, 'go');
    connection.send('s0', whole('user', '1', 'go'), chunk('user', '2', 'go'));
    assert.deepEqual(texts(made.session), ['go', 'x', 'go']);
  });

  it('V2-TURN-16, V2-TURN-7: prompts sent into the turn get theirs, also with the same text', async () => {
    const { made, connection } = await sent('go');
    for (const count of [1, 2]) {
      void made.session.turns.sendNow(made.session.turns.submit(draft('go')).id);
      await until(() => connection.steerings.length === count);
    }
    connection.send('s0', whole('user', '1', 'go'), chunk('user', '2', 'go'));
    connection.steerings[1]!.inserted?.('3');
    connection.send('s0', whole('user', '3', 'go'));
    assert.deepEqual(texts(made.session), ['go', 'go', 'go']);
    assert.deepEqual(ids(made), ['1', '2', '3']);
    for (const steering of connection.steerings) {
      steering.resolve('injected');
    }
  });

  it('V2-TURN-16, V2-TURN-7: one that is inserted only when the next prompt is sent isn’t shown twice either', async () => {
    for (const isAnswered of [false, true]) {
      const { made, connection, prompt } = await sent('one');
      void made.session.turns.sendNow(made.session.turns.submit(draft('two')).id);
      await until(() => connection.steerings.length === 1);
      prompt.resolve('end_turn');
      await until(() => made.session.turns.current.kind !== 'running');
      const next = await prompted(made, 'three');
      if (isAnswered) {
        connection.steerings[0]!.inserted?.('2');
        connection.steerings[0]!.resolve('injected');
      }
      connection.send('s0', chunk('user', '2', 'tw'), chunk('user', '2', 'o'));
      connection.send('s0', whole('user', '3', 'three'), chunk('agent', 'a', 'x'));
      assert.deepEqual(texts(made.session), ['one', 'two', 'three', 'x']);
      assert.deepEqual(ids(made), [undefined, '2', '3', 'a']);
      next.prompt.resolve('end_turn');
    }
  });

  it('V2-FORK-1, V2-TURN-7: a fork at it needs no reload', async () => {
    const { made, connection, prompt } = await sent('one');
    connection.send('s0', whole('user', 'u', 'one'), agent('hm'));
    prompt.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'idle');
    await prompted(made, 'two');
    assert.deepEqual(findForkPoint(made.session.transcript.entries, 2), { turn: 2, at: 'u' });
  });

  it('V2-RES-7: a replay that lacks it, or all else, shows what it has', async () => {
    const { made, connection, prompt } = await sent('one');
    connection.send('s0', whole('user', 'u', 'one'), whole('agent', 'a', 'Half'));
    prompt.resolve('end_turn');
    await until(() => made.session.turns.current.kind === 'idle');
    for (const { left, shown, phase } of [
      { left: [whole('agent', 'a', 'Done')], shown: ['Done'], phase: 'ready' },
      { left: [whole('user', 'u', 'one')], shown: ['one'], phase: 'ready' },
      { left: [], shown: [], phase: 'empty' },
    ]) {
      connection.replay = () => connection.send('s0', ...left, state('idle'));
      await made.session.reload();
      assert.deepEqual(texts(made.session), shown);
      assert.equal(made.session.phase.kind, phase);
    }
  });

  it('V2-TURN-7: an id that comes after the history was reset names nothing', async () => {
    const { made, prompt } = await sent();
    made.session.transcript.reset();
    made.session.transcript.apply(user('another'));
    prompt.inserted?.('u');
    assert.deepEqual(ids(made), [undefined]);
  });

  it('UP-6, T-22: an id that isn’t unique is none', async () => {
    const { made, connection } = await sent();
    connection.send('s0', user('do it', 'u'));
    assert.deepEqual(ids(made), [undefined]);
  });

  it('V2-TURN-7: with an attachment', async () => {
    const made = sessionBench();
    made.session.turns.submit({
      text: 'see',
      attachments: [{ type: 'image', name: 'i', mimeType: 'image/png', data: 'AA==' }],
    });
    await until(() => made.connections[0]?.prompts.length === 1);
    const [connection] = made.connections;
    const blocks: readonly Block[] = connection!.prompts[0]!.blocks;
    assert.equal(blocks.length, 2);
    connection!.send('s0', ...blocks.map((block) => chunk('user', 'u', block)));
    connection!.send('s0', whole('user', 'u', blocks), chunk('agent', 'a', 'x'));
    assert.deepEqual(ids(made), ['u', 'a']);
    assert.deepEqual(made.session.transcript.entries[0], {
      ...made.session.transcript.entries[0],
      blocks,
    });
  });

  it('V2-TURN-7: however it is cut, and whenever the answer comes, the prompt is there once, with its id', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        text,
        text,
        fc.array(fc.nat(5)),
        fc.nat(6),
        fc.boolean(),
        async (prompted_, said, cuts, at, isWhole) => {
          const { made, connection, prompt } = await sent(prompted_);
          const ends = [...new Set([...cuts.map((cut) => cut % said.length), said.length])]
            .filter((end) => end > 0)
            .sort((a, b) => a - b);
          const pieces = isWhole
            ? [whole('user', 'u', said)]
            : ends.map((end, index) => chunk('user', 'u', said.slice(ends[index - 1] ?? 0, end)));
          for (const [index, piece] of [...pieces, agent('x')].entries()) {
            if (index === at) {
              prompt.inserted?.('u');
            }
            connection.send('s0', piece);
          }
          prompt.inserted?.('u');
          assert.deepEqual(
            texts(made.session).filter((each) => each !== ''),
            // What only begins the prompt may be all that the agent has of it, or not yet all.
            [
              prompted_.startsWith(said) &&
              prompted_ !== said &&
              texts(made.session)[0] === prompted_
                ? prompted_
                : said,
              'x',
            ],
          );
          assert.equal(ids(made)[0], 'u');
          await made.session.close();
        },
      ),
      tries(750),
    );
  });
});
