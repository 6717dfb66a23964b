import * as l10n from '@vscode/l10n';
import { type ComponentChildren, h, type VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { CodeBlock } from '../code/codeBlock';
import { DrawnFigure } from '../parts/drawnFigure';
import { useResult } from '../workers/useResult';
import { toFormulaImage } from './formulaImage';
import { formulas } from './formulas';
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
  return drawn ? (
    <DrawnFigure
      label={l10n.t('Formula')}
      showLabel={l10n.t('Show Formula')}
      source={source}
      toImage={toFormulaImage}
    >
      <div class="formula">{drawn}</div>
    </DrawnFigure>
  ) : (
    <CodeBlock text={source.trim()} language="latex" part={part} />
  );
}

/** The formula as elements; `undefined` until it is typeset, and if it can't be. */
function useFormula(source: string, isBlock: boolean): VNode | undefined {
  const job = useMemo(() => ({ source, isBlock }), [source, isBlock]);
  const nodes = useResult(formulas, job, 0);
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
