import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fakeAgent } from '../fakeAgent/scenario';
import { notification, runCommand, treeRow } from './harness/window';
import { useWorkbench } from './harness/workbench';

describe('signing in, in a window of VS Code', () => {
  const ui = useWorkbench('sign-in', (folder) => {
    const authenticate = [
      { line: 'Opening browser to sign in…' },
      { line: "If the browser didn't open, visit: https://login.example/in?state=gate-state" },
      { waitForFile: path.join(folder, 'done') },
      { result: {} },
    ];
    const sessions = [{ sessionId: 's1', cwd: folder, title: 'Water the ferns' }];
    const initialize = { authMethods: [{ id: 'm', name: 'Browser' }] };
    const { command, args, env } = fakeAgent({ initialize, sessions, on: { authenticate } });
    const agents = { demo: null, fake: { title: 'Fake', command, args, env } };
    return { workspace: folder, settings: { 'acpSessions.agents': agents } };
  });

  it('AUTH-3: shows what the agent prints, and opens the address only after VS Code has asked', async () => {
    const { page } = ui;
    await treeRow(page, /^Water the ferns/).waitFor();
    await runCommand(page, 'ACP Sessions: Sign In');
    await notification(page, /Signing in to Fake: Browser: If the browser didn't open/).waitFor();
    const offer = notification(page, 'Fake has printed an address at login.example');
    await offer.getByRole('button', { name: 'Open…' }).click();
    const question = page.getByRole('dialog').filter({ hasText: 'external website' });
    await question.getByText('https://login.example/in?state=gate-state').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await writeFile(path.join(ui.folder, 'done'), '');
    await page.getByText('Signed in to Fake').first().waitFor();
  });
});
