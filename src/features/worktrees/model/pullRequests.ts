import { readdir } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Repository } from '../../../model/places/repository';
import { decodedPart } from '../../../util/decodedPart';
import { type Base, baseRef, commonWith, getBase, mainHead } from './base';
import { type Hosted, readAddress, type Source } from './remotes';
import { WorktreeTrouble } from './trouble';
import type { WorktreeGit } from './worktreeGit';

/** A pull or merge request as the user names it. */
interface Named {
  /** Digits only. */
  readonly number: string;
  /** The repository that its address names. */
  readonly at: Hosted | undefined;
}

/** A pull request and the remotes that may have it. */
export interface WantedPullRequest {
  readonly number: string;
  /** At least one. */
  readonly sources: readonly Source[];
}

/** The refs of pull requests at hosts, and those of our own, which are no branch of the user's. */
const kinds = [
  { at: (number: string) => `refs/pull/${number}/head`, own: 'refs/acp-sessions/pull/' },
  {
    at: (number: string) => `refs/merge-requests/${number}/head`,
    own: 'refs/acp-sessions/merge-requests/',
  },
] as const;

const maxLength = 2_000;
const maxWorktrees = 1_000;
/** The host of which pull requests can't be fetched. */
const without = 'bitbucket.org';

/** `undefined`: neither a number nor an address of a pull request. */
export function readPullRequest(text: string): Named | undefined {
  const wanted = text.trim().slice(0, maxLength);
  const number = /^[#!]?([1-9]\d{0,9})$/.exec(wanted)?.[1];
  if (number !== undefined) {
    return { number, at: undefined };
  }
  const url = URL.canParse(wanted) ? new URL(wanted) : undefined;
  const found =
    /^\/(.+?)(?:\/-)?\/(?:pull|pulls|pull-requests|merge_requests)\/([1-9]\d{0,9})(?:\/.*)?$/.exec(
      url?.pathname ?? '',
    );
  return url?.protocol !== 'https:' || found === null
    ? undefined
    : {
        number: found[2] ?? '',
        at: { host: url.hostname, path: (found[1] ?? '').split('/').map(decodedPart) },
      };
}

/** The remotes that it can be fetched from. Throws `WorktreeTrouble` if there are none. */
export function findSources({ number, at }: Named, sources: readonly Source[]): WantedPullRequest {
  const hostsOf = ({ addresses }: Source): readonly Hosted[] =>
    addresses.flatMap((address) => readAddress(address) ?? []);
  const own = sources.filter(
    (source) => at === undefined || hostsOf(source).some((hosted) => isSame(hosted, at)),
  );
  if (own.length === 0) {
    const named = at === undefined ? number : `${at.host}/${at.path.join('/')} #${number}`;
    throw new WorktreeTrouble('otherRepository', named);
  }
  const able = own.filter((source) => !hostsOf(source).some(({ host }) => host === without));
  if (able.length === 0) {
    throw new WorktreeTrouble('noPullRequests', without);
  }
  return { number, sources: able };
}

function isSame(one: Hosted, other: Hosted): boolean {
  const key = ({ host, path: names }: Hosted): string => [host, ...names].join('/').toLowerCase();
  return key(one) === key(other);
}

/**
 * The pull request at a remote, as a base that is fetched when a worktree is made. Rejects with `WorktreeTrouble`, also
 * if the remote has none.
 */
export async function findPullRequest(
  git: WorktreeGit,
  source: Source,
  number: string,
): Promise<Base> {
  const names = kinds.map(({ at }) => at(number));
  // Patterns, which also match the ends of other names.
  const list = await git.withoutHooks().text('ls-remote', '--quiet', '--', source.name, ...names);
  const commits = new Map(
    list.split('\n').map((line) => {
      const [commit = '', name = ''] = line.split('\t');
      return [name, commit] as const;
    }),
  );
  const likely = source.addresses.some((url) => readAddress(url)?.host.includes('gitlab'))
    ? kinds.toReversed()
    : kinds;
  for (const { at, own } of likely) {
    const commit = commits.get(at(number));
    if (commit !== undefined) {
      const ref = `${own}${source.name}/${number}`;
      return { commit, ref, fetched: { remote: source.name, ref: at(number) } };
    }
  }
  throw new WorktreeTrouble('noPullRequest', number);
}

/** Whether this is the ref of a pull request, whose content nobody here has chosen. */
function isPullRequest(ref: string | undefined): boolean {
  return ref !== undefined && kinds.some(({ own }) => ref.startsWith(own));
}

/** The name of the pull request that a ref of ours has; `undefined` for other refs. */
export function pullRequestName(ref: string): string | undefined {
  const number = ref.slice(ref.lastIndexOf('/') + 1);
  const [pull, merge] = kinds.map(({ own }) => ref.startsWith(own));
  return pull === true
    ? l10n.t('Pull request #{0}', number)
    : merge === true
      ? l10n.t('Merge request !{0}', number)
      : undefined;
}

/** Fetches the base into its ref, and nothing else. Returns it as it is now. Rejects with `WorktreeTrouble`. */
export async function fetchPullRequest(git: WorktreeGit, base: Base): Promise<Base> {
  const { fetched, ref = '' } = base;
  if (fetched === undefined) {
    return base;
  }
  const only = ['--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];
  const refs = ['--refmap=', '--', fetched.remote, `+${fetched.ref}:${ref}`];
  await git.work('fetch', ...only, ...refs);
  const commit = (await git.text('rev-parse', '--verify', '--quiet', `${ref}^{commit}`)).trim();
  return { ...base, commit };
}

/** The ref of the pull request that a worktree began with; `undefined` if it began elsewhere. */
export async function pullRequestOf(git: WorktreeGit): Promise<string | undefined> {
  const ref = await git.printed('symbolic-ref', '--quiet', baseRef);
  return isPullRequest(ref) ? ref : undefined;
}

/**
 * Where what the user knows of a worktree's branch ends: its base, or, if that is a pull request, what it has in common
 * with the main worktree. Rejects with `WorktreeTrouble`.
 */
export async function getTrustedBase(git: WorktreeGit, place: Repository): Promise<string> {
  const isForeign = (await pullRequestOf(git.in(place.top))) !== undefined;
  return isForeign ? commonWith(git, place, [mainHead]) : getBase(git, place);
}

/** Deletes the ref of a pull request if no worktree has it for its base. Never rejects but for a missing git. */
export async function forgetPullRequest(
  git: WorktreeGit,
  common: string,
  ref: string | undefined,
): Promise<void> {
  if (ref === undefined || !isPullRequest(ref)) {
    return;
  }
  const here = git.in(common).withoutHooks();
  const all = await readdir(path.join(common, 'worktrees')).catch(() => []);
  if (all.length > maxWorktrees) {
    return;
  }
  for (const name of all) {
    if ((await here.printed('symbolic-ref', '--quiet', `worktrees/${name}/${baseRef}`)) === ref) {
      return;
    }
  }
  await here.printed('update-ref', '-d', ref);
}
