import { Dialogs } from '../../vscode/harness/dialogs';
import { ExtensionBench } from '../../vscode/harness/support';

/** Gives each test the extension, and a user whose answers to dialogs the test decides. */
export function useBench(take: (bench: ExtensionBench, dialogs: Dialogs) => unknown): void {
  let bench: ExtensionBench;
  let dialogs: Dialogs;
  beforeEach(async () => {
    bench = await ExtensionBench.create();
    dialogs = new Dialogs();
    await take(bench, dialogs);
  });
  afterEach(async () => {
    dialogs.dispose();
    await bench.dispose();
  });
}
