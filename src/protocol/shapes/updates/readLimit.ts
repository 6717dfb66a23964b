import type { LimitWindow, UsageLimit } from '../../../shared/transcript/usageLimit';
import { isObject } from '../../../util/json';

const windows: ReadonlyMap<unknown, LimitWindow> = new Map([
  ['five_hour', 'fiveHours'],
  ['seven_day', 'week'],
  ['seven_day_overage_included', 'week'],
  ['seven_day_opus', 'weekOpus'],
  ['seven_day_sonnet', 'weekSonnet'],
  ['overage', 'extra'],
]);

/** Times beyond this, in ms since the epoch, are no times of a reset. */
const latest = Date.UTC(2200, 0);
/** A time that is smaller than this is in seconds. */
const smallestMs = 1e11;

/**
 * The limit in `_meta` of Claude's `usage_update` (US-6): `null` if the account has reached none, `undefined` if nothing is
 * said of it.
 */
export function readLimit(meta: unknown): UsageLimit | null | undefined {
  const limit = isObject(meta) ? meta['_claude/rateLimit'] : undefined;
  if (!isObject(limit)) {
    return undefined;
  }
  const { status, rateLimitType, resetsAt, isUsingOverage } = limit;
  if (status === 'allowed') {
    return null;
  }
  if (status !== 'allowed_warning' && status !== 'rejected') {
    return undefined;
  }
  const window = windows.get(rateLimitType);
  const time = readTime(resetsAt);
  return {
    status: status === 'allowed_warning' ? 'near' : isUsingOverage === true ? 'passed' : 'reached',
    ...(window !== undefined && { window }),
    ...(time !== undefined && { resetsAt: time }),
  };
}

function readTime(value: unknown): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) {
    return undefined;
  }
  const time = Math.round(value < smallestMs ? value * 1000 : value);
  return time < latest ? time : undefined;
}
