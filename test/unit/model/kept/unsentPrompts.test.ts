import assert from 'node:assert/strict';
import { until } from '../../../support/until';
import { draft, sessionBench } from '../sessionBench';

describe('Turns: prompts that can’t be made ready', () => {
  it('PR-9: a prompt whose attachment can’t be made ready ends its turn, and says which and why', async () => {
    const made = sessionBench();
    const attachment = {
      type: 'selection' as const,
      name: 'a.ts',
      get uri(): string {
        throw new Error('its address is broken');
      },
      startLine: 1,
      endLine: 1,
      text: '',
    };
    made.session.turns.submit({ text: 'look', attachments: [attachment] });
    made.session.turns.submit(draft('next'));
    await until(() => made.connections[0]?.prompts.length === 1);
    const ended = made.session.transcript.entries.find(({ kind }) => kind === 'turn');
    assert.ok(ended?.kind === 'turn' && ended.outcome.type === 'failed');
    assert.equal(ended.outcome.failure.title, 'The prompt was not sent');
    assert.match(
      ended.outcome.failure.detail,
      /“a\.ts” could not be attached: its address is broken/,
    );
    assert.deepEqual(made.connections[0]?.calls, ['load s0', 'prompt s0 next']);
  });
});
