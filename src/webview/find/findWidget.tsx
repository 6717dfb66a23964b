import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { maxFindQueryLength } from '../../shared/transcript/findQuery';
import { isComposing } from '../keys/composing';
import { IconButton } from '../parts/icon';
import { formatNumber } from '../words/format';
import type { FindOption, FindState, Result } from './findState';

interface FindWidgetProps {
  readonly find: FindState;
  /** Called to close the widget; must move the focus. */
  readonly onClose: () => void;
}

/** Looks and works like VS Code's find widget. */
export function FindWidget({ find, onClose }: FindWidgetProps): VNode | null {
  if (!find.open.value) {
    return null;
  }
  const result = find.result.value;
  const found = (result?.total ?? 0) > 0;
  const missing = result !== undefined && result.state !== 'searching' && !found;
  return (
    <search
      class={missing ? 'find find-missing' : 'find'}
      onKeyDown={(event) => press(event, find)}
    >
      <FindInput find={find} />
      <span class="find-count" role="status" aria-busy={result?.state === 'searching'}>
        {countLabel(find)}
      </span>
      <IconButton
        icon="arrow-up"
        label={l10n.t('Previous Match (Shift+Enter)')}
        disabled={!found}
        onClick={() => find.step(-1)}
      />
      <IconButton
        icon="arrow-down"
        label={l10n.t('Next Match (Enter)')}
        disabled={!found}
        onClick={() => find.step(1)}
      />
      <IconButton icon="close" label={l10n.t('Close (Escape)')} onClick={onClose} />
    </search>
  );
}

function FindInput({ find }: Pick<FindWidgetProps, 'find'>): VNode {
  const input = useRef<HTMLInputElement>(null);
  const focus = find.focus.value;
  useLayoutEffect(() => {
    if (focus > 0) {
      input.current?.focus();
      input.current?.select();
    }
  }, [focus]);
  const search = find.search.value;
  const result = find.result.value;
  return (
    <div class="find-input">
      <input
        ref={input}
        type="text"
        placeholder={l10n.t('Find')}
        aria-label={l10n.t('Find in the whole session')}
        aria-invalid={result !== undefined && result.state in faults}
        spellcheck={false}
        maxLength={maxFindQueryLength}
        value={search.text}
        onInput={(event) => find.look(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !isComposing(event)) {
            event.preventDefault();
            find.step(event.shiftKey ? -1 : 1);
          }
        }}
      />
      {options.map(({ option, icon, label }) => (
        <IconButton
          key={option}
          icon={icon}
          label={label}
          pressed={search[option]}
          onClick={() => find.toggle(option)}
        />
      ))}
    </div>
  );
}

interface Option {
  readonly option: FindOption;
  readonly icon: string;
  readonly label: string;
  /** Combined with Alt; the physical key, because Alt types other characters on some keyboards. */
  readonly code: string;
}

const options: readonly Option[] = [
  {
    option: 'matchCase',
    icon: 'case-sensitive',
    label: l10n.t('Match Case (Alt+C)'),
    code: 'KeyC',
  },
  {
    option: 'wholeWord',
    icon: 'whole-word',
    label: l10n.t('Match Whole Word (Alt+W)'),
    code: 'KeyW',
  },
  {
    option: 'isPattern',
    icon: 'regex',
    label: l10n.t('Use Regular Expression (Alt+R)'),
    code: 'KeyR',
  },
];

function press(event: KeyboardEvent, find: FindState): void {
  const pressed = options.find(({ code }) => code === event.code);
  if (pressed && event.altKey && !event.ctrlKey && !event.shiftKey) {
    event.preventDefault();
    keepFromMenuBar(event);
    find.toggle(pressed.option);
  }
}

/**
 * VS Code gets the keys of a page, and would open the menu whose mnemonic this is: Alt+R the menu Run. It learns of a
 * key without a meaning instead, since Alt alone would move the focus to the menu bar when it is released.
 */
function keepFromMenuBar(event: KeyboardEvent): void {
  event.stopPropagation();
  document.dispatchEvent(new KeyboardEvent('keydown', { altKey: true, bubbles: true }));
}

const faults: Readonly<Partial<Record<Result['state'], string>>> = {
  invalid: l10n.t('Invalid regular expression'),
  long: l10n.t('Regular expression too long'),
  slow: l10n.t('Regular expression takes too long'),
};

/** `3 of 17`, with a `+` while there may be more. */
function countLabel(find: FindState): string {
  const result = find.result.value;
  if (!result) {
    return '';
  }
  const fault = faults[result.state];
  if (fault !== undefined) {
    return fault;
  }
  const { total, state } = result;
  if (total === 0) {
    return state === 'searching' ? '' : l10n.t('No results');
  }
  const position = find.position.value;
  const more = state === 'complete' ? '' : '+';
  return l10n.t(
    '{0} of {1}',
    position === undefined ? '?' : formatNumber(position),
    `${formatNumber(total)}${more}`,
  );
}
