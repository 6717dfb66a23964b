import * as l10n from '@vscode/l10n';
import type { Token } from 'markdown-it';
import type { ComponentChildren, VNode } from 'preact';
import { CodeBlock } from '../code/codeBlock';
import { Diagram } from '../diagrams/diagram';
import { BlockFormula, InlineFormula } from '../math/formula';
import { Icon } from '../parts/icon';
import { useTranscript } from '../state/context';
import { mayBeFile, splitMentions } from './fileMentions';
import { Link } from './link';
import { deepestBlock } from './markdownBlocks';

type Draw = (children: ComponentChildren[]) => VNode;

interface Level {
  /** `undefined` if the children are drawn directly into the enclosing level. */
  readonly draw: Draw | undefined;
  readonly children: ComponentChildren[];
}

/** Deepest nesting of elements, which the page renders recursively. */
const deepest = 60;

/** Number of tokens that may still be drawn. */
interface Budget {
  left: number;
}

/**
 * Draws up to `most` Markdown tokens as elements. Text is always drawn as text, and only the
 * elements named here are created; an unknown token is drawn as its source. `part` identifies the
 * block for its folds.
 */
export function drawTokens(
  tokens: readonly Token[],
  part: string,
  most: number,
): ComponentChildren[] {
  return draw(tokens, part, { left: most });
}

/** Characters of a formula that count as a token: each may become an element. */
const formulaPart = 10;

/**
 * The number of tokens that `drawTokens` would draw, including inline tokens; a formula counts as
 * several.
 */
export function countTokens(tokens: readonly Token[]): number {
  return tokens.reduce((sum, token) => sum + costOf(token) + countTokens(token.children ?? []), 0);
}

function costOf({ type, content }: Token): number {
  return type.startsWith('math') ? Math.ceil(content.length / formulaPart) : 1;
}

function draw(tokens: readonly Token[], part: string, budget: Budget): ComponentChildren[] {
  const root: ComponentChildren[] = [];
  const levels: Level[] = [];
  let children = root;
  let links = 0;
  const close = (): void => {
    const level = levels.pop();
    children = levels.at(-1)?.children ?? root;
    if (level?.draw) {
      children.push(level.draw(level.children));
    }
  };
  for (const [at, token] of tokens.entries()) {
    if (budget.left <= 0) {
      break;
    }
    budget.left -= costOf(token);
    if (token.hidden) {
      continue;
    }
    links += token.type.startsWith('link_') ? token.nesting : 0;
    if (token.nesting === 1) {
      const isTask =
        token.type === 'list_item_open' && taskMark.test(tokens[at + 2]?.content ?? '');
      if (levels.length < deepest) {
        children = [];
        levels.push({ draw: isTask ? drawTaskItem : drawContainer(token), children });
      } else {
        levels.push({ draw: undefined, children });
      }
      if (token.block && token.level >= deepestBlock - 1) {
        children.push('…');
      }
    } else if (token.nesting === -1) {
      close();
    } else {
      const place = {
        part: `${part}.${at}`,
        inItem: tokens[at - 2]?.type === 'list_item_open',
        inLink: links > 0,
        budget,
      };
      for (const child of drawLeaf(token, place)) {
        children.push(child);
      }
    }
  }
  // Close the levels that were cut off by the budget.
  while (levels.length > 0) {
    close();
  }
  return root;
}

/** Elements that take no attributes from their token. */
const plainContainers = new Set('p ul li blockquote thead tbody tr em strong s'.split(' '));

/** `[x] ` at the start of a list item. */
const taskMark = /^\[([ xX])\] /;

function drawTaskItem(children: ComponentChildren[]): VNode {
  return <li class="task-item">{children}</li>;
}

function drawContainer(token: Token): Draw {
  const { tag } = token;
  if (token.type === 'link_open') {
    const href = attribute(token, 'href');
    return (children) => <Link href={href}>{children}</Link>;
  }
  if (token.type === 'heading_open') {
    // The same level for all: the transcript's outline consists of its turns, not of headings in messages.
    return (children) => <h3 class={`md-${tag}`}>{children}</h3>;
  }
  if (tag === 'ol') {
    const start = Number(attribute(token, 'start') || 1);
    return (children) => <ol start={start}>{children}</ol>;
  }
  if (tag === 'table') {
    return (children) => (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table has to be reachable by keyboard
      // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
      <div class="table" role="group" aria-label={l10n.t('Table')} tabIndex={0}>
        <table>{children}</table>
      </div>
    );
  }
  if (tag === 'th' || tag === 'td') {
    const align = /text-align:(right|center)/.exec(attribute(token, 'style'))?.[1];
    const name = align && `align-${align}`;
    return (children) =>
      tag === 'th' ? <th class={name}>{children}</th> : <td class={name}>{children}</td>;
  }
  if (plainContainers.has(tag)) {
    const Tag = tag as 'p';
    return (children) => <Tag>{children}</Tag>;
  }
  return (children) => <span>{children}</span>;
}

