import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { name as extensionName, publisher } from '../../../package.json';
import { ableInitialize, fakeAgent, type Json, type Step, update } from '../../fakeAgent/scenario';
import { composer, send } from '../demoAgent/composing';
import { screenshot, screenshotsAreAsked } from '../harness/screenshot';
import {
  chooseViewOption,
  closeAllEditors,
  editorTab,
  openSessionsView,
  runCommand,
  transcriptFrame,
  treeRow,
} from '../harness/window';
import { changeSettings, useAgents, type Workbench } from '../harness/workbench';

const { agentCapabilities } = ableInitialize;
const initialize: Json = {
  agentCapabilities: { ...agentCapabilities, auth: { logout: {}, status: {} } },
  authMethods: [{ id: 'login', name: 'Log in' }],
};

/** Agents that tell their account, and what their turns use. */
export function describeUsage(ui: Readonly<Workbench>): void {
  useAgents(ui, ({ workspace }) => {
    const asked = (status: Json): Readonly<Record<string, readonly Step[]>> => ({
      'auth/status': [{ result: status }],
      'session/prompt': [
        { update: update.agent('Done.', 'a2') },
        {
          update: {
            ...{ sessionUpdate: 'usage_update', used: 42_000, size: 200_000 },
            cost: { amount: 0.25, currency: 'USD' },
          },
        },
        {
          result: {
            stopReason: 'end_turn',
            usage: { inputTokens: 1200, outputTokens: 340, totalTokens: 1540, thoughtTokens: 80 },
          },
        },
      ],
    });
    const account = { label: 'Claude Max', email: 'someone@example.org', active: true };
    const agent = (title: string, sessionId: string, status: Json): Json => ({
      title,
      ...fakeAgent({
        initialize,
        sessions: [{ sessionId, cwd: workspace, title: `${title} session` }],
        replays: {
          [sessionId]: [{ updates: [update.user('Hello'), update.agent('Hello!', 'a1')] }],
        },
        on: asked(status),
      }),
    });
    return {
      claude: agent('Claude', 'c', { state: 'authenticated', accounts: [account] }),
      codex: agent('Codex', 'x', { state: 'unauthenticated' }),
    };
  });

  before(() => chooseViewOption(ui.page, 'Agent'));
  after(async () => {
    await closeAllEditors(ui.page);
    await chooseViewOption(ui.page, 'Date');
  });

  /** What earlier months have left. */
  async function withEarlier(): Promise<void> {
    const storage = path.join(ui.dataFolder, 'User', 'globalStorage');
    const folder = path.join(storage, `${publisher}.${extensionName}`, 'usage');
    await mkdir(folder, { recursive: true });
    const day = 86_400_000;
    const lines = Array.from({ length: 12 }, (_, at) => ({
      ...{ at: Date.now() - at * day, session: `s${at}`, turns: 3 + at, ms: 95_000 * (at + 1) },
      ...{
        agent: at % 3 ? 'claude' : 'codex',
        folder: ['/home/me/garden', '/home/me/shop'][at % 2],
      },
      ...{ input: 12_345 * (at + 1), output: 987 * at, thought: 55 * at, cachedRead: 4_321 * at },
      ...(at % 3 ? { cost: 0.173 * at, currency: 'USD', total: 1 } : {}),
    }));
    const file = path.join(folder, '2026-01.jsonl');
    await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  }

  const shown = (text: string | RegExp) =>
    ui.page.locator('.editor-instance .view-line', { hasText: text }).first();

  it('AUTH-16: rows say with what account an agent works', async () => {
    const { page } = ui;
    await treeRow(page, /^Claude.*Claude Max/)
      .first()
      .waitFor();
    await treeRow(page, /^Codex/)
      .first()
      .click();
    await treeRow(page, /^Codex.*not signed in/)
      .first()
      .waitFor();
  });

  it('US-7: a turn is in the document that Show Usage opens, with what was used before', async () => {
    const { page } = ui;
    await withEarlier();
    await treeRow(page, /^Claude session/).dblclick();
    const frame = transcriptFrame(page);
    await composer(frame).waitFor();
    await send(frame, 'go');
    await frame.locator('p').getByText('Done.', { exact: true }).first().waitFor();
    await frame.getByText('0.25 USD').waitFor();
    await runCommand(page, 'ACP Sessions: Show Usage');
    await editorTab(page, /^Agents\.usage\.md/).waitFor();
    await shown(/Claude.*USD/).waitFor();
    await page.getByRole('button', { name: 'Export as CSV…' }).first().waitFor();
    for (const theme of screenshotsAreAsked ? themes : []) {
      await page.mouse.move(900, 500);
      await changeSettings(ui, { 'workbench.colorTheme': theme });
      await openSessionsView(page);
      await treeRow(page, /^Claude.*Claude Max/)
        .first()
        .hover();
      await page.locator('.monaco-hover', { hasText: 'someone@example.org' }).waitFor();
      await screenshot(page, 'usage-account', theme);
      await page.keyboard.press('Escape');
      await treeRow(page, /^Codex/)
        .first()
        .hover();
      await screenshot(page, 'usage', theme);
    }
  });
}

const themes = ['Default Light Modern', 'Default High Contrast', 'Default Dark Modern'];
