import * as l10n from '@vscode/l10n';
import type { WorkspaceFolder } from '../../../model/ports';
import { UserError } from '../../../shared/failure';
import type { PlaceFact } from '../../../shared/transcript/firstChoices';
import type { Draft } from '../../../shared/transcript/prompt';

/** A place that was made for a session. */
export interface MadePlace {
  readonly folder: WorkspaceFolder;
  /** A draft with the files of this place, where it has them. */
  moved(draft: Draft): Promise<Draft>;
}

/** Makes a place. Rejects with an error for the user, with nothing left behind unless it says so. */
export type MakePlace = (signal: AbortSignal) => Promise<MadePlace>;

/** What places are made for. */
export interface PlaceWish {
  /** The prompt that begins. */
  readonly draft: Draft;
  /** The agents, if each gets a place of its own. */
  readonly agents: readonly string[];
}

/** Places that are made for a session, or several, when the first prompt is sent; until then there is nothing of them. */
export interface PlannedPlace {
  /** What the user can change, as it would be now. */
  facts(wish: PlaceWish): readonly PlaceFact[];
  /** Lets the user change a fact; nothing changes if they don't say. */
  change(key: string, wish: PlaceWish): Promise<void>;
  /**
   * Decides and asks all that is open, before anything is made: a maker for each agent, to be run one after the other.
   * `undefined`: the user cancels. Rejects with an error for the user.
   */
  settle(wish: PlaceWish): Promise<readonly MakePlace[] | undefined>;
  /** Shows the sessions side by side that have begun in these places. */
  compare(made: readonly MadePlace[]): Promise<void>;
}

/** Makes places for sessions, such as Git worktrees. */
export interface PlaceMaker {
  /** Whether one can be made for a folder. Never rejects. */
  canMake(folder: WorkspaceFolder): Promise<boolean>;
  /** What a new place of this folder is called; `of`: the folder's name, if there are several. */
  nameOf(of: string | undefined): string;
  /** Rejects with an error for the user if there can be none. */
  plan(folder: WorkspaceFolder): Promise<PlannedPlace>;
}

/** What makes places, once a feature provides it; whoever needs it before has the features loaded. */
export class ProvidedPlaces {
  readonly #features: () => Promise<unknown>;
  #maker: PlaceMaker | undefined;

  /** `features` resolves when all that there are have been registered. */
  constructor(features: () => Promise<unknown>) {
    this.#features = features;
  }

  provide(maker: PlaceMaker): void {
    this.#maker = maker;
  }

  /** What a new place of a folder is called; `undefined` if there can be none. Never rejects. */
  async nameFor(folder: WorkspaceFolder, of: string | undefined): Promise<string | undefined> {
    await this.#features();
    return (await this.#maker?.canMake(folder)) ? this.#maker?.nameOf(of) : undefined;
  }

  /** Rejects with an error for the user if there can be none. */
  async plan(folder: WorkspaceFolder): Promise<PlannedPlace> {
    await this.#features();
    if (this.#maker === undefined) {
      const title = l10n.t('Nothing in this window can make a place for the session.');
      throw new UserError({ code: 'told', title, detail: '', actions: [] });
    }
    return this.#maker.plan(folder);
  }
}
