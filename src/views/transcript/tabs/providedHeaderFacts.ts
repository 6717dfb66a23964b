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

const maxFacts = 4;
const maxText = 100;
const maxTitle = 2_000;

/** What features say of a session in its header. */
export class ProvidedHeaderFacts implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#changed.event;
  readonly #readers: ReadFacts[] = [];

  provide(read: ReadFacts, onDidChange: Event<void>): void {
    this.#readers.push(read);
    this.#store.add(onDidChange(() => this.#changed.fire()));
    this.#changed.fire();
  }

  of(session: FactsSession): readonly HeaderFact[] {
    return this.#readers
      .flatMap((read) => read(session))
      .slice(0, maxFacts)
      .map(({ icon, text, title }) => ({
        icon,
        text: cleanText(text, maxText),
        title: bounded(title, maxTitle),
      }));
  }

  dispose(): void {
    this.#store.dispose();
  }
}
