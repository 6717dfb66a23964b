import { outputText } from '../../../shared/terminal/outputText';
import { getBeginning } from '../../../util/textParts';

/** A failed test with one of its messages. */
export interface FailedTest {
  /** Those of its suites, then its own. */
  readonly names: readonly string[];
  /** Where it failed: `src/cart.test.ts:12`. */
  readonly place: string | undefined;
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
}

/** UTF-16 units of each text. */
const maxText = 20_000;
const maxName = 500;

/** What the test said, without terminal sequences. */
export function failedTestText({ names, place, message, expected, actual }: FailedTest): string {
  const name = names.map((each) => getBeginning(each, maxName)).join(' › ');
  return [
    `Failed test: ${name}`,
    ...(place === undefined ? [] : [`(${place})`]),
    '',
    bounded(message),
    ...(expected === undefined ? [] : ['', 'Expected:', bounded(expected)]),
    ...(actual === undefined ? [] : ['', 'Actual:', bounded(actual)]),
  ].join('\n');
}

function bounded(text: string): string {
  const beginning = getBeginning(text, maxText);
  return `${outputText(beginning).trimEnd()}${beginning.length < text.length ? '\n[…]' : ''}`;
}
