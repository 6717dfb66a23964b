import assert from 'node:assert/strict';
import type { Entry } from '../../../src/shared/transcript/entries';
import { violations } from './harness/axe';
import { message } from './harness/entries';
import { failed, terminal } from './harness/scenes/entries';
import { pictures, useTranscripts } from './harness/transcriptPage';

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

  it('show their times while the mouse or the focus is on them, over no other word, in every theme', async () => {
    const seen = new Date(2025, 10, 22, 14, 32, 5).getTime();
    const timed = (entry: Entry): Entry => ({ ...entry, seen }) as Entry;
    const { page, errors } = await open({
      entries: [
        { ...message('user', 'Look at it'), turn: { began: seen, ended: seen + 5000 } } as Entry,
        timed(message('thought', 'Where is it')),
        timed(
          message(
            'agent',
            'I have looked at the parser and at all of its tests, and they agree. '.repeat(3),
          ),
        ),
        timed(message('agent', 'And a list:\n\n- one\n- two')),
      ],
    });
    const row = page.locator('.row', { hasText: 'And a list' });
    const time = row.locator('.message-time');
    await row.waitFor();
    assert.equal(await time.evaluate((element) => getComputedStyle(element).opacity), '0');
    await row.hover();
    assert.equal(await time.evaluate((element) => getComputedStyle(element).opacity), '1');
    const inside = await time.evaluate((element) => {
      const [own, around] = [element, element.closest('.row')].map((each) =>
        each?.getBoundingClientRect(),
      );
      return own && around && own.bottom <= around.bottom && own.right <= around.right;
    });
    assert.ok(inside);
    await page.mouse.move(0, 0);
    const long = page.locator('.row', { hasText: 'I have looked' });
    await long.focus();
    assert.equal(
      await long.locator('.message-time').evaluate((element) => getComputedStyle(element).opacity),
      '1',
    );
    assert.deepEqual(await violations(page), []);
    await row.hover();
    await pictures(page, 'message-times', ['Light Modern', 'Dark Modern', 'Default High Contrast']);
    assert.deepEqual(errors, []);
  });
});
