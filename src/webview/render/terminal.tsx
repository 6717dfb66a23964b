import type { CSSProperties, HTMLAttributes, VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { DrawnTerminal } from '../../shared/drawn';
import { formatCount } from '../format';
import type { TerminalColor, TerminalStyle } from '../terminal/sgr';
import { type TerminalLine, TerminalText } from '../terminal/terminalText';
import { useFold } from './fold';
import { MoreText } from './moreText';

/** Of a longer output the last lines are shown: that is where a command says how it went. */
const foldedLines = 12;
const leastSaved = 3;

interface TerminalProps {
  readonly terminal: DrawnTerminal;
  /** Its index in the tool call's content. */
  readonly item: number;
}

export function Terminal({ terminal, item }: TerminalProps): VNode {
  const text = terminal.output?.text;
  const lines = useMemo(() => (text === undefined ? undefined : parse(text)), [text]);
  const [open, toggle] = useFold(`terminal.${item}`, false);
  if (!lines || !terminal.output) {
    return <p class="quiet">The output of this terminal wasn't kept.</p>;
  }
  if (lines.length === 0) {
    return <p class="quiet">No output</p>;
  }
  const folds = lines.length > foldedLines + leastSaved;
  const first = folds && !open ? lines.length - foldedLines : 0;
  return (
    <div class="terminal">
      {folds && (
        <button type="button" class="more" aria-expanded={open} onClick={toggle}>
          {open
            ? 'Show fewer lines'
            : `Show ${formatCount(lines.length - foldedLines, 'earlier line')}`}
        </button>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines have to be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>
          {lines.slice(first).map((line, at) => (
            <Line key={first + at} line={line} />
          ))}
        </code>
      </pre>
      <MoreText omitted={terminal.output.omitted} part="content" item={item} />
    </div>
  );
}

function parse(output: string): readonly TerminalLine[] {
  const terminal = new TerminalText();
  terminal.write(output);
  return terminal.lines;
}

function Line({ line }: { readonly line: TerminalLine }): VNode {
  return (
    <>
      {line.map(({ text, style }) => {
        const look = lookOf(style);
        return look ? <span {...look}>{text}</span> : text;
      })}
      {'\n'}
    </>
  );
}

/** Palette colours are classes, because they follow the theme; others are set as they are. */
function lookOf(style: TerminalStyle): HTMLAttributes<HTMLSpanElement> | undefined {
  if (Object.keys(style).length === 0) {
    return undefined;
  }
  const foreground = style.inverse ? (style.background ?? 'inverse') : style.foreground;
  const background = style.inverse ? (style.foreground ?? 'inverse') : style.background;
  const flags = (['bold', 'dim', 'italic', 'underline', 'strike'] as const).filter(
    (flag) => style[flag],
  );
  const classes = [
    ...flags.map((flag) => `terminal-${flag}`),
    paletteClass('fg', foreground),
    paletteClass('bg', background),
  ].filter((name) => name !== undefined);
  const fixed: CSSProperties = {};
  if (isFixed(foreground)) {
    fixed.color = foreground;
  }
  if (isFixed(background)) {
    fixed.backgroundColor = background;
  }
  return { class: classes.join(' '), style: fixed };
}

function paletteClass(ground: 'fg' | 'bg', color: TerminalColor | undefined): string | undefined {
  return typeof color === 'number' || color === 'inverse'
    ? `terminal-${ground} terminal-${ground}-${color}`
    : undefined;
}

function isFixed(color: TerminalColor | undefined): color is string {
  return typeof color === 'string' && color !== 'inverse';
}
