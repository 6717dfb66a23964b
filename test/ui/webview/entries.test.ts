import assert from 'node:assert/strict';
import type { Entry } from '../../../src/shared/transcript/entries';
import { violations } from './harness/axe';
import { message } from './harness/entries';
import { failed, terminal } from './harness/scenes/entries';
import { useTranscripts } from './harness/transcriptPage';

describe('entries of a turn', () => {
  const open = useTranscripts();

  it('PR-6, PR-7, TE-9: dropped entries, ends of turns and terminals can be read in every theme', async () => {
    const { page, errors } = await open({
      entries: [
        { ...message('user', 'Something `bad`'), dropped: true } as Entry,
        { ...message('thought', 'Should it'), dropped: true } as Entry,
        {
          ...message('agent', 'Some *words* and [a link](https://a.example)'),
          dropped: true,
        } as Entry,
        { ...terminal, dropped: true },
        { kind: 'turn', outcome: { type: 'stopped', stopReason: 'refusal' } },
        terminal,
        failed,
      ],
    });
    await page.getByText('It ended in the middle').waitFor();
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(errors, []);
  });
});
