// @ts-check

/**
 * @typedef {object} Figure
 * @property {number} value less is better
 * @property {string} unit
 *
 * @typedef {object} Comparison of one row, in as many pairs as were measured
 * @property {string} what
 * @property {Figure} here the median
 * @property {Figure} there
 * @property {number} ratio the median of here/there of each pair
 * @property {readonly [number, number]} spread between which half of the ratios are
 * @property {boolean} slower by more than is allowed and than the spread explains
 */

/** By how much a row may be slower. */
const allowed = 1.03;

/**
 * The figure of each row of a printed table. Every commit prints one, so that old ones can be measured, too; a time is
 * preferred to a ratio, because the ratio's other part is measured anew in each run.
 *
 * @param {string} printed
 * @returns {ReadonlyMap<string, Figure>} by what was measured
 */
export function figuresIn(printed) {
  /** @type {Map<string, Figure>} */
  const figures = new Map();
  for (const line of printed.split('\n')) {
    const [, what, , measured] = line.split('|').map((cell) => cell.trim());
    const figure = what && measured ? figureIn(measured) : undefined;
    if (what && figure) figures.set(what, figure);
  }
  return figures;
}

/** @param {string} measured @returns {Figure | undefined} */
function figureIn(measured) {
  for (const units of ['ms|s', '[kM]i?B', '×']) {
    const found = new RegExp(`([\\d,]*\\.?\\d+) (${units})(?![\\w])`).exec(measured);
    if (found?.[1] && found[2])
      return { value: Number(found[1].replace(/,/g, '')), unit: found[2] };
  }
  return undefined;
}

/**
 * Compares the rows that both tables of every pair have.
 *
 * @param {readonly { here: ReadonlyMap<string, Figure>, there: ReadonlyMap<string, Figure> }[]} pairs
 * @returns {Comparison[]}
 */
export function compare(pairs) {
  return [...(pairs[0]?.here.keys() ?? [])].flatMap((what) => {
    const both = pairs.flatMap((pair) => {
      const [here, there] = [pair.here.get(what), pair.there.get(what)];
      return here && there && here.unit === there.unit ? [{ here, there }] : [];
    });
    const unit = both[0]?.here.unit;
    if (unit === undefined || both.length < pairs.length) return [];
    const ratios = both.map(({ here, there }) => here.value / there.value);
    const [lower, ratio, upper] = [0.25, 0.5, 0.75].map((part) => quantile(ratios, part));
    if (lower === undefined || ratio === undefined || upper === undefined) return [];
    return [
      {
        what,
        here: {
          value: quantile(
            both.map(({ here }) => here.value),
            0.5,
          ),
          unit,
        },
        there: {
          value: quantile(
            both.map(({ there }) => there.value),
            0.5,
          ),
          unit,
        },
        ratio,
        spread: /** @type {const} */ ([lower, upper]),
        slower: ratio > allowed && lower > 1,
      },
    ];
  });
}

/** @param {readonly number[]} values @param {number} part */
function quantile(values, part) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * part;
  const [below, above] = [sorted[Math.floor(at)] ?? NaN, sorted[Math.ceil(at)] ?? NaN];
  return below + (above - below) * (at - Math.floor(at));
}

/** @param {readonly Comparison[]} comparisons @param {string} commit */
export function tableOf(comparisons, commit) {
  const lines = comparisons.map(({ what, here, there, ratio, spread, slower }) => {
    const [lower, upper] = spread.map((each) => each.toFixed(3));
    const times = `${ratio.toFixed(3)} × (${lower} to ${upper})`;
    return `| ${what} | ${textOf(here)} | ${textOf(there)} | ${times} | ${slower ? 'slower' : ''} |`;
  });
  return [
    `| what | here | ${commit} | ratio (half of them) | |`,
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

/** @param {Figure} figure */
function textOf({ value, unit }) {
  return `${value >= 100 ? value.toFixed(0) : value.toPrecision(3)} ${unit}`;
}
