import * as l10n from '@vscode/l10n';
import type { ComponentChildren, VNode } from 'preact';
import { useContext, useMemo, useRef } from 'preact/hooks';
import type { HighlightNode } from '../highlight/highlightJob';
import { languageNamed } from '../highlight/languages';
import { useHighlight } from '../highlight/useHighlight';
import { useFold } from '../parts/fold';
import { CodeLanguageContext, useEntryIndex } from '../state/context';
import { formatNumber } from '../words/format';
import { CodeActions } from './codeActions';
import { countLines, firstLines } from './textLines';

/** Longer code is folded to this many lines. */
const foldedLines = 40;
/** The context for the context menu; the surrounding row's context adds the entry. */
const codeContext = JSON.stringify({ acpSessionsCode: true });
/** Code is folded only if that hides more lines than this. */
const leastSaved = 5;

interface CodeBlockProps {
  readonly text: string;
  /** The language as named by the agent; empty if it named none. */
  readonly language: string;
  /** Identifies this block within its entry. */
  readonly part: string;
}

/** A code block with its language, highlighting and buttons; long code is folded. */
export function CodeBlock({ text, language, part }: CodeBlockProps): VNode {
  const code = text.endsWith('\n') ? text.slice(0, -1) : text;
  const [open, toggle] = useFold(`${part}:code`, false);
  const lines = useMemo(() => countLines(code), [code]);
  const folds = lines > foldedLines + leastSaved;
  const shown = folds && !open ? firstLines(code, foldedLines) : code;
  const place = useRef<HTMLElement>(null);
  const around = useContext(CodeLanguageContext);
  const index = useEntryIndex();
  const found = useHighlight(shown, languageNamed(language || around), place);
  const nodes = found?.nodes;
  // Memoized, so that thousands of elements aren't diffed each time the code grows.
  const coloured = useMemo(() => nodes && <>{drawScopes(nodes)}</>, [nodes]);
  return (
    <figure
      ref={place}
      class="code"
      aria-label={language ? l10n.t('Code, {0}', language) : l10n.t('Code')}
      data-part={part}
      data-entry={index}
      data-vscode-context={codeContext}
    >
      <figcaption class="code-head">
        <span class="code-language">{language}</span>
        <CodeActions code={code} language={language || around} place={place} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines have to be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>
          {coloured}
          {shown.slice(found?.code.length ?? 0)}
        </code>
      </pre>
      {folds && (
        <button type="button" class="more" aria-expanded={open} onClick={toggle}>
          {open ? l10n.t('Show fewer lines') : moreLines(lines - foldedLines)}
        </button>
      )}
    </figure>
  );
}

function drawScopes(nodes: readonly HighlightNode[]): ComponentChildren[] {
  return nodes.map((node) =>
    node.type === 'text' ? node.value : <span class={node.scope}>{drawScopes(node.children)}</span>,
  );
}

function moreLines(count: number): string {
  return count === 1
    ? l10n.t('Show 1 more line')
    : l10n.t('Show {0} more lines', formatNumber(count));
}
