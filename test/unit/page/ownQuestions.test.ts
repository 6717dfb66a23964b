import assert from 'node:assert/strict';
import { permission } from '../../ui/webview/harness/asking';
import type { Locator } from './harness/locator';
import type { Page } from './harness/page';
import { useTranscripts } from './harness/transcriptPage';

const card = (page: Page): Locator => page.locator('.card');

describe('SEC-32: questions of the window’s own', () => {
  const open = useTranscripts();

  it('PE-9: what the agent did not ask for is asked in full, with its folder and its change', async () => {
    const own = (act: 'write' | 'folder') => ({ own: { act } }) as const;
    const command = 'rm -rf "a\u202eb"';
    const { page, host } = await open({
      entries: [
        permission(
          1,
          { toolKind: 'execute', title: command, rawInput: { command, env: { PAGER: 'x' } } },
          { own: { act: 'command', folder: '/tmp/a\nb' } },
        ),
      ],
      session: { waiting: [0] },
    });
    const title = (name: string): Promise<void> =>
      card(page).getByRole('heading', { name, exact: true }).waitFor();
    await title('Claude wants to run a command it didn’t ask permission for');
    const shown = await card(page).locator('.command pre').textContent();
    assert.equal(shown?.trim(), 'rm -rf "a⟨U+202E⟩b"');
    await card(page).getByText('It runs in /tmp/a⟨U+000A⟩b.').waitFor();
    await card(page).getByText('"PAGER": "x"').waitFor();
    const path = '/project/shop/a\u202ecod.exe';
    const content = [{ type: 'diff', path, oldText: 'old\n', newText: 'new\n' }] as const;
    host.replace(0, permission(2, { toolKind: 'edit', title: path, content }, own('write')));
    await title('Claude wants to write a file it didn’t ask permission for');
    await card(page).locator('.card-subject').getByText('a⟨U+202E⟩cod.exe').waitFor();
    await card(page).locator('.diff-line-added', { hasText: 'new' }).waitFor();
    await card(page).locator('.diff-line-removed', { hasText: 'old' }).waitFor();
    host.replace(0, permission(3, { title: '/etc' }, own('folder')));
    await title('Claude names a folder outside this window');
    await card(page).locator('.card-subject').getByText('/etc', { exact: true }).waitFor();
    await card(page).getByText('Let it read and write files there?').waitFor();
    const state = { kind: 'selected', optionId: 'always', by: 'person' } as const;
    host.replace(0, permission(3, { title: '/etc' }, { ...own('folder'), state }));
    host.setSession({ waiting: [] });
    await page.getByText('Allowed for this session by you').waitFor();
  });
});
