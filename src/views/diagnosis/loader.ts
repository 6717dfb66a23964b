import type { Agent } from '../../model/agent';
import { type Disposable, DisposableStore } from '../../util/disposable';
import { Lazy } from '../../util/lazy';
import type { DiagnosisServices, DiagnosisView } from './diagnosisView';

/** Loads the separate bundle for diagnoses with the first one. */
export class Diagnoses implements Disposable {
  readonly #store = new DisposableStore();
  readonly #view: Lazy<DiagnosisView>;

  constructor(services: DiagnosisServices) {
    this.#view = new Lazy(async () => {
      const { DiagnosisView: Loaded } = await import('./diagnosisView');
      return this.#store.add(new Loaded(services));
    });
  }

  /** Diagnoses an agent and shows the report. */
  async diagnose(agent: Agent): Promise<void> {
    await (await this.#view.get()).diagnose(agent);
  }

  /** Copies the report that is shown at this address, or in the active editor. */
  async copyReport(argument: unknown): Promise<void> {
    await (await this.#view.get()).copyReport(argument);
  }

  dispose(): void {
    this.#store.dispose();
  }
}
