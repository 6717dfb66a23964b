import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openerFolder } from '../../scripts/host/sample.mjs';
import { describeGlance } from './demoAgent/glance';
import { sampleWorkspace } from './harness/sample';
import { useWorkbench } from './harness/workbench';
import { describeReading } from './history/reading';
import { describeTidying } from './history/tidying';
import { describeEditors } from './lists/editors';
import { describeFolders, workspaceFile } from './lists/folders';
import { describeSearch } from './lists/search';
import { describeTree } from './lists/tree';
import { describeTrouble } from './lists/trouble';
import { describeUntitled } from './lists/untitled';
import { describeUsage } from './lists/usageDocument';

describe('sessions in a window of VS Code', () => {
  const ui = useWorkbench('lists', async (folder) => {
    const planned = await sampleWorkspace(folder, 'history');
    const file = path.join(folder, workspaceFile);
    await writeFile(file, JSON.stringify({ folders: [{ path: planned.workspace }] }));
    return {
      ...planned,
      workspaceFile: file,
      settings: {
        'workbench.colorTheme': 'Default Dark Modern',
        // So that there are several pages.
        'acpSessions.agents': {
          demo: { title: 'Demo Agent', command: '${demoAgent}', args: ['--page-size', '10'] },
        },
      },
      viewport: { width: 1280, height: 1400 },
      extensions: [openerFolder],
    };
  });

  // Until it has opened a session, the opener takes the focus again and again, which closes lists.
  before(() => ui.page.locator('.tabs-container').getByRole('tab').first().waitFor());

  describe('of the sample history, reading and finding them', () => describeReading(ui));
  describe('of which nothing has gone on yet, at a glance', () => describeGlance(ui));
  describe('of the sample history, tidying them', () => describeTidying(ui));
  describe('transcripts as editors', () => describeEditors(ui));
  describe('the tree', () => describeTree(ui));
  describe('of an agent that gives no titles', () => describeUntitled(ui));
  describe('of agents that tell their account and usage', () => describeUsage(ui));
  describe('searching in conversations', () => describeSearch(ui));
  describe('of an agent that misbehaves', () => describeTrouble(ui));
  describe('of several folders', () => describeFolders(ui));
});
