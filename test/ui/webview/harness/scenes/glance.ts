import type { GlanceItem } from '../../../../../src/shared/glance/glance';

export function item(key: string, more: Partial<GlanceItem> = {}): GlanceItem {
  const common = { group: 'running', where: '', toReview: 0, canStop: true } as const;
  return {
    key,
    title: `Session ${key}`,
    doing: 'npm test',
    progress: { done: 1, count: 3, now: 'Write a test' },
    said: 'Now the tests.',
    ...common,
    ...more,
  };
}
