import { openerFolder } from '../../scripts/host/sample.mjs';
import { sampleWorkspace } from './harness/sample';
import { useWorkbench } from './harness/workbench';
import { describeReading } from './history/reading';
import { describeTidying } from './history/tidying';

describe('the sample history in a window of VS Code', () => {
  const ui = useWorkbench('history', async (folder) => ({
    ...(await sampleWorkspace(folder, 'history')),
    settings: {
      'workbench.colorTheme': 'Default Dark Modern',
      // So that there are several pages.
      'acpSessions.agents': {
        demo: { title: 'Demo Agent', command: '${demoAgent}', args: ['--page-size', '10'] },
      },
    },
    viewport: { width: 1280, height: 1400 },
    extensions: [openerFolder],
  }));

  describe('reading and finding sessions', () => describeReading(ui));
  describe('tidying them', () => describeTidying(ui));
});
