import * as l10n from '@vscode/l10n';
import { withViewProgress } from '../../../commands/session/newSession';
import { findRepository } from '../../../model/places/repository';
import type { WorkspaceFolder } from '../../../model/ports';
import { cleanText } from '../../../model/text/titles';
import type { PlaceFact } from '../../../shared/transcript/firstChoices';
import type {
  MadePlace,
  MakePlace,
  PlaceMaker,
  PlaceWish,
  PlannedPlace,
} from '../../../views/transcript/tabs/newPlaces';
import type { Base } from '../model/base';
import { freeName, proposedBranch } from '../model/branchNames';
import { isFree, worktreeFolder } from '../model/newWorktree';
import { pullRequestName } from '../model/pullRequests';
import { type RepositoryFacts, readRepository } from '../model/repositoryFacts';
import { type Neighborhood, readNeighborhood } from '../model/siblings';
import { WorktreeTrouble } from '../model/trouble';
import { newWorktreeFolder, newWorktreeScript } from '../settings';
import { gitFor, type WorktreeServices } from '../worktreeServices';
import { askForBranch, type ChosenBranch } from './askForWorktree';
import { makeWorktree } from './beginning';
import { findBase } from './planning';
import { mayPrepare } from './preparing';

const maxNameLength = 200;
/** How many names are tried for a branch whose folder is taken. */
const maxTries = 20;

/** Shows the sessions of one prompt side by side. */
type OpenPage = (neighborhood: Neighborhood) => void;

/** Makes worktrees for sessions that begin. */
export function worktreeMaker(services: WorktreeServices, openPage: OpenPage): PlaceMaker {
  const { workspace, realPath } = services;
  const git = gitFor(new AbortController().signal);
  return {
    async canMake({ path }) {
      const place = await git.disk(findRepository(path, realPath), path).catch(() => undefined);
      return workspace.trusted && place !== undefined;
    },
    nameOf: (of) => (of === undefined ? l10n.t('New worktree') : l10n.t('New worktree of {0}', of)),
    async plan(folder) {
      if (!workspace.trusted) {
        throw new WorktreeTrouble('untrusted');
      }
      const facts = await readRepository(folder.path, git, realPath);
      return new PlannedWorktrees(services, folder, facts, openPage);
    },
  };
}

/** Worktrees of a repository, with a branch that is named after the prompt unless the user names it. */
class PlannedWorktrees implements PlannedPlace {
  readonly #services: WorktreeServices;
  readonly #folder: WorkspaceFolder;
  #facts: RepositoryFacts;
  readonly #openPage: OpenPage;
  /** What the user has chosen. */
  #branch: ChosenBranch | undefined;
  #base: Base | undefined;

  constructor(
    services: WorktreeServices,
    folder: WorkspaceFolder,
    facts: RepositoryFacts,
    openPage: OpenPage,
  ) {
    this.#openPage = openPage;
    this.#services = services;
    this.#folder = folder;
    this.#facts = facts;
  }

  facts(wish: PlaceWish): readonly PlaceFact[] {
    const { name, isNew } = this.#branchFor(wish);
    const shown = cleanText(name, maxNameLength) || l10n.t('named after the prompt');
    const branch = {
      key: 'branch',
      name: l10n.t('Branch'),
      value: name !== '' && wish.agents.length > 0 ? `${shown}/…` : shown,
    };
    const base = this.#baseOf(this.#facts);
    const begins = base && {
      key: 'base',
      name: l10n.t('Begins at'),
      value: nameOfBase(base),
    };
    return isNew && begins !== undefined ? [branch, begins] : [branch];
  }

