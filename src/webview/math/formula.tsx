import * as l10n from '@vscode/l10n';
import { type ComponentChildren, h, type VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { CodeBlock } from '../code/codeBlock';
import { CopyButton } from '../parts/copyButton';
import { IconButton } from '../parts/icon';
import { typeset, typesetBefore } from './formulas';
import type { MathNode } from './mathJob';

interface FormulaProps {
  readonly source: string;
}

/** A formula within a line. Its source shows until it is typeset, and if it can't be. */
export function InlineFormula({ source }: FormulaProps): VNode {
  const drawn = useFormula(source, false);
  return drawn ? (
    <span class="formula" title={source}>
      {drawn}
    </span>
  ) : (
    <code class="inline-code">{source}</code>
  );
}

interface BlockFormulaProps extends FormulaProps {
  /** Identifies this block within its entry. */
  readonly part: string;
}

/** A formula on lines of its own, with buttons for its source. */
export function BlockFormula({ source, part }: BlockFormulaProps): VNode {
  const drawn = useFormula(source, true);
  const [isSource, setSource] = useState(false);
  if (!drawn) {
    return <CodeBlock text={source.trim()} language="latex" part={part} />;
  }
  return (
    <figure class="drawn-block" aria-label={l10n.t('Formula')}>
      {isSource ? <pre>{source.trim()}</pre> : <div class="formula">{drawn}</div>}
      <figcaption class="code-actions">
        <IconButton
          icon="code"
          label={isSource ? l10n.t('Show Formula') : l10n.t('Show Source')}
          pressed={isSource}
          onClick={() => setSource(!isSource)}
        />
        <CopyButton text={source.trim()} />
      </figcaption>
    </figure>
  );
}

/** The formula as elements; `undefined` until it is typeset, and if it can't be. */
function useFormula(source: string, isBlock: boolean): VNode | undefined {
  const [found, setFound] = useState<{ source: string; nodes: readonly MathNode[] }>();
  const nodes =
    typesetBefore({ source, isBlock }) ?? (found?.source === source ? found.nodes : undefined);
  useEffect(() => {
    if (nodes) {
      return;
    }
    const abort = new AbortController();
    void typeset({ source, isBlock }, abort.signal).then((typesetNodes) => {
      if (typesetNodes && !abort.signal.aborted) {
        setFound({ source, nodes: typesetNodes });
      }
    });
    return () => abort.abort();
  }, [source, isBlock, nodes]);
  // Memoized, so that its elements aren't compared each time the message grows.
  return useMemo(() => nodes && <>{drawNodes(nodes)}</>, [nodes]);
}

function drawNodes(nodes: readonly MathNode[]): ComponentChildren[] {
  return nodes.map((node) =>
    typeof node === 'string'
      ? node
      : h(node.tag, { ...node.attributes, style: node.style }, drawNodes(node.children)),
  );
}
