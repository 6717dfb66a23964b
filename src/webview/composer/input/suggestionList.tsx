import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { Icon } from '../../parts/icon';
import { isLow } from '../../parts/lowWindow';
import type { ComposerState } from '../draft/composerState';

/** What the agent thinks could be sent next: a click writes it, and nothing is sent by that. */
export function SuggestionList({ composer }: { readonly composer: ComposerState }): VNode {
  const all = composer.suggested.shown.value;
  // A low window has room for one.
  const prompts = isLow.value ? all.slice(0, 1) : all;
  return (
    <>
      {prompts.length > 0 && (
        <ul class="suggestions" aria-label={l10n.t('Suggested Prompts')}>
          {prompts.map((prompt, at) => (
            <li key={prompt}>
              <button
                type="button"
                class="suggestion"
                title={prompt}
                onClick={() => composer.takeSuggested(prompt)}
              >
                <Icon name="lightbulb-sparkle" />
                <span class="one-line">{prompt}</span>
                {at === 0 && (
                  <span aria-hidden="true" class="suggestion-key">
                    Tab
                  </span>
                )}
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="sr-only" role="status">
        {prompts[0] !== undefined && l10n.t('Suggested, Tab to use it: {0}', prompts[0])}
      </div>
    </>
  );
}
