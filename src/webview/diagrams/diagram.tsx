import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { CodeBlock } from '../code/codeBlock';
import { CopyButton } from '../parts/copyButton';
import { IconButton } from '../parts/icon';
import { type DiagramColors, toImageUrl } from './cleanSvg';
import { copyPicture } from './copyPicture';
import { drawDiagram, drawnBefore } from './diagrams';

interface DiagramProps {
  readonly source: string;
  /** Identifies this block within its entry. */
  readonly part: string;
}

/** Time without a change after which a growing diagram is drawn, in milliseconds. */
const pause = 400;

/** A Mermaid diagram as a picture. Its source shows until it is drawn, and if it can't be. */
export function Diagram({ source, part }: DiagramProps): VNode {
  const svg = useDiagram(source);
  const colors = useColors();
  const url = useMemo(() => svg && toImageUrl(svg, colors), [svg, colors]);
  const [isSource, setSource] = useState(false);
  const [broken, setBroken] = useState<string>();
  if (!url || url === broken) {
    return <CodeBlock text={source} language="mermaid" part={part} />;
  }
  return (
    <figure class="drawn-block" aria-label={l10n.t('Diagram')}>
      {isSource ? (
        <pre>{source.trim()}</pre>
      ) : (
        <img class="diagram" src={url} alt={source.trim()} onError={() => setBroken(url)} />
      )}
      <figcaption class="code-actions">
        <IconButton
          icon="code"
          label={isSource ? l10n.t('Show Diagram') : l10n.t('Show Source')}
          pressed={isSource}
          onClick={() => setSource(!isSource)}
        />
        <IconButton
          icon="file-media"
          label={l10n.t('Copy Picture')}
          onClick={() => void copyPicture(url, colors.background)}
        />
        <CopyButton text={source.trim()} />
      </figcaption>
    </figure>
  );
}

/** The picture of a diagram; `undefined` until it is drawn, and if it can't be. */
function useDiagram(source: string): string | undefined {
  const [found, setFound] = useState<{ source: string; svg: string }>();
  const svg = drawnBefore(source) ?? (found?.source === source ? found.svg : undefined);
  useEffect(() => {
    if (svg !== undefined) {
      return;
    }
    const abort = new AbortController();
    const draw = async (): Promise<void> => {
      const drawn = await drawDiagram(source, abort.signal);
      if (drawn !== undefined && !abort.signal.aborted) {
        setFound({ source, svg: drawn });
      }
    };
    const timer = setTimeout(() => void draw(), pause);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [source, svg]);
  return svg;
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
