type ReadFacts = (agentId: string) => readonly string[];

const maxFacts = 40;

/** What features say of an agent in its diagnosis, one sentence each; anything in them may be text of others. */
export class DiagnosisFacts {
  readonly #readers: ReadFacts[] = [];

  provide(read: ReadFacts): void {
    this.#readers.push(read);
  }

  of(agentId: string): readonly string[] {
    return this.#readers.flatMap((read) => read(agentId)).slice(0, maxFacts);
  }
}
