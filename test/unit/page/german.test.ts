import { useTranscripts } from './harness/transcriptPage';

describe('a transcript in German', () => {
  const open = useTranscripts();

  it('writes numbers as Germans do', async () => {
    const { page } = await open({ phase: { kind: 'loading', received: 12_345 }, language: 'de' });
    await page.getByText('12.345 Aktualisierungen').waitFor();
  });
});
