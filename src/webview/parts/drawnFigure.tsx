import * as l10n from '@vscode/l10n';
import type { ComponentChildren, VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { CopyButton } from './copyButton';
import { copyPicture } from './copyPicture';
import { IconButton } from './icon';

interface DrawnFigureProps {
  readonly label: string;
  /** The label of the button that leads back from the source. */
  readonly showLabel: string;
  readonly source: string;
  /** The address of an image of what is drawn, given the element that shows it. */
  readonly toImage: (shown: Element) => string;
  readonly children: ComponentChildren;
}

/** What is drawn from a source, which is one click away, with buttons that copy the picture and the source. */
export function DrawnFigure(props: DrawnFigureProps): VNode {
  const { label, showLabel, toImage, children } = props;
  const source = props.source.trim();
  const [isSource, setSource] = useState(false);
  const shown = useRef<HTMLDivElement>(null);
  const copy = (): void => {
    if (shown.current) {
      void copyPicture(toImage(shown.current));
    }
  };
  return (
    <figure class="drawn-block" aria-label={label}>
      {isSource ? (
        <pre>{source}</pre>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wide has to be reachable by keyboard
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
        <div class="drawn" role="group" aria-label={label} tabIndex={0} ref={shown}>
          {children}
        </div>
      )}
      <figcaption class="code-actions">
        <IconButton
          icon="code"
          label={isSource ? showLabel : l10n.t('Show Source')}
          pressed={isSource}
          onClick={() => setSource(!isSource)}
        />
        {!isSource && (
          <IconButton icon="file-media" label={l10n.t('Copy Picture')} onClick={copy} />
        )}
        <CopyButton text={source} />
      </figcaption>
    </figure>
  );
}
