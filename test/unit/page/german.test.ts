import { useTranscripts } from './harness/transcriptPage';

describe('a transcript in German', () => {
  const open = useTranscripts();

  it('writes numbers as Germans do', async () => {
    const { page } = await open({ phase: { kind: 'loading', received: 12_345 }, language: 'de' });
    await page.getByText('12.345 Aktualisierungen').waitFor();
  });

  it('has no word of the protocol in a plan', async () => {
    const items = (['high', 'low'] as const).map((priority) => ({
      ...{ content: 'Lesen', priority, status: 'pending' as const },
    }));
    const { page } = await open({ entries: [{ kind: 'plan', items }], language: 'de' });
    await page.getByText('hohe Priorität').waitFor();
    await page.getByText('niedrige Priorität').waitFor();
  });
});
