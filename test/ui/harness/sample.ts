import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { copySampleProject } from '../../../scripts/host/sample.mjs';
import { inProject } from '../../support/project';
import type { HostOptions } from './host';

/** A copy of the sample project, with the demo agent's sessions beside it: none yet, or the sample history. */
export async function sampleWorkspace(
  folder: string,
  sessions: 'none' | 'history',
): Promise<HostOptions> {
  const workspace = await copySampleProject(folder);
  const store = path.join(folder, 'sessions');
  if (sessions === 'history') {
    const demoAgent = inProject('dist/demoAgent.js');
    execFileSync(process.execPath, [demoAgent, '--seed-sample', store, workspace]);
  }
  return { workspace, env: { ACP_SESSIONS_DEMO_STORE: store } };
}