  async change(key: string, wish: PlaceWish): Promise<void> {
    const title = l10n.t('New Worktree');
    if (key === 'branch') {
      const { name: proposal } = this.#branchFor(wish);
      const endings = getEndings(wish);
      const git = gitFor(new AbortController().signal);
      const question = { title, proposal, git, facts: this.#facts, endings };
      const folder = newWorktreeFolder();
      this.#branch = (await askForBranch({ ...question, folder })) ?? this.#branch;
    } else if (key === 'base') {
      this.#base = (await findBase(this.#services, title, this.#facts, this.#read)) ?? this.#base;
    }
  }

  async settle(wish: PlaceWish): Promise<readonly MakePlace[] | undefined> {
    const facts = await this.#read();
    const { name, isNew } = await this.#settleBranch(wish);
    const setting = newWorktreeScript();
    const base = isNew ? this.#baseOf(facts) : undefined;
    const prepares = setting !== '' && (await mayPrepare(setting, base?.fetched !== undefined));
    const script = prepares === true ? setting : undefined;
    return prepares === undefined
      ? undefined
      : getEndings(wish).map((ending) => {
          const branch = `${name}${ending}`;
          const folder = worktreeFolder(facts, branch, newWorktreeFolder());
          const plan = { facts, worktree: { branch, folder, base }, script };
          return (signal) => makeWorktree(this.#services, plan, signal);
        });
  }

  async compare([first]: readonly MadePlace[]): Promise<void> {
    const { realPath } = this.#services;
    const place = first && (await findRepository(first.folder.path, realPath));
    if (place !== undefined) {
      this.#openPage(await readNeighborhood(place, realPath));
    }
  }

  readonly #read = async (): Promise<RepositoryFacts> => {
    const git = gitFor(new AbortController().signal);
    const { realPath } = this.#services;
    this.#facts = await withViewProgress(() => readRepository(this.#folder.path, git, realPath));
    return this.#facts;
  };

  /** The name is empty as long as the prompt has no words. */
  #branchFor({ draft }: PlaceWish): ChosenBranch {
    const name = (): string => proposedBranch(draft.text, this.#isTaken);
    return this.#branch ?? { name: name(), isNew: true };
  }

  readonly #isTaken = (name: string): boolean =>
    this.#facts.branches.some((other) => other.name === name || other.name.startsWith(`${name}/`));

  /** A name that the user hasn't chosen gives way to what is there already. */
  async #settleBranch(wish: PlaceWish): Promise<ChosenBranch> {
    if (this.#branch !== undefined) {
      return this.#branch;
    }
    const proposal = this.#branchFor(wish).name || freeName('session', this.#isTaken);
    let name = proposal;
    for (let number = 2; number <= maxTries && !(await this.#hasRoom(name, wish)); number++) {
      name = freeName(`${proposal}-${number}`, this.#isTaken);
    }
    return { name, isNew: true };
  }

  async #hasRoom(name: string, wish: PlaceWish): Promise<boolean> {
    const git = gitFor(new AbortController().signal);
    const folders = getEndings(wish).map((ending) =>
      worktreeFolder(this.#facts, `${name}${ending}`, newWorktreeFolder()),
    );
    const free = await Promise.all(folders.map((folder) => git.disk(isFree(folder), folder)));
    return free.every(Boolean);
  }

  /** Where a new branch begins: where the user says, otherwise at what is checked out. */
  #baseOf({ head, defaultBranch, branches }: RepositoryFacts): Base | undefined {
    const checkedOut = head && {
      commit: head.commit,
      ref: head.branch && `refs/heads/${head.branch}`,
    };
    return this.#base ?? checkedOut ?? defaultBranch ?? branches[0];
  }
}

function nameOfBase({ ref, commit }: Base): string {
  const name = ref && (pullRequestName(ref) ?? ref.replace(/^refs\/(?:heads|remotes)\//, ''));
  return cleanText(name ?? commit.slice(0, 10), maxNameLength);
}

/** What each branch has after the common name. */
function getEndings({ agents }: PlaceWish): readonly string[] {
  const parts: string[] = [];
  for (const agent of agents) {
    const name = proposedBranch(agent, () => false) || 'agent';
    parts.push(freeName(name, (part) => parts.includes(part)));
  }
  return parts.length === 0 ? [''] : parts.map((part) => `/${part}`);
}
