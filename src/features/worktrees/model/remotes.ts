import type { Repository } from '../../../model/places/repository';
import { decodedPart } from '../../../util/decodedPart';
import type { WorktreeGit } from './worktreeGit';

/** A remote that can be pushed to. */
export interface Remote {
  readonly name: string;
  /** Where it is, without a password. */
  readonly address: string;
  /** Whether it has the branch with all its commits, as far as is known here. */
  readonly hasAll: boolean;
}

const plainName = /^\w[\w./-]*$/;
const maxRemotes = 50;

/** The remotes of a branch, the one that it follows first. Rejects with `WorktreeTrouble`. */
export async function readRemotes(
  git: WorktreeGit,
  { top }: Repository,
  branch: string,
): Promise<readonly Remote[]> {
  const here = git.in(top);
  const names = await readNames(here);
  const followed = await here.asked('config', '--get', `branch.${branch}.remote`);
  const found: Remote[] = [];
  for (const name of names) {
    const url = await here.printed('remote', 'get-url', '--push', '--', name);
    if (url !== undefined) {
      const ref = `refs/remotes/${name}/${branch}`;
      const missing = await here.printed('rev-list', '--count', `${ref}..HEAD`, '--');
      found.push({ name, address: withoutSecrets(url), hasAll: missing === '0' });
    }
  }
  return found.sort((a, b) => Number(b.name === followed) - Number(a.name === followed));
}

/** A remote that can be fetched from. */
export interface Source {
  readonly name: string;
  /** Where it is, without a password: as it is configured, and as Git reads that. */
  readonly addresses: readonly string[];
}

/** Rejects with `WorktreeTrouble`. */
export async function readSources(
  git: WorktreeGit,
  { top }: Pick<Repository, 'top'>,
): Promise<readonly Source[]> {
  const here = git.in(top);
  const found: Source[] = [];
  for (const name of await readNames(here)) {
    // Git fetches from the first of several.
    const configured = await here.printed('config', '--get-all', `remote.${name}.url`);
    const all = [
      configured?.split('\n', 1)[0],
      await here.printed('remote', 'get-url', '--', name),
    ];
    const addresses = all.flatMap((url) => (url === undefined ? [] : [withoutSecrets(url)]));
    found.push({ name, addresses: [...new Set(addresses)] });
  }
  return found;
}

async function readNames(git: WorktreeGit): Promise<readonly string[]> {
  const names = (await git.text('remote')).split('\n');
  return names.filter((name) => plainName.test(name)).slice(0, maxRemotes);
}

/** A token may be a name alone, but one of SSH is only a name. */
function withoutSecrets(url: string): string {
  return url.replace(/^((?:https?|ftps?):\/\/)[^/]*@|^([a-z+]+:\/\/)[^/@]*:[^/]*@/i, '$1$2');
}

/** A repository at a remote, by its address. */
export interface Hosted {
  readonly host: string;
  /** The names in its path, of which the last is the repository's. */
  readonly path: readonly string[];
}

/** `undefined`: not the address of a repository at a host of the network. */
export function readAddress(address: string): Hosted | undefined {
  const found =
    /^(?:https|ssh|git\+ssh):\/\/(?:[^/@]*@)?([\w.-]+)(?::\d+)?\/(.+)$/i.exec(address) ??
    /^(?:[\w.-]+@)?([\w.-]+\.[\w-]+):(?!\/)(.+)$/.exec(address);
  const host = found?.[1]?.toLowerCase();
  const path =
    found?.[2]
      ?.replace(/\/+$/, '')
      .replace(/\.git$/, '')
      .split('/') ?? [];
  const isPlain =
    path.length > 1 && path.every((part) => /^(?!\.+$)[\w.~ -]+$/.test(decodedPart(part)));
  return host === undefined || !isPlain ? undefined : { host, path: path.map(decodedPart) };
}

/**
 * The page of the remote's host that begins a pull request from one branch into another; always `https`. `undefined`:
 * nobody knows how it is at this host.
 */
export function pullRequestAddress(
  address: string,
  into: string | undefined,
  from: string,
): string | undefined {
  const hosted = readAddress(address);
  if (hosted === undefined) {
    return undefined;
  }
  const { host, path } = hosted;
  const at = (names: readonly string[]): string => names.map(encodeURIComponent).join('/');
  const branch = encodeURIComponent(from);
  const compared = [...(into === undefined ? [] : [into]), from].map((name) => at(name.split('/')));
  const target = into === undefined ? undefined : encodeURIComponent(into);
  const page = `https://${host}/${at(path)}`;
  switch (host) {
    case 'github.com':
      return `${page}/compare/${compared.join('...')}?expand=1`;
    case 'codeberg.org':
    case 'gitea.com':
      return `${page}/compare/${compared.join('...')}`;
    case 'gitlab.com': {
      const field = (name: string): string => encodeURIComponent(`merge_request[${name}]`);
      const into_ = target === undefined ? '' : `&${field('target_branch')}=${target}`;
      return `${page}/-/merge_requests/new?${field('source_branch')}=${branch}${into_}`;
    }
    case 'bitbucket.org':
      return `${page}/pull-requests/new?source=${branch}${target === undefined ? '' : `&dest=${target}`}`;
    case 'dev.azure.com':
    case 'ssh.dev.azure.com': {
      const [org = '', project = '', name = ''] = path.filter(
        (part) => !/^(?:v3|_git)$/.test(part),
      );
      const repository = `https://dev.azure.com/${at([org, project])}/_git/${at([name])}`;
      const into_ = target === undefined ? '' : `&targetRef=${target}`;
      return name === ''
        ? undefined
        : `${repository}/pullrequestcreate?sourceRef=${branch}${into_}`;
    }
    default:
      return undefined;
  }
}
