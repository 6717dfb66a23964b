import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { formatNumber } from '../format';
import { IconButton } from '../render/icon';
import { type FindState, longestQuery } from './findState';

interface FindWidgetProps {
  readonly find: FindState;
  /** After closing, with the focus nowhere. */
  readonly onClose: () => void;
}

/** Looks and works like VS Code's own. */
export function FindWidget({ find, onClose }: FindWidgetProps): VNode | null {
  const input = useRef<HTMLInputElement>(null);
  const focus = find.focus.value;
  useLayoutEffect(() => {
    if (focus > 0) {
      input.current?.focus();
      input.current?.select();
    }
  }, [focus]);
  if (!find.open.value) {
    return null;
  }
  const matchCase = find.matchCase.value;
  const found = (find.result.value?.indexes.length ?? 0) > 0;
  const missing = find.result.value !== undefined && !found;
  return (
    <search class={missing ? 'find find-missing' : 'find'}>
      <div class="find-input">
        <input
          ref={input}
          type="text"
          placeholder="Find"
          aria-label="Find in the whole session"
          spellcheck={false}
          maxLength={longestQuery}
          value={find.text.value}
          onInput={(event) => find.look(event.currentTarget.value, matchCase)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') {
              event.preventDefault();
              find.step(event.shiftKey ? -1 : 1);
            }
          }}
        />
        <IconButton
          icon="case-sensitive"
          label="Match Case"
          pressed={matchCase}
          onClick={() => find.look(find.text.value, !matchCase)}
        />
      </div>
      <span class="find-count" role="status">
        {countLabel(find)}
      </span>
      <IconButton
        icon="arrow-up"
        label="Previous Match (Shift+Enter)"
        disabled={!found}
        onClick={() => find.step(-1)}
      />
      <IconButton
        icon="arrow-down"
        label="Next Match (Enter)"
        disabled={!found}
        onClick={() => find.step(1)}
      />
      <IconButton icon="close" label="Close (Escape)" onClick={onClose} />
    </search>
  );
}

/** `3 of 17`: entries, because an entry is what the list scrolls to. */
function countLabel(find: FindState): string {
  const result = find.result.value;
  if (!result) {
    return '';
  }
  const total = result.indexes.length;
  if (total === 0) {
    return 'No results';
  }
  return `${formatNumber((find.position.value ?? 0) + 1)} of ${formatNumber(total)}${result.cut ? '+' : ''}`;
}
