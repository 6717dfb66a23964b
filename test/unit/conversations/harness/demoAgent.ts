import { useWhole, type Whole } from './whole';

/** Runs the whole product with the demo agent, a process, which has no sessions yet. */
export function useDemoAgent(): Readonly<{ current: Whole }> {
  afterEach(() => {
    delete process.env['ACP_SESSIONS_DEMO_STORE'];
  });
  return useWhole((bench) => {
    process.env['ACP_SESSIONS_DEMO_STORE'] = bench.file('store');
    return { demo: { title: 'Demo Agent', command: '${demoAgent}' } };
  });
}
