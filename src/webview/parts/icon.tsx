import type { VNode } from 'preact';

interface IconProps {
  /** The name of a codicon. */
  readonly name: string;
  readonly spin?: boolean;
  readonly class?: string;
}

/** A decorative icon, hidden from screen readers: its meaning is always given in text as well. */
export function Icon({ name, spin, class: extra }: IconProps): VNode {
  const classes = ['codicon', `codicon-${name}`, spin && 'codicon-modifier-spin', extra];
  return <span class={classes.filter(Boolean).join(' ')} aria-hidden="true" />;
}

interface IconButtonProps {
  readonly icon: string;
  readonly label: string;
  readonly pressed?: boolean;
  readonly disabled?: boolean;
  /** Whether the next press triggers a pending action. */
  readonly isArmed?: boolean;
  /** Does nothing when clicked, but stays focusable so that its label can explain why. */
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
