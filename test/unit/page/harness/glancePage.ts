import type {
  FromGlance,
  GlanceAway,
  GlanceItem,
  GlanceSame,
  GlanceTask,
} from '../../../../src/shared/glance/glance';
import { pageHtml } from '../../../../src/views/transcript/tabs/html';
import type { Page } from './page';
import { openDom } from './pageDom';

/** The view of all sessions at a glance, on a DOM in this process. */
interface GlancePage {
  readonly page: Page;
  /** What the page has sent, apart from `ready`. */
  readonly sent: FromGlance[];
  readonly show: (
    items: readonly GlanceItem[],
    same?: readonly GlanceSame[],
    tasks?: readonly GlanceTask[],
    away?: GlanceAway,
  ) => Promise<void>;
}

/** Opens the view without a browser, see `useTranscripts`; each is closed after its test. */
export function useGlance(): () => Promise<GlancePage> {
  const opened: (() => void)[] = [];
  afterEach(() => {
    for (const close of opened.splice(0)) {
      close();
    }
  });
  return async () => {
    const sent: FromGlance[] = [];
    const resources = { cspSource: '', script: '', styles: [] };
    const { page, post, close } = await openDom({
      program: 'glance',
      html: pageHtml(resources, { title: 'Sessions at a Glance', policy: [], texts: undefined }),
      height: 700,
      receive: (value) => {
        const message = value as FromGlance;
        if (message.type !== 'ready') {
          sent.push(message);
        }
      },
    });
    opened.push(close);
    return {
      page,
      sent,
      show: (items, same = [], tasks = [], away) =>
        post({ type: 'items', items, same, tasks, left: 0, ...(away && { away }) }),
    };
  };
}
