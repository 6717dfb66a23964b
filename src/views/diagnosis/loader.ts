import type { Agent } from '../../model/agents/agent';
import { type Disposable, DisposableStore } from '../../util/disposable';
import type { DiagnosisServices, DiagnosisView } from './diagnosisView';

/** Loads the separate bundle for diagnoses with the first one. */
export class Diagnoses implements Disposable {
  readonly #store = new DisposableStore();
  readonly #services: DiagnosisServices;
  #view: Promise<DiagnosisView> | undefined;

  constructor(services: DiagnosisServices) {
    this.#services = services;
  }

  /** Diagnoses an agent and shows the report. */
  async diagnose(agent: Agent): Promise<void> {
    await (await this.#load()).diagnose(agent);
  }

  /** Copies the report that is shown at this address, or in the active editor. */
  async copyReport(argument: unknown): Promise<void> {
    await (await this.#load()).copyReport(argument);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #load(): Promise<DiagnosisView> {
    this.#view ??= import('./diagnosisView').then(({ DiagnosisView: Loaded }) =>
      this.#store.add(new Loaded(this.#services)),
    );
    return this.#view;
  }
}
