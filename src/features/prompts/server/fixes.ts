import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { go } from 'fuzzysort';
import { type CodeAction, CodeActionKind, type Diagnostic } from 'vscode-languageserver/node';
import { getSegments } from '../../../shared/prompt/promptDocument';
import { mentionText } from '../../../shared/prompt/promptMention';
import { getSettings } from './frontMatterSettings';
import type { Prompt } from './openPrompts';
import { getFolders, getPlace, writtenPath } from './pathTargets';
import { oneLine } from './plainText';
import type { PromptFinding } from './promptFinding';
import type { PromptSearch } from './promptSearch';

/** A quick fix for a finding. */
interface Fix {
  readonly title: string;
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

const maxNearNames = 3;
const maxNameLength = 80;

/** Quick fixes for a finding, the best one first. */
export async function fixesFor(
  finding: PromptFinding,
  diagnostic: Diagnostic,
  prompt: Prompt,
  search: PromptSearch,
): Promise<readonly CodeAction[]> {
  const { document } = prompt;
  const fixes = await getFixes(finding, prompt, search);
  return fixes.map(({ title, start, end, newText }, index) => {
    const range = { start: document.positionAt(start), end: document.positionAt(end) };
    return {
      title,
      kind: CodeActionKind.QuickFix,
      diagnostics: [diagnostic],
      isPreferred: index === 0,
      edit: { changes: { [document.uri]: [{ range, newText }] } },
    };
  });
}

async function getFixes(
  finding: PromptFinding,
  prompt: Prompt,
  search: PromptSearch,
): Promise<readonly Fix[]> {
  switch (finding.code) {
    case 'unknown-command':
      return otherCommands(finding, prompt);
    case 'unknown-setting':
      return [...otherSettings(finding, prompt), removedLine(finding, prompt)];
    case 'repeated-setting':
    case 'unreadable-setting':
      return [removedLine(finding, prompt)];
    case 'unknown-value':
      return otherValues(finding, prompt);
    case 'mention-missing':
      return [...(await otherFiles(finding, prompt, search)), removed(finding, 'mention', prompt)];
    case 'mention-outside':
      return [removed(finding, 'mention', prompt)];
    case 'image-type':
    case 'image-unsupported':
      return [...(await asLink(finding, prompt)), removed(finding, 'image', prompt)];
    case 'image-missing':
    case 'image-outside':
      return [removed(finding, 'image', prompt)];
    case 'unclosed-comment':
      return [closed(finding, prompt)];
    case 'empty-prompt':
    case 'placeholder':
    case 'too-large':
    case 'binary':
      return [];
  }
}

function otherCommands(finding: PromptFinding, { content, facts }: Prompt): readonly Fix[] {
  const written = content.text.slice(finding.start + 1, finding.end);
  const names = (facts?.commands ?? []).map(({ name }) => name);
  return nearest(written, names, maxNearNames).map((name) => changed(finding, `/${name}`));
}

function otherSettings(finding: PromptFinding, { content, facts }: Prompt): readonly Fix[] {
  const written = content.text.slice(finding.start, finding.end);
  const keys = getSettings(facts).map(({ key }) => key);
  return nearest(written, keys, maxNearNames).map((key) => changed(finding, key));
}

function otherValues(finding: PromptFinding, { content, facts }: Prompt): readonly Fix[] {
  const entry = content.frontMatter?.entries.find(({ valueStart }) => valueStart === finding.start);
  const setting = getSettings(facts).find(({ key }) => key === entry?.key);
  const values = (setting?.values ?? []).map(({ value }) => value);
  const near = nearest(entry?.value ?? '', values, maxNearNames);
  const blank = content.text.charAt(finding.start - 1) === ':' ? ' ' : '';
  return (near.length > 0 ? near : values.slice(0, maxNearNames)).map((value) => ({
    ...changed(finding, value),
    newText: blank + value,
  }));
}

async function otherFiles(
  finding: PromptFinding,
  prompt: Prompt,
  search: PromptSearch,
): Promise<readonly Fix[]> {
  const mention = getSegments(prompt.content, 'mention').find(
    ({ start }) => start === finding.start,
  );
  if (mention?.target.kind !== 'file') {
    return [];
  }
  const { path: written, lines } = mention.target;
  const name = path.posix.basename(written.replaceAll('\\', '/'));
  const stem = name.slice(0, name.length - path.extname(name).length);
  for (const query of new Set([name, stem])) {
    const { matches } = await search.files(prompt, query, maxNearNames);
    const fixes = matches.flatMap((match) => {
      const text = mentionText(writtenPath(match.path, prompt.roots), lines);
      return text === undefined ? [] : [changed(finding, text)];
    });
    if (fixes.length > 0) {
      return fixes;
    }
  }
  return [];
}

/** An image's file can be attached as a link, which every agent accepts (PR-3). */
async function asLink(finding: PromptFinding, prompt: Prompt): Promise<readonly Fix[]> {
  const image = getSegments(prompt.content, 'image').find(({ start }) => start === finding.start);
  const newText = image && mentionText(image.path);
  const place = image && (await getPlace(image.path, await getFolders(prompt.roots)));
  return newText !== undefined && place?.kind === 'found'
    ? [
        {
          title: l10n.t('Attach as a link instead'),
          start: finding.start,
          end: finding.end,
          newText,
        },
      ]
    : [];
}

function changed({ start, end }: PromptFinding, newText: string): Fix {
  return { title: l10n.t('Change to {0}', oneLine(newText, maxNameLength)), start, end, newText };
}

/** Removes a range with the preceding space, so that none is left over. */
function removed(
  { start, end }: PromptFinding,
  what: 'mention' | 'image',
  { content: { text } }: Prompt,
): Fix {
  const isBetween = text.charAt(start - 1) === ' ' && /^[\s.,;:!?)]?$/.test(text.charAt(end));
  const title = what === 'mention' ? l10n.t('Remove the mention') : l10n.t('Remove the image');
  return { title, start: isBetween ? start - 1 : start, end, newText: '' };
}

function removedLine({ start }: PromptFinding, { content: { text } }: Prompt): Fix {
  const newline = text.indexOf('\n', start);
  return {
    title: l10n.t('Remove the line'),
    start: text.lastIndexOf('\n', start - 1) + 1,
    end: newline === -1 ? text.length : newline + 1,
    newText: '',
  };
}

function closed({ start }: PromptFinding, { content: { text } }: Prompt): Fix {
  const lineEnd = /\r?\n|$/g;
  lineEnd.lastIndex = start;
  const at = lineEnd.exec(text)?.index ?? text.length;
  return { title: l10n.t('Close the comment'), start: at, end: at, newText: ' -->' };
}

const longest = 100;
const leastScore = 0.3;

/** The names most similar to `written`: those within a few edits of it, followed by fuzzy matches. */
function nearest(written: string, names: readonly string[], limit: number): readonly string[] {
  const wanted = written.toLowerCase().slice(0, longest);
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  const typos = names
    .map((name) => ({ name, distance: distance(wanted, name.toLowerCase().slice(0, longest)) }))
    .filter((near) => near.distance <= allowed)
    .sort((a, b) => a.distance - b.distance)
    .map(({ name }) => name);
  const within = go(written, names, { limit, threshold: leastScore }).map(({ target }) => target);
  return [...new Set([...typos, ...within])].slice(0, limit);
}

/**
 * Damerau–Levenshtein distance: the number of insertions, deletions, replacements and swaps of
 * adjacent characters.
 */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
