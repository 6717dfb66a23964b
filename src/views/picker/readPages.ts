import type { SessionList } from '../../model/agent';

/** Number of lists read concurrently. */
const atOnce = 3;

/** Reads all pages of all lists, a few lists at a time. After `signal` aborts, only pending pages are read. */
export async function readAllPages(
  lists: readonly SessionList[],
  signal: AbortSignal,
): Promise<void> {
  const waiting = [...lists];
  const work = async (): Promise<void> => {
    for (let list = waiting.shift(); list && !signal.aborted; list = waiting.shift()) {
      await readPages(list, signal);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** Reads all pages of a list; `onPage` is called before each page after the first. */
export async function readPages(
  list: SessionList,
  signal: AbortSignal,
  onPage: () => void = () => undefined,
): Promise<void> {
  await list.load();
  // A page that is being read for somebody else is awaited, too.
  while (!signal.aborted && (list.more.kind === 'ready' || list.more.kind === 'loading')) {
    onPage();
    await list.loadMore(true);
  }
}
