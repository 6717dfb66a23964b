import { useSignal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { Icon } from '../parts/icon';
import { isLow } from '../parts/lowWindow';
import { useSessionPart } from '../state/context';

/** Options of types that aren't known here: a line with their names, and what the agent sent below it (CF-6). */
export function UnknownOptions(): VNode | null {
  const options = useSessionPart('unknownOptions') ?? [];
  const isOpen = useSignal(false);
  if (options.length === 0 || isLow.value) {
    return null;
  }
  const names = options.map(({ name, kind }) => `${name} (${kind})`).join(', ');
  return (
    <section class="checklist" aria-label={l10n.t('Unknown Options')}>
      <button
        type="button"
        class="checklist-head"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <Icon name="question" />
        <span class="one-line">
          {l10n.t('The agent offers options that can’t be shown here: {0}', names)}
        </span>
        <Icon name={isOpen.value ? 'chevron-down' : 'chevron-up'} class="chevron" />
      </button>
      {isOpen.value && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines have to be reachable by keyboard
        <pre class="task-output" tabIndex={0}>
          {options.map(({ raw }) => raw).join('\n')}
        </pre>
      )}
    </section>
  );
}
