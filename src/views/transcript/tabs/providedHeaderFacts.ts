import type { Session } from '../../../model/session/session';
import { cleanText } from '../../../model/text/titles';
import type { HeaderFact } from '../../../shared/transcript/webviewMessages';
import { type Disposable, DisposableStore } from '../../../util/disposable';
import { Emitter, type Event } from '../../../util/emitter';
import { bounded } from '../rows/drawTexts';

/** What is known of a session for that. */
export type FactsSession = Pick<Session, 'info' | 'phase'> & {
  readonly agent: { readonly id: string };
};

type ReadFacts = (session: FactsSession) => readonly HeaderFact[];

/** Opens what a fact stands for, by the name that it has in `opens`. */
type OpenFact = (session: FactsSession, opens: string) => unknown;

const maxFacts = 6;
const maxText = 100;
const maxTitle = 2_000;

/** What features say of a session in its header. */
export class ProvidedHeaderFacts implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#changed.event;
  readonly #providers: { readonly read: ReadFacts; readonly open: OpenFact | undefined }[] = [];

  provide(read: ReadFacts, onDidChange: Event<void>, open?: OpenFact): void {
    this.#providers.push({ read, open });
    this.#store.add(onDidChange(() => this.#changed.fire()));
    this.#changed.fire();
  }

  of(session: FactsSession): readonly HeaderFact[] {
    return this.#providers
      .flatMap(({ read }) => read(session))
      .slice(0, maxFacts)
      .map(({ icon, text, title, opens }) => ({
        icon,
        text: cleanText(text, maxText),
        title: bounded(title, maxTitle),
        ...(opens !== undefined && { opens }),
      }));
  }

  /** Opens what a fact that is shown now stands for; nothing else can be opened. */
  open(session: FactsSession, opens: string): unknown {
    return this.#providers
      .find(({ read }) => read(session).some((fact) => fact.opens === opens))
      ?.open?.(session, opens);
  }

  dispose(): void {
    this.#store.dispose();
  }
}
