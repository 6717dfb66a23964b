import { execFileSync } from 'node:child_process';
import { describeAsking } from './changes/asking';
import { describeRepository } from './changes/repository';
import { describeWorktrees } from './changes/worktrees';
import { sampleWorkspace } from './harness/sample';
import { useWorkbench } from './harness/workbench';

describe('a repository of Git in a window of VS Code', () => {
  const ui = useWorkbench('repository', async (folder) => {
    const planned = await sampleWorkspace(folder, 'none');
    execFileSync('git', ['init', '--quiet', '--initial-branch=trunk', planned.workspace]);
    return { ...planned, viewport: { width: 1440, height: 900 } };
  });

  describe('beside changes to review', () => describeRepository(ui));
  describe('asking an agent', () => describeAsking(ui));
  describe('sessions in worktrees', () => describeWorktrees(ui));
});
