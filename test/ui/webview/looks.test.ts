import assert from 'node:assert/strict';
import { pictureTest, screenshot } from '../harness/screenshot';
import { sample } from './harness/sample';
import { allThemes, setTheme, useTranscripts } from './harness/transcriptPage';

describe('how the transcript looks', () => {
  const open = useTranscripts();

  pictureTest('is kept as a picture in every theme', async () => {
    const plan = sample.find((entry) => entry.kind === 'plan');
    const { page } = await open({
      entries: sample,
      session: { checklist: plan?.kind === 'plan' ? plan.items : [] },
      viewport: { width: 960, height: 1500 },
    });
    await page.getByText('All 7 tests pass').waitFor();
    await page.locator('.hljs-keyword').first().waitFor();
    for (const theme of allThemes) {
      await setTheme(page, theme);
      await screenshot(page, 'transcript', theme);
    }
  });

  pictureTest('is kept as a picture with a limit that is reached, in every theme', async () => {
    const resetsAt = Date.now() + 3_600_000;
    const began = Date.now() - 60_000;
    const usage = { total: 12_345, input: 12_000, output: 345 };
    const failure = {
      code: 'protocol',
      title: '5-hour limit reached, resets 3:40 PM',
      detail: 'It couldn’t complete the request. It said: “You’ve hit your limit”.',
      actions: ['retry', 'showLog'],
      resetsAt,
    } as const;
    const { page } = await open({
      entries: [
        {
          kind: 'user',
          blocks: [{ type: 'text', text: 'Round the total' }],
          turn: { began, ended: began + 12_000, usage },
        },
        { kind: 'turn', outcome: { type: 'failed', failure, canResend: true } },
      ],
      session: {
        limit: { status: 'reached', window: 'fiveHours', resetsAt },
        queue: [
          { id: 1, draft: { text: 'And the tax', attachments: [] }, held: true, at: resetsAt },
        ],
      },
      viewport: { width: 760, height: 520 },
    });
    await page.getByText('5-hour limit reached, resets').last().waitFor();
    for (const theme of allThemes) {
      await setTheme(page, theme);
      await screenshot(page, 'limit', theme);
    }
  });

  pictureTest('is kept as a picture with suggested prompts, in every theme', async () => {
    const { page } = await open({
      entries: sample.slice(0, 3),
      session: {
        suggestedPrompts: [
          'Run the test suite and fix what breaks',
          'Explain in a few words why the total was rounded twice, and where else in the shop that could happen again',
        ],
      },
      viewport: { width: 760, height: 420 },
    });
    await page.getByRole('button', { name: 'Run the test suite' }).waitFor();
    for (const theme of allThemes) {
      await setTheme(page, theme);
      await screenshot(page, 'suggestions', theme);
    }
  });

  pictureTest('is kept as a picture with options of unknown types, in every theme', async () => {
    const raw = '{\n  "id": "heat",\n  "type": "number",\n  "currentValue": 0.7\n}';
    const { page } = await open({
      entries: sample.slice(0, 2),
      session: {
        unknownOptions: [
          { type: 'unknown', kind: 'number', name: 'Temperature', raw },
          { type: 'unknown', kind: 'date', name: 'Knowledge until', raw: '{}' },
        ],
      },
      viewport: { width: 760, height: 520 },
    });
    const line = page.getByRole('button', { name: 'Temperature (number), Knowledge until (date)' });
    assert.equal(await page.getByText('"currentValue"').count(), 0);
    await line.click();
    await page.getByText('"currentValue": 0.7').waitFor();
    for (const theme of allThemes) {
      await setTheme(page, theme);
      await screenshot(page, 'unknown-options', theme);
    }
  });

  pictureTest('is kept as a picture in a narrow tab', async () => {
    const { page } = await open({ entries: sample, viewport: { width: 300, height: 2200 } });
    await page.getByText('All 7 tests pass').waitFor();
    await screenshot(page, 'transcript-narrow');
  });
});
