import type {
  FromGlance,
  GlanceItem,
  GlanceSame,
  ToGlance,
} from '../../../../src/shared/glance/glance';
import { type PlainOptions, type PlainPage, usePlainPages } from './plainPage';

/** The view of all sessions at a glance, in a browser. */
export interface GlancePage extends Pick<PlainPage<FromGlance>, 'page' | 'sent' | 'errors'> {
  readonly show: (
    items: readonly GlanceItem[],
    left?: number,
    same?: readonly GlanceSame[],
  ) => Promise<void>;
}

/** Opens the view; each page has a context of its own, which is closed after the test. */
export function useGlance(): (options?: PlainOptions) => Promise<GlancePage> {
  const open = usePlainPages<FromGlance>('glance', { width: 280, height: 700 });
  return async (options = {}) => {
    const { page, sent, errors, post } = await open(options);
    const show: GlancePage['show'] = (items, left = 0, same = []) => {
      const message: ToGlance = { type: 'items', items, same, tasks: [], left };
      return post(message);
    };
    return { page, sent, errors, show };
  };
}
