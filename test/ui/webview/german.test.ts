import assert from 'node:assert/strict';
import { screenshot } from '../harness/screenshot';
import { violations } from './harness/axe';
import { commands, options, prompt, running } from './harness/composing';
import { sample } from './harness/sample';
import { useTranscripts } from './harness/transcriptPage';

describe('a transcript in German', () => {
  const open = useTranscripts();

  it('speaks German, counts in it, and is kept as a picture', async () => {
    const { page, errors } = await open({
      entries: sample,
      session: {
        turn: running,
        commands,
        configOptions: options,
        usage: { used: 157_000, size: 200_000, cost: { amount: 1.27, currency: 'USD' } },
      },
      language: 'de',
      viewport: { width: 900, height: 700 },
    });
    assert.equal(await page.locator('html').getAttribute('lang'), 'de');
    await page.getByText('Claude arbeitet…').waitFor();
    await page
      .getByRole('button', { name: 'Zur Warteschlange hinzufügen (Eingabetaste)' })
      .waitFor();
    assert.equal(
      await prompt(page).getAttribute('placeholder'),
      'Nachricht an Claude, / für Befehle, @ für Kontext',
    );
    await screenshot(page, 'transcript-german');
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(errors, []);
  });
});
