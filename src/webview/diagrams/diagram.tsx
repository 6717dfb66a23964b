import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { CodeBlock } from '../code/codeBlock';
import { DrawnFigure } from '../parts/drawnFigure';
import { useResult } from '../workers/useResult';
import { type DiagramColors, toImageUrl } from './cleanSvg';
import { diagrams } from './diagrams';

interface DiagramProps {
  readonly source: string;
  /** Identifies this block within its entry. */
  readonly part: string;
}

/** Time without a change after which a growing diagram is drawn, in milliseconds. */
const pause = 400;

/** A Mermaid diagram as a picture. Its source shows until it is drawn, and if it can't be. */
export function Diagram({ source, part }: DiagramProps): VNode {
  const svg = useResult(diagrams, source, pause);
  const colors = useColors();
  const url = useMemo(() => svg && toImageUrl(svg, colors), [svg, colors]);
  const [broken, setBroken] = useState<string>();
  if (!url || url === broken) {
    return <CodeBlock text={source} language="mermaid" part={part} />;
  }
  return (
    <DrawnFigure
      label={l10n.t('Diagram')}
      showLabel={l10n.t('Show Diagram')}
      source={source}
      toImage={() => url}
    >
      <img class="diagram" src={url} alt={source.trim()} onError={() => setBroken(url)} />
    </DrawnFigure>
  );
}

/** The theme's colors; an image doesn't inherit them. */
function useColors(): DiagramColors {
  const [colors, setColors] = useState(readColors);
  useEffect(() => {
    // VS Code writes a theme's colors into the attributes of this element and of the body.
    const changes = new MutationObserver(() =>
      setColors((before) => {
        const now = readColors();
        const isSame = now.background === before.background && now.foreground === before.foreground;
        return isSame ? before : now;
      }),
    );
    for (const element of [document.documentElement, document.body]) {
      changes.observe(element, { attributes: true });
    }
    return () => changes.disconnect();
  }, []);
  return colors;
}

function readColors(): DiagramColors {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string): string => style.getPropertyValue(`--vscode-editor-${name}`).trim();
  return { background: read('background'), foreground: read('foreground') };
}
