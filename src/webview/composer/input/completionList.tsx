import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../parts/icon';
import type { Suggestion } from '../draft/completion';
import type { ComposerState } from '../draft/composerState';

export const completionId = 'completion';

export function optionId(index: number): string {
  return `completion-${index}`;
}

/** Suggestions at the caret, like VS Code's suggest widget. The focus stays in the text. */
export function CompletionList({ composer }: { readonly composer: ComposerState }): VNode {
  const { completion } = composer;
  const suggestions = completion.suggestions.value;
  const selected = completion.selected.value;
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.children[selected]?.scrollIntoView({ block: 'nearest' });
  }, [selected, suggestions]);
  return (
    <>
      {suggestions.length > 0 && (
        <div
          ref={list}
          id={completionId}
          class="popup completion"
          role="listbox"
          aria-label={getListLabel(suggestions[0])}
        >
          {suggestions.map((suggestion, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text, which keeps the focus
            <div
              key={getKey(suggestion)}
              id={optionId(index)}
              class="popup-option"
              role="option"
              tabIndex={-1}
              aria-selected={index === selected}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => composer.choose(suggestion)}
            >
              <Words suggestion={suggestion} />
            </div>
          ))}
        </div>
      )}
      <div class="sr-only" role="status">
        {suggestions.length > 0 && l10n.t('{0} suggestions', suggestions.length)}
      </div>
    </>
  );
}

function Words({ suggestion }: { readonly suggestion: Suggestion }): VNode {
  if (suggestion.kind === 'file') {
    const { name, detail, isFolder } = suggestion.file;
    return (
      <>
        <Icon name={isFolder ? 'folder' : 'file'} />
        <span class="popup-name">{name}</span>
        <span class="popup-detail">{detail}</span>
      </>
    );
  }
  if (suggestion.kind === 'context') {
    const { mention, detail } = suggestion.context;
    return (
      <>
        <Icon name="mention" />
        <span class="popup-name">{mention}</span>
        <span class="popup-detail">{detail}</span>
      </>
    );
  }
  if (suggestion.kind === 'savedPrompt') {
    const { name, description } = suggestion.prompt;
    return (
      <>
        <Icon name="bookmark" />
        <span class="popup-name">{name}</span>
        <span class="popup-detail">{description}</span>
      </>
    );
  }
  const { name, description, hint, skill } = suggestion.command;
  return (
    <>
      {skill && <Icon name="mortar-board" />}
      <span class="popup-name">/{name}</span>
      {skill && <span class="popup-hint">{l10n.t('Skill')}</span>}
      {hint !== undefined && <span class="popup-hint">{hint}</span>}
      <span class="popup-detail">{description}</span>
    </>
  );
}

function getListLabel(first: Suggestion | undefined): string {
  return first?.kind === 'file' || first?.kind === 'context'
    ? l10n.t('Mentions')
    : l10n.t('Commands');
}

function getKey(suggestion: Suggestion): string {
  switch (suggestion.kind) {
    case 'file':
      return suggestion.file.uri;
    case 'context':
      return `${suggestion.context.source}:${suggestion.context.about}`;
    case 'savedPrompt':
      return suggestion.prompt.uri;
    case 'command':
      return suggestion.command.name;
  }
}
