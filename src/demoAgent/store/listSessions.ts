import type {
  ListSessionsRequest,
  ListSessionsResponse,
  SessionInfo,
} from '@agentclientprotocol/sdk/unstable';
import { unusable } from '../vocabulary/requestErrors';
import { byPlace, decodeCursor, encodeCursor } from './cursor';
import { FolderNames, requireAbsolute } from './folders';
import type { SessionMeta } from './records';
import type { SessionStore } from './sessionStore';

/** Selects the sessions for a request; `key` identifies the filter. */
interface Filter {
  readonly key: string;
  matches(meta: SessionMeta): Promise<boolean>;
}

/**
 * One page of `session/list` (LIST-4 to LIST-10), newest first. `told` adds what the stable protocol doesn't have.
 */
export async function listSessions(
  store: SessionStore,
  request: ListSessionsRequest,
  pageSize: number,
  told: (meta: SessionMeta) => Promise<Pick<SessionInfo, '_meta'>>,
): Promise<ListSessionsResponse> {
  const infos = (metas: readonly SessionMeta[]): Promise<SessionInfo[]> =>
    Promise.all(metas.map(async (meta) => ({ ...toInfo(meta), ...(await told(meta)) })));
  const filter = await getFilter(request);
  const after =
    request.cursor === undefined || request.cursor === null
      ? undefined
      : decodeCursor(request.cursor, filter.key);
  const page: SessionMeta[] = [];
  for (const meta of await store.list()) {
    const further = after === undefined || byPlace(meta, after) > 0;
    if (!further || !(await filter.matches(meta))) {
      continue;
    }
    const last = page.at(-1);
    if (last !== undefined && page.length === pageSize) {
      return { sessions: await infos(page), nextCursor: encodeCursor(last, filter.key) };
    }
    page.push(meta);
  }
  return { sessions: await infos(page) };
}

async function getFilter(request: ListSessionsRequest): Promise<Filter> {
  const archived = request.archived ?? 'exclude';
  if (!['exclude', 'include', 'only'].includes(archived)) {
    throw unusable('archived must be "exclude", "include" or "only"');
  }
  const folders = new FolderNames();
  const cwd = request.cwd ?? undefined;
  if (cwd !== undefined) {
    requireAbsolute('cwd', cwd);
  }
  const folder = cwd === undefined ? undefined : await folders.of(cwd);
  return {
    key: JSON.stringify([archived, folder ?? null]),
    matches: async (meta) =>
      (archived === 'include' || meta.archived === (archived === 'only')) &&
      (folder === undefined || (await folders.of(meta.cwd)) === folder),
  };
}

function toInfo(meta: SessionMeta): SessionInfo {
  return {
    sessionId: meta.sessionId,
    cwd: meta.cwd,
    ...(meta.title !== '' && { title: meta.title }),
    updatedAt: new Date(meta.updatedAt).toISOString(),
    ...(meta.additionalDirectories.length > 0 && {
      additionalDirectories: meta.additionalDirectories,
    }),
    ...(meta.archived && { archived: true }),
  };
}
