import * as l10n from '@vscode/l10n';
import { inlineCode } from '../../../model/text/markdownCode';
import { language } from '../../../shared/language';
import { maxMonths } from './usageFiles';
import { addAll, sumBy, type UsageGroup, type UsageSum } from './usageSums';

/** Rows of a table; those with the least are summed in its last one. */
const maxRows = 100;
/** A year and a month. */
const maxDays = 400;
/** UTF-16 units of a name or a folder. */
const longest = 200;

const numbers = new Intl.NumberFormat(language);
const amounts = new Intl.NumberFormat(language, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const smallAmounts = new Intl.NumberFormat(language, { maximumSignificantDigits: 2 });
const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });

interface Column {
  readonly name: string;
  readonly write: (sum: UsageSum) => string;
}

/** The usage as Markdown, whose tables can also be read as they are. */
export function usageMarkdown(
  groups: readonly UsageGroup[],
  nameOf: (agent: string) => string,
): string {
  const title = `# ${l10n.t('Usage')}`;
  const kept = l10n.t(
    'What your agents told of their turns in all windows of this computer. It is kept here for {0} months and never sent anywhere.',
    maxMonths,
  );
  if (groups.length === 0) {
    const empty = l10n.t(
      'Nothing is counted yet. Send a prompt to an agent; when its turn has ended, run “Show Usage” again.',
    );
    return `${[title, empty, kept].join('\n\n')}\n`;
  }
  const all = addAll(groups);
  const columns = columnsFor(all);
  const days = [...sumBy(groups, 'day')];
  const section = (heading: string, first: string, rows: readonly Row[]): string =>
    `## ${heading}\n\n${table(first, columns, [...rows, [l10n.t('Total'), all]])}`;
  return `${[
    title,
    kept,
    section(l10n.t('By Agent'), l10n.t('Agent'), largest([...sumBy(groups, 'agent')], nameOf)),
    section(
      l10n.t('By Day'),
      l10n.t('Day'),
      withRest(days, maxDays).map(([day, sum]) => [dayText(day), sum]),
    ),
    section(l10n.t('By Folder'), l10n.t('Folder'), largest([...sumBy(groups, 'folder')])),
    l10n.t(
      'Tokens and cost are the agents’ own numbers: some count what they read from the cache as input, and others don’t. A cost is an estimate.',
    ),
  ].join('\n\n')}\n`;
}

type Row = readonly [name: string, sum: UsageSum];

/** Those with the most working time first; their names are code, whatever is in them. */
function largest(
  rows: readonly Row[],
  nameOf: (name: string) => string = (name) => name,
): readonly Row[] {
  const sorted = [...rows].sort(([, a], [, b]) => b.counts.ms - a.counts.ms);
  const named = sorted.map(([name, sum]): Row => [codeCell(nameOf(name)), sum]);
  return withRest(named, maxRows);
}

function withRest(rows: readonly Row[], most: number): readonly Row[] {
  const rest = rows.slice(most);
  return rest.length === 0
    ? rows
    : [
        ...rows.slice(0, most),
        [l10n.t('{0} more', rest.length), addAll(rest.map(([, sum]) => sum))],
      ];
}

/** What no agent tells has no column. */
function columnsFor({ counts, costs }: UsageSum): readonly Column[] {
  const count = (name: string, key: keyof typeof counts): readonly Column[] =>
    counts[key] === 0 ? [] : [{ name, write: (sum) => numbers.format(sum.counts[key]) }];
  return [
    { name: l10n.t('Turns'), write: (sum) => numbers.format(sum.counts.turns) },
    { name: l10n.t('Working time'), write: (sum) => durationText(sum.counts.ms) },
    ...count(l10n.t('Input'), 'input'),
    ...count(l10n.t('Output'), 'output'),
    ...count(l10n.t('Reasoning'), 'thought'),
    ...count(l10n.t('Read from cache'), 'cachedRead'),
    ...count(l10n.t('Written to cache'), 'cachedWrite'),
    ...(costs.size === 0 ? [] : [{ name: l10n.t('Cost'), write: costText }]),
  ];
}

function table(first: string, columns: readonly Column[], rows: readonly Row[]): string {
  const cells = [
    [first, ...columns.map(({ name }) => name)],
    ...rows.map(([name, sum]) => [name, ...columns.map(({ write }) => write(sum))]),
  ];
  const widths = cells[0]?.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const pad = (row: readonly string[]): string =>
    row
      .map((text, at) => (at === 0 ? text.padEnd(widthAt(at)) : text.padStart(widthAt(at))))
      .join(' | ');
  const widthAt = (at: number): number => Math.max(3, widths?.[at] ?? 0);
  const rule = (cells[0] ?? []).map((_, at) =>
    at === 0 ? '-'.repeat(widthAt(at)) : `${'-'.repeat(widthAt(at) - 1)}:`,
  );
  const [head = [], ...body] = cells;
  return [pad(head), rule.join(' | '), ...body.map(pad)].map((line) => `| ${line} |`).join('\n');
}

/** A bar would end the cell, even in code. */
function codeCell(text: string): string {
  return inlineCode(text, longest).replaceAll('|', '¦') || '—';
}

function costText({ costs }: UsageSum): string {
  return [...costs]
    .map(([unit, amount]) => {
      const format = amount >= 1 ? amounts : smallAmounts;
      return `${format.format(amount)} ${codeless(unit)}`.trim();
    })
    .join(', ');
}

/** A unit is letters, such as USD; nothing in it is markup. */
function codeless(unit: string): string {
  return unit.replace(/[^\p{L}\p{N}\p{Sc} ]/gu, '');
}

/** `12 s`, `3 min 5 s`, `1 h 20 min` */
function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) {
    return l10n.t('{0} s', numbers.format(seconds));
  }
  return minutes < 60
    ? l10n.t('{0} min {1} s', numbers.format(minutes), numbers.format(seconds % 60))
    : l10n.t(
        '{0} h {1} min',
        numbers.format(Math.floor(minutes / 60)),
        numbers.format(minutes % 60),
      );
}

function dayText(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? day : dates.format(date);
}
