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
const compact = new Intl.NumberFormat(language, {
  notation: 'compact',
  maximumFractionDigits: 1,
});
const amounts = new Intl.NumberFormat(language, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const smallAmounts = new Intl.NumberFormat(language, { maximumSignificantDigits: 2 });

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
  const section = (heading: string, name: string, rows: readonly Row[], isLong = false): string =>
    `## ${heading}\n\n${table(name, columns, [...rows, [l10n.t('Total'), all]], isLong)}`;
  return `${[
    title,
    kept,
    section(l10n.t('By Agent'), l10n.t('Agent'), largest([...sumBy(groups, 'agent')], nameOf)),
    section(l10n.t('By Day'), l10n.t('Day'), withRest([...sumBy(groups, 'day')], maxDays)),
    section(l10n.t('By Folder'), l10n.t('Folder'), largest([...sumBy(groups, 'folder')]), true),
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
  const tokens = (name: string, ...keys: (keyof typeof counts)[]): readonly Column[] => {
    const read = (of: UsageSum): number => keys.reduce((sum, key) => sum + of.counts[key], 0);
    return read({ counts, costs }) === 0
      ? []
      : [{ name, write: (sum) => compact.format(read(sum)) }];
  };
  return [
    { name: l10n.t('Turns'), write: (sum) => numbers.format(sum.counts.turns) },
    { name: l10n.t('Time'), write: (sum) => durationText(sum.counts.ms) },
    ...tokens(l10n.t('Input'), 'input'),
    ...tokens(l10n.t('Output'), 'output'),
    ...tokens(l10n.t('Reasoning'), 'thought'),
    ...tokens(l10n.t('Cached'), 'cachedRead', 'cachedWrite'),
    ...(costs.size === 0 ? [] : [{ name: l10n.t('Cost'), write: costText }]),
  ];
}

/** Numbers are aligned, and no bar ends a line, so that it fits. A folder, which may be long, comes after them, so that only it goes on in another line. */
function table(name: string, columns: readonly Column[], rows: readonly Row[], isLong: boolean) {
  const cells = [
    columns.map((column) => column.name),
    ...rows.map(([, sum]) => columns.map(({ write }) => write(sum))),
  ];
  const names = [name, ...rows.map(([of]) => of)];
  const longestIn = (texts: readonly string[]): number =>
    Math.max(3, ...texts.map(({ length }) => length));
  const widths = columns.map((_, at) => longestIn(cells.map((row) => row[at] ?? '')));
  const nameWidth = isLong ? 3 : longestIn(names);
  const row = (of: string, numbersOf: readonly string[]): string => {
    const all = isLong ? [...numbersOf, of] : [of, ...numbersOf];
    return `| ${all.join(' | ')}`.trimEnd();
  };
  const lines = cells.map((numbersOf, line) =>
    row(
      (names[line] ?? '').padEnd(nameWidth),
      numbersOf.map((text, at) => text.padStart(widths[at] ?? 0)),
    ),
  );
  const rule = row(
    '-'.repeat(nameWidth),
    widths.map((width) => `${'-'.repeat(width - 1)}:`),
  );
  return [...lines.slice(0, 1), rule, ...lines.slice(1)].join('\n');
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

/** `12 s`, `3 min`, `1 h 20 min` */
function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const minutes = Math.round(seconds / 60);
  if (seconds < 60) {
    return l10n.t('{0} s', numbers.format(seconds));
  }
  return minutes < 60
    ? l10n.t('{0} min', numbers.format(minutes))
    : l10n.t(
        '{0} h {1} min',
        numbers.format(Math.floor(minutes / 60)),
        numbers.format(minutes % 60),
      );
}
