import type { VNode } from 'preact';

interface IconProps {
  /** A name of VS Code's icon font. */
  readonly name: string;
  readonly spin?: boolean;
  readonly class?: string;
}

/** An icon that says nothing by itself: what it means stands beside it in words. */
export function Icon({ name, spin, class: extra }: IconProps): VNode {
  const classes = ['codicon', `codicon-${name}`, spin && 'codicon-modifier-spin', extra];
  return <span class={classes.filter(Boolean).join(' ')} aria-hidden="true" />;
}

interface IconButtonProps {
  readonly icon: string;
  readonly label: string;
  readonly pressed?: boolean;
  readonly disabled?: boolean;
  /** What it does is about to happen. */
  readonly isArmed?: boolean;
  /** Does nothing, and its label says why: it can be reached to be told so. */
  readonly unavailable?: boolean;
  readonly onClick: () => void;
}

export function IconButton(props: IconButtonProps): VNode {
  const { icon, label, pressed, disabled, unavailable, isArmed, onClick } = props;
  return (
    <button
      type="button"
      class={isArmed ? 'icon-button icon-button-armed' : 'icon-button'}
      title={label}
      aria-label={label}
      aria-pressed={pressed}
      disabled={disabled}
      aria-disabled={unavailable}
      onClick={unavailable ? undefined : onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
