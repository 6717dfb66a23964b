import type { WorkspaceFolder } from '../../../model/ports';
import type { PlaceFact } from '../../../shared/transcript/firstChoices';
import type { MadePlace, MakePlace, PlaceWish, PlannedPlace, ProvidedPlaces } from './newPlaces';

/** Whether a place is made for the session of a page, and which. */
export class WantedPlace {
  readonly #places: ProvidedPlaces;
  readonly #changed: () => void;
  /** What a new place is called, by the path of the folder that it is for. */
  #names: ReadonlyMap<string, string> = new Map();
  #planning: Promise<PlannedPlace> | undefined;
  #planned: PlannedPlace | undefined;

  constructor(places: ProvidedPlaces, changed: () => void) {
    this.#places = places;
    this.#changed = changed;
  }

  get isWanted(): boolean {
    return this.#planning !== undefined;
  }

  /** Finds out for which of these folders a place can be made. Never rejects. */
  async look(folders: readonly WorkspaceFolder[]): Promise<void> {
    const names = await Promise.all(
      folders.map(async (folder) => {
        const of = folders.length > 1 ? folder.name : undefined;
        return [folder.path, await this.#places.nameFor(folder, of)] as const;
      }),
    );
    this.#names = new Map(names.flatMap(([path, name]) => (name ? [[path, name]] : [])));
    this.#changed();
  }

  /** What a new place for a folder is called; `undefined` if there can be none. */
  nameFor({ path }: WorkspaceFolder): string | undefined {
    return this.#names.get(path);
  }

  /** The user wants one. Rejects with an error for the user if there can be none: then they get the folder itself. */
  async want(folder: WorkspaceFolder): Promise<void> {
    this.#planned = undefined;
    const planning = this.#places.plan(folder);
    this.#planning = planning;
    this.#changed();
    try {
      const planned = await planning;
      if (this.#planning === planning) {
        this.#planned = planned;
      }
    } catch (error) {
      if (this.#planning === planning) {
        this.leave();
        throw error;
      }
    } finally {
      this.#changed();
    }
  }

  /** The user wants none. */
  leave(): void {
    this.#planning = undefined;
    this.#planned = undefined;
  }

  facts(wish: PlaceWish): readonly PlaceFact[] {
    return this.#planned?.facts(wish) ?? [];
  }

  async change(key: string, wish: PlaceWish): Promise<void> {
    await this.#planned?.change(key, wish);
    this.#changed();
  }

  /** Like `PlannedPlace.settle`; also `undefined` if none is wanted any more. */
  async settle(wish: PlaceWish): Promise<readonly MakePlace[] | undefined> {
    return (await this.#planning)?.settle(wish);
  }

  /** Shows the sessions side by side that have begun in these places. */
  async compare(made: readonly MadePlace[]): Promise<void> {
    await this.#planned?.compare(made);
  }
}
