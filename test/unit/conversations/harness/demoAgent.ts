import { seedSample } from '../../../../src/demoAgent/sample/seed';
import { SessionStore } from '../../../../src/demoAgent/store/sessionStore';
import { workspaceFolder } from '../../../vscode/harness/support';
import { useWhole, type Whole } from './whole';

/** Runs the whole product with the demo agent, a process, which has no sessions yet, or those of the sample. */
export function useDemoAgent(sessions: 'none' | 'history' = 'none'): Readonly<{ current: Whole }> {
  afterEach(() => {
    delete process.env['ACP_SESSIONS_DEMO_STORE'];
  });
  return useWhole(async (bench) => {
    const folder = bench.file('store');
    process.env['ACP_SESSIONS_DEMO_STORE'] = folder;
    if (sessions === 'history') {
      await seedSample(await SessionStore.open(folder), workspaceFolder(), Date.now());
    }
    return { demo: { title: 'Demo Agent', command: '${demoAgent}' } };
  });
}