interface Place {
  readonly part: string;
  /** Whether the token starts a list item. */
  readonly inItem: boolean;
  readonly inLink: boolean;
  readonly budget: Budget;
}

function drawLeaf(token: Token, place: Place): ComponentChildren[] {
  const { part } = place;
  switch (token.type) {
    case 'inline':
      return drawInline(token, place);
    case 'text':
      return place.inLink ? [token.content] : drawText(token.content);
    case 'softbreak':
      return ['\n'];
    case 'hardbreak':
      return [<br />];
    case 'code_inline':
      return [<InlineCode text={token.content} isPlain={place.inLink} />];
    case 'math_inline':
      return [<InlineFormula source={token.content} />];
    case 'math_block':
      return [<BlockFormula source={token.content} part={part} />];
    case 'fence':
      return [drawFence(token.content, getLanguage(token.info), part)];
    case 'code_block':
      return [<CodeBlock text={token.content} language="" part={part} />];
    case 'hr':
      return [<hr />];
    case 'image':
      return [drawImage(token)];
    default:
      return [token.content];
  }
}

function drawFence(text: string, language: string, part: string): VNode {
  switch (language) {
    case 'math':
      return <BlockFormula source={text} part={part} />;
    case 'mermaid':
      return <Diagram source={text} part={part} />;
    default:
      return <CodeBlock text={text} language={language} part={part} />;
  }
}

function drawInline(token: Token, { part, inItem, budget }: Place): ComponentChildren[] {
  const children = token.children ?? [];
  const task = inItem ? taskMark.exec(children[0]?.content ?? '') : null;
  if (!task) {
    return draw(children, part, budget);
  }
  const done = task[1] !== ' ';
  const [text, ...rest] = draw(children, part, budget);
  return [
    <Icon name={done ? 'pass-filled' : 'circle-large-outline'} class="task" />,
    <span class="sr-only">{done ? l10n.t('Done: ') : l10n.t('To do: ')}</span>,
    typeof text === 'string' ? text.slice(task[0].length) : text,
    ...rest,
  ];
}

/** A link instead of the image: fetching it would tell its server who reads the message (T-24). */
function drawImage(token: Token): VNode {
  const href = attribute(token, 'src');
  return (
    <Link href={href}>
      <Icon name="file-media" /> {token.content || l10n.t('Image')}
    </Link>
  );
}

function attribute(token: Token, name: string): string {
  return String(token.attrs?.find(([key]) => key === name)?.[1] ?? '');
}

/**
 * The first word of a fence's info string, without decorations that some agents add (`{.ts}`,
 * `ts:src/a.ts`).
 */
function getLanguage(info: string): string {
  return /^[\w#+.-]+/.exec(info.trim())?.[0] ?? '';
}

interface InlineCodeProps {
  readonly text: string;
  /** Whether the code is inside a link. */
  readonly isPlain: boolean;
}

/** Inline code, linked if it names a file of the session. */
function InlineCode({ text, isPlain }: InlineCodeProps): VNode {
  const code = <code class="inline-code">{text}</code>;
  return !isPlain && mayBeFile(text) ? <Mention text={text}>{code}</Mention> : code;
}

/** Plain text, with links where it names files of the session. */
function drawText(text: string): ComponentChildren[] {
  // A cheap test first: this runs often, and most texts name no file.
  return text.includes('/')
    ? splitMentions(text).map((piece, at) =>
        at % 2 === 0 ? piece : <Mention text={piece}>{piece}</Mention>,
      )
    : [text];
}

interface MentionProps {
  readonly text: string;
  readonly children: ComponentChildren;
}

function Mention({ text, children }: MentionProps): VNode {
  const { state } = useTranscript();
  return state.mentions.isFile(text).value ? <Link href={text}>{children}</Link> : <>{children}</>;
}
