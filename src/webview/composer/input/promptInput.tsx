import * as l10n from '@vscode/l10n';
import type { TargetedKeyboardEvent, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { isComposing } from '../../keys/composing';
import { findSendKeys, readEnterKey, type SendKeys } from '../../keys/sendKeys';
import { useCanSteer, useSessionPart, useTranscript } from '../../state/context';
import { takeFiles } from '../attachments/dropZone';
import type { ComposerState } from '../draft/composerState';
import { completionId, optionId } from './completionList';

interface PromptInputProps {
  readonly composer: ComposerState;
}

/** The prompt's text input: Enter sends, Shift+Enter inserts a line break. */
export function PromptInput({ composer }: PromptInputProps): VNode {
  const { state, post } = useTranscript();
  const input = useRef<HTMLTextAreaElement>(null);
  useCaret(composer, input);
  const suggestions = composer.completion.suggestions.value.length;
  const several = useSessionPart('first')?.several?.agents;
  const agentTitle = several ? l10n.t('{0} agents', several.length) : state.agentTitle.value;
  const canSteer = useCanSteer();
  const keys = findSendKeys(useSessionPart('sendsWithCtrl'));
  const hasCommands = (useSessionPart('commands') ?? []).length > 0;
  return (
    <div class="prompt">
      <textarea
        ref={input}
        class="prompt-input"
        rows={1}
        aria-label={l10n.t('Prompt')}
        placeholder={
          hasCommands
            ? l10n.t('Message {0}, / for commands, @ for context', agentTitle)
            : l10n.t('Message {0}, @ for context', agentTitle)
        }
        aria-autocomplete="list"
        aria-controls={suggestions > 0 ? completionId : undefined}
        aria-activedescendant={
          suggestions > 0 ? optionId(composer.completion.selected.value) : undefined
        }
        value={composer.text.value}
        onInput={({ currentTarget }) =>
          composer.type(currentTarget.value, currentTarget.selectionEnd)
        }
        onKeyDown={(event) => {
          if (handlePromptKey(event, composer, keys, canSteer)) {
            event.preventDefault();
          }
        }}
        onFocus={({ currentTarget }) => composer.moveCaret(currentTarget.selectionEnd)}
        onBlur={() => composer.moveCaret(undefined)}
        onPaste={(event) => {
          const { clipboardData } = event;
          // Prefer text when there is any: cells copied from a spreadsheet also come as a picture.
          if (clipboardData && clipboardData.getData('text/plain') === '') {
            if (takeFiles(clipboardData, composer, state, post)) {
              event.preventDefault();
            }
          }
        }}
      />
      <Hint composer={composer} />
    </div>
  );
}

/** A command's input hint, shown after its name until the user types there (CM-1). */
function Hint({ composer }: PromptInputProps): VNode | null {
  const commands = useSessionPart('commands');
  const text = composer.text.value;
  const command = commands?.find(({ name }) => text === `/${name} `);
  return command?.hint === undefined ? null : (
    <div class="prompt-hint" aria-hidden="true">
      <span class="prompt-hint-typed">{text}</span>
      {command.hint}
    </div>
  );
}

function useCaret(
  composer: ComposerState,
  input: { readonly current: HTMLTextAreaElement | null },
): void {
  const placed = composer.placed.value;
  const wantsFocus = composer.wantsFocus.value;
  useLayoutEffect(() => {
    if (placed) {
      input.current?.setSelectionRange(placed.caret, placed.caret);
    }
  }, [input, placed]);
  useLayoutEffect(() => {
    if (wantsFocus) {
      input.current?.focus();
      composer.tookFocus();
    }
  }, [composer, input, wantsFocus]);
  useEffect(() => {
    const onMove = (): void => {
      const element = input.current;
      if (element && document.activeElement === element) {
        const { selectionStart, selectionEnd } = element;
        composer.moveCaret(selectionStart === selectionEnd ? selectionEnd : undefined);
      }
    };
    document.addEventListener('selectionchange', onMove);
    return () => document.removeEventListener('selectionchange', onMove);
  }, [composer, input]);
}

/**
 * Handles the prompt's keys; returns `true` when it handled one. Ignores keys during an input
 * method's composition.
 */
function handlePromptKey(
  event: TargetedKeyboardEvent<HTMLTextAreaElement>,
  composer: ComposerState,
  keys: SendKeys,
  canSteer: boolean,
): boolean {
  const pressed = readEnterKey(event);
  if (canSteer && pressed === keys.now) {
    composer.send({ now: true });
    return true;
  }
  if (pressed === 'Ctrl+Enter' && pressed === keys.send) {
    composer.send();
    return true;
  }
  if (isComposing(event) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) {
    return false;
  }
  if (composer.completion.isOpen && handleCompletionKey(event.key, composer)) {
    return true;
  }
  switch (event.key) {
    case 'Enter':
      if (pressed !== keys.send) {
        return false;
      }
      composer.send();
      return true;
    case 'Tab':
      return composer.takeSuggested();
    case 'Escape':
      return composer.suggested.dismiss();
    case 'ArrowUp':
      return composer.recall('older');
    case 'ArrowDown':
      return composer.recall('newer');
    default:
      return false;
  }
}

function handleCompletionKey(key: string, composer: ComposerState): boolean {
  const { completion } = composer;
  const { current, trigger } = completion;
  switch (key) {
    case 'ArrowDown':
      completion.move(1);
      return true;
    case 'ArrowUp':
      completion.move(-1);
      return true;
    case 'Escape':
      completion.dismiss();
      return true;
    case 'Enter':
    case 'Tab': {
      const isWhole = current?.kind === 'command' && current.command.name === trigger?.query;
      if (key === 'Enter' && isWhole) {
        return false;
      }
      if (current) {
        composer.choose(current);
      }
      return true;
    }
    default:
      return false;
  }
}
