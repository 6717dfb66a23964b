import assert from 'node:assert/strict';
import { agent, user } from '../../ui/webview/harness/entries';
import { useTranscripts } from './harness/transcriptPage';

describe('what agents send', () => {
  const open = useTranscripts();

  it('CO-9: a link that can not be opened shows where it leads', async () => {
    const { page } = await open({ entries: [agent('[Save money](command:acme.pay)')] });
    await page.getByText('(command:acme.pay)').waitFor();
    assert.equal(await page.getByRole('link').count(), 0);
  });

  it('CO-9: links go to the host, by mouse and by keyboard', async () => {
    const text =
      '[file](src/a.ts#L10) and [site](https://example.org/a?b) and [abs](/project/a.ts)';
    const { page, host } = await open({ entries: [agent(text)] });
    await page.getByRole('link', { name: 'file' }).click();
    await page.getByRole('link', { name: 'site' }).press('Enter');
    await page.getByRole('link', { name: 'abs' }).click();
    assert.deepEqual(
      (await host.sent('openLink')).map(({ href }) => href),
      ['src/a.ts#L10', 'https://example.org/a?b', '/project/a.ts'],
    );
    assert.equal(
      await page.getByRole('link', { name: 'site' }).getAttribute('title'),
      'https://example.org/a?b',
    );
  });

  it('T-24: a code block of 5 MB is folded, and the rest opens in an editor', async () => {
    const lines = Array.from({ length: 200_000 }, (_, line) => `const line${line} = ${line};`);
    const { page, host, errors } = await open({
      entries: [user('Show me'), agent(`Here:\n\n\`\`\`ts\n${lines.join('\n')}\n\`\`\``)],
    });
    await page.getByText('line39 ').waitFor();
    assert.equal(await page.getByText('line40 ').count(), 0);
    assert.ok((await page.locator('*').count()) < 2500);
    await page.getByRole('button', { name: /^Show all \([\d,]+ more characters\)$/ }).click();
    assert.deepEqual(await host.sent('openText'), [
      { type: 'openText', index: 1, part: 'blocks', item: 0 },
    ]);
    await page.getByRole('button', { name: /^Show [\d,]+ more lines$/ }).click();
    await page.getByText('line2000 ').waitFor();
    assert.deepEqual(errors, []);
  });

  it('T-24: a text of 300 KB is drawn even if no host has cut it', async () => {
    const { page, host, errors } = await open({ entries: [user('Show me')] });
    await page.getByText('Show me').waitFor();
    const text = `\`\`\`\n`.padEnd(300_000, `${'y'.repeat(99)}\n`);
    await host.send({
      type: 'snapshot',
      revision: 1000,
      header: host.header,
      phase: host.phase,
      session: host.session,
      count: 1,
      start: 0,
      entries: [{ kind: 'agent', blocks: [{ type: 'text', text, omitted: 0 }] }],
    });
    await page.getByRole('button', { name: /^Show 2,\d+ more lines$/ }).waitFor();
    assert.ok((await page.locator('*').count()) < 2500);
    assert.deepEqual(errors, []);
  });

  it('T-24: a text of nothing but marks is drawn in part, until the rest is asked for', async () => {
    const { page } = await open({ entries: [agent('- *a*\n'.repeat(15_000))] });
    await page.getByRole('button', { name: 'Show the rest of this text' }).waitFor();
    assert.ok((await page.locator('*').count()) < 2500);
  });

  it('CO-1: task lists have boxes, other brackets are left alone', async () => {
    const { page } = await open({
      entries: [agent('- [x] done\n- [ ] open\n\n[x] no list\n\n1. loose\n\n2. [x] counted')],
    });
    await page.getByText('[x] no list').waitFor();
    assert.equal(await page.locator('.task').count(), 3);
    assert.equal(await page.getByText('Done: ').count(), 2);
    assert.equal(await page.getByText('To do: ').count(), 1);
  });

  it('CO-1, V2-MSG-8: a growing message shows its Markdown as it comes', async () => {
    const { page, host } = await open({ entries: [agent('# One')] });
    await page.getByRole('heading', { name: 'One' }).waitFor();
    const whole = '# One\n\nFirst **bold** words\n\n- a\n- b\n\n```js\nlet x = 1;\n```\n\nThe end.';
    for (let end = 5; end <= whole.length; end += 3) {
      host.replace(0, agent(whole.slice(0, end)));
    }
    host.replace(0, agent(whole));
    await page.getByText('The end.').waitFor();
    await page.locator('strong', { hasText: 'bold' }).waitFor();
    assert.equal(await page.locator('li').count(), 2);
    assert.equal(await page.locator('figure').count(), 1);
  });

  it('links what the host finds to be files, and nothing else', async () => {
    const text = 'See `src/a.ts:12`, src/b.ts and `src/gone.ts`, but not [src/c.ts](https://x.y/).';
    const { page, host } = await open();
    host.mentioned.add('src/a.ts:12').add('src/b.ts').add('src/c.ts');
    host.append(agent(text));
    await page.getByRole('link', { name: 'src/a.ts:12' }).click();
    await page.getByRole('link', { name: 'src/b.ts' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'src/gone.ts' }).count(), 0);
    const contexts = await page
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('data-vscode-context')));
    assert.deepEqual(contexts, ['{"acpSessionsLines":"src/a.ts:12"}', null, null]);
    assert.deepEqual(await host.sent('openLink'), [{ type: 'openLink', href: 'src/a.ts:12' }]);
  });
});
