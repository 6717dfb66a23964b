import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { Recordings } from './recordings';
import { Replays } from './replays';
import type { TraceServices } from './traceServices';

/** Recording the connections of agents, and opening what was recorded. */
export class Traces implements Disposable {
  readonly #store = new DisposableStore();
  readonly recordings: Recordings;
  readonly replays: Replays;

  constructor(services: TraceServices) {
    this.recordings = this.#store.add(new Recordings(services));
    this.replays = this.#store.add(new Replays(services));
  }

  /** "Record or Replay Trace…": what can be done now. */
  async choose(): Promise<void> {
    const { recordings, replays } = this;
    const picked = await vscode.window.showQuickPick(
      [
        ...(recordings.isRecording
          ? [{ label: l10n.t('Stop Recording Trace'), act: () => recordings.stop(undefined) }]
          : []),
        { label: l10n.t('Record Trace…'), act: () => recordings.record(undefined) },
        { label: l10n.t('Replay Trace…'), act: () => replays.open(undefined) },
        ...(replays.agents.length > 0
          ? [{ label: l10n.t('Close Trace'), act: () => replays.close(undefined) }]
          : []),
      ],
      { title: l10n.t('Record or Replay Trace') },
    );
    await picked?.act();
  }

  async end(): Promise<void> {
    await this.recordings.end();
  }

  dispose(): void {
    this.#store.dispose();
  }
}
