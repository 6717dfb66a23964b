import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { closeAllEditors, newSession, transcriptFrame, treeRow } from '../harness/window';
import type { Workbench } from '../harness/workbench';
import { send } from './composing';

/** Proves that what the tests of both versions below prove fits together over version 2. */
export function describeLaterTurn(ui: Readonly<Workbench>): void {
  afterEach(() => closeAllEditors(ui.page));

  it('asks, writes a file once that is allowed, and ends', async () => {
    const { page, workspace } = ui;
    await newSession(page);
    const frame = transcriptFrame(page);
    await send(frame, '/diff later.md');
    await frame.getByRole('button', { name: 'Allow once' }).click();
    await frame.getByText('The change is made').first().waitFor();
    const file = path.join(workspace, 'later.md');
    assert.match(readFileSync(file, 'utf8'), /A line from the demo agent/);
    await frame.getByRole('button', { name: /^1 file/ }).waitFor();
    await treeRow(page, /^\/diff later\.md/).waitFor();
    await frame.getByText('is working').waitFor({ state: 'detached' });
  });
}
