import * as l10n from '@vscode/l10n';
import { terminalSequences } from '../../util/terminalSequences';
import { getBeginning } from '../../util/textParts';
import { titleWithoutMarkup } from './agentMarkup';

/**
 * Titles as agents send them (T-6): whole prompts, newlines, terminal colors, characters that
 * change the text direction or are invisible. The results are one line of plain text.
 */

const labelGraphemes = 120;
/** A grapheme can be arbitrarily long, so a label is also bounded in UTF-16 units. */
const labelUnits = 600;
const fullUnits = 2_000;
/** UTF-16 units that are read; the rest is ignored. */
const readUnits = 4_096;
const untitled = l10n.t('Untitled session');

/** Most titles: printable ASCII on one line, which needs no cleaning. */
const plain = /^[!-~]+(?: [!-~]+)*$/;

/**
 * White space of any kind, separating control characters, and the blank Braille pattern, which
 * looks like a space.
 */
const spaces = /[\s\u0085\u2800]+/gu;

/**
 * Matches all invisible characters, including bidi controls, except variation selectors and
 * joiners, which belong to emoji and to many scripts where they stand between letters.
 */
const invisible =
  /(?![\u200c\u200d\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]/gu;
/** All control characters except the separating ones. */
const controls = /(?![\s\u0085])\p{Cc}/gu;
const looseJoiners =
  /(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])[\u200c\u200d]+|[\u200c\u200d]+(?![\p{L}\p{M}\p{Extended_Pictographic}])/gu;
const loneSurrogates = /\p{Cs}/gu;

/** Expensive to create, and most windows never see a title that needs it. */
let segmenter: Intl.Segmenter | undefined;

/** The title as a label: one line, at most about 120 graphemes, never empty (LIST-14). */
export function getLabel(given: string | undefined): string {
  if (given === undefined) {
    return untitled;
  }
  const title = titleWithoutMarkup(given);
  if (title.length <= labelGraphemes && plain.test(title)) {
    return title;
  }
  const text = cleanText(title, readUnits);
  return text === '' ? untitled : cutGraphemes(text);
}

/** Whether an agent's title says anything: some give none, an empty one, or nothing but their own markup. */
export function saysTitle(given: string | undefined): given is string {
  return given !== undefined && (plain.test(given) || getLabel(given) !== untitled);
}

/** The full title, for a tooltip: cleaned like a label, bounded, never empty (INFO-6). */
export function getFullTitle(title: string | undefined): string {
  const text = cleanText(titleWithoutMarkup(title ?? ''), fullUnits);
  return text === '' ? untitled : text;
}

/**
 * Any text from an agent as one line without control, bidi or invisible characters, at most about
 * `limit` UTF-16 units long; `…` marks a cut. May be empty.
 */
export function cleanText(text: string, limit: number): string {
  const clean = getBeginning(text, Math.max(limit, readUnits))
    .replace(terminalSequences, '')
    .replace(invisible, '')
    .replace(controls, '')
    .replace(looseJoiners, '')
    .replace(loneSurrogates, '\ufffd')
    .replace(spaces, ' ')
    .trim();
  const cut = clean.length > limit || text.length > Math.max(limit, readUnits);
  return cut ? `${cutUnits(clean, limit)}…` : clean;
}

function cutGraphemes(text: string): string {
  if (text.length <= labelGraphemes) {
    return text;
  }
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let graphemes = 0;
  for (const { index } of segmenter.segment(text.slice(0, labelUnits))) {
    if (graphemes === labelGraphemes) {
      return `${text.slice(0, index).trimEnd()}…`;
    }
    graphemes++;
  }
  return text.length > labelUnits ? `${cutUnits(text, labelUnits)}…` : text;
}

/** Cuts at a number of UTF-16 units, but never inside a surrogate pair. */
function cutUnits(text: string, units: number): string {
  return getBeginning(text, units).trimEnd();
}
