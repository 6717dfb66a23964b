import path from 'node:path';
import { findTarget } from '../../commands/session/sessionTarget';
import { isInside } from '../../model/files/roots';
import { getTitle } from '../../model/list/promptTitles';
import { findRepository, type Repository } from '../../model/places/repository';
import { readOwnBranch } from '../../model/places/worktrees';
import type { Session } from '../../model/session/session';
import { findTimestamp } from '../../model/text/timestamps';
import { cleanText } from '../../model/text/titles';
import { mapAtOnce } from '../../util/async';
import type { KnownSession } from '../../views/transcript/tabs/admission';
import { WorktreeTrouble } from './model/trouble';
import { gitFor, type WorktreeServices } from './worktreeServices';

const foldersAtOnce = 8;

/** The worktree that a command applies to: of a row, or of the session in the active tab. */
export interface WorktreeTarget {
  readonly place: Repository;
  /** The folder of the session, in the worktree. */
  readonly folder: string;
}

/** Tells the user if there is none. Rejects with `WorktreeTrouble` if it is a main worktree. */
export async function worktreeTarget(
  services: WorktreeServices,
  argument: unknown,
): Promise<WorktreeTarget | undefined> {
  const { tree, places, realPath } = services;
  const node = tree.isNode(argument) && argument.kind === 'worktree' ? argument : undefined;
  const target = node === undefined ? findTarget(services, argument) : undefined;
  const folder = node?.worktree.path ?? (target && places.placed(target.agent.id, target.info).cwd);
  if (folder === undefined) {
    return undefined;
  }
  const git = gitFor(new AbortController().signal);
  const place = await git.disk(findRepository(folder, realPath), folder);
  if (place === undefined || place.directory === place.common) {
    throw new WorktreeTrouble('noWorktree');
  }
  return { place, folder };
}

/** A worktree's branch, otherwise its folder, as the user sees it. */
export async function worktreeName(place: Repository): Promise<string> {
  return cleanText((await readOwnBranch(place)) ?? path.basename(place.top), 100);
}

/** The top folders of the window's own worktrees of the same repository. */
export async function workspaceTops(
  { workspace, realPath }: Pick<WorktreeServices, 'workspace' | 'realPath'>,
  { common, top }: Repository,
): Promise<readonly string[]> {
  const places = await Promise.all(
    workspace.folders.map((folder) => findRepository(folder.path, realPath)),
  );
  const others = places.flatMap((place) =>
    place !== undefined && place.common === common && place.top !== top ? [place.top] : [],
  );
  return [...new Set(others)];
}

/** The open sessions that work in a folder. */
export async function sessionsIn(
  { sessions, realPath }: WorktreeServices,
  top: string,
): Promise<readonly Session[]> {
  const all = await Promise.all(
    sessions.all.map(async (session) => ({
      session,
      real: (await realPath(session.info.cwd)) ?? session.info.cwd,
    })),
  );
  return all.flatMap(({ session, real }) => (isInside(real, [top]) ? [session] : []));
}

/** The session of each worktree that was changed last, open or not, by the top folder; as far as it is known here. */
export async function knownSessions(
  services: Pick<WorktreeServices, 'admission' | 'realPath'>,
  tops: readonly string[],
): Promise<ReadonlyMap<string, KnownSession>> {
  const all = await sessionsByTop(services, tops);
  return new Map(
    [...all].flatMap(([top, [last]]) => (last === undefined ? [] : [[top, last] as const])),
  );
}

/** A session with its title as the view shows it. */
export interface TitledSession extends KnownSession {
  readonly title: string;
  /** Whether it is archived here or by its agent. */
  readonly isArchived: boolean;
}

/** All sessions of each worktree that are known here, open or not, by the top folder; the last changed first. */
export async function titledSessions(
  services: Pick<WorktreeServices, 'admission' | 'realPath' | 'marks'>,
  tops: readonly string[],
): Promise<ReadonlyMap<string, readonly TitledSession[]>> {
  const titled = ({ agent, info }: KnownSession): TitledSession => {
    const mark = services.marks.get(agent.id, info.sessionId);
    const isArchived = mark.archived || info.archived === true;
    return { agent, info, title: mark.alias ?? getTitle(info), isArchived };
  };
  const all = await sessionsByTop(services, tops);
  return new Map([...all].map(([top, sessions]) => [top, sessions.map(titled)]));
}

async function sessionsByTop(
  { admission, realPath }: Pick<WorktreeServices, 'admission' | 'realPath'>,
  tops: readonly string[],
): Promise<ReadonlyMap<string, readonly KnownSession[]>> {
  const all = admission.known;
  const folders = [...new Set(all.map(({ info }) => info.cwd))];
  const real = await mapAtOnce(folders, foldersAtOnce, async (cwd) => (await realPath(cwd)) ?? cwd);
  const places = new Map(folders.map((cwd, index) => [cwd, real[index] ?? cwd]));
  const newest = all.toSorted((a, b) => changedAt(b) - changedAt(a));
  const sessionsOf = (top: string): readonly KnownSession[] =>
    newest.filter(({ info }) => isInside(places.get(info.cwd) ?? '', [top]));
  return new Map(tops.map((top) => [top, sessionsOf(top)]));
}

function changedAt({ info }: KnownSession): number {
  return findTimestamp(info.updatedAt) ?? 0;
}
