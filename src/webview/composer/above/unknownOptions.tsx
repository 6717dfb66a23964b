import { useSignal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { isLow } from '../../parts/lowWindow';
import { useSessionPart } from '../../state/context';
import { FoldedLine } from './foldedLine';

/** Options of types that aren't known here: a line with their names, and what the agent sent below it (CF-6). */
export function UnknownOptions(): VNode | null {
  const options = useSessionPart('unknownOptions') ?? [];
  const isOpen = useSignal(false);
  if (options.length === 0 || isLow.value) {
    return null;
  }
  const names = options.map(({ name, kind }) => `${name} (${kind})`).join(', ');
  return (
    <FoldedLine
      label={l10n.t('Unknown Options')}
      icon="question"
      isOpen={isOpen}
      head={
        <span class="one-line">
          {l10n.t('The agent offers options that can’t be shown here: {0}', names)}
        </span>
      }
      body={() => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines have to be reachable by keyboard
        <pre class="task-output" tabIndex={0}>
          {options.map(({ raw }) => raw).join('\n')}
        </pre>
      )}
    />
  );
}
