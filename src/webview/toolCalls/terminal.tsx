import * as l10n from '@vscode/l10n';
import type { CSSProperties, HTMLAttributes, VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { TerminalColor, TerminalStyle } from '../../shared/terminal/sgr';
import type { TerminalLine, TerminalSize } from '../../shared/terminal/terminalScreen';
import { TerminalText } from '../../shared/terminal/terminalText';
import type { DrawnTerminal } from '../../shared/transcript/drawn';
import type { TerminalState } from '../../shared/transcript/entries';
import { MoreText } from '../code/moreText';
import { Link } from '../markdown/link';
import { isOpenable } from '../markdown/openableLinks';
import { useFold } from '../parts/fold';
import { Icon } from '../parts/icon';
import { useTranscript } from '../state/context';
import { formatNumber } from '../words/format';

/**
 * Number of lines shown of a longer output: the last ones, since a command usually reports its
 * result at the end.
 */
const foldedLines = 12;
const leastSaved = 3;

interface TerminalProps {
  readonly terminal: DrawnTerminal;
  /** Index in the tool call's content. */
  readonly item: number;
}

export function TerminalView({ terminal, item }: TerminalProps): VNode | null {
  const text = terminal.output?.text;
  const size = terminal.state?.size;
  const parsed = useMemo(
    () => (text === undefined ? undefined : parse(text, size)),
    [text, size?.columns, size?.rows],
  );
  const lines = parsed?.lines;
  const { state, waits, exitCode } = terminal;
  if (!state && waits && !lines?.length) {
    return null;
  }
  if (!lines && !state) {
    return <p class="quiet">{l10n.t('The output of this terminal wasn’t kept.')}</p>;
  }
  if (!state && lines?.length === 0 && exitCode === undefined) {
    return <p class="quiet">{l10n.t('No output')}</p>;
  }
  return (
    <div class="terminal">
      {lines && lines.length > 0 && (
        <Output lines={lines} omitted={terminal.output?.omitted ?? 0} item={item} />
      )}
      {parsed?.isCut && (
        <p class="quiet">{l10n.t('Some blank space in this output was left out.')}</p>
      )}
      {state && <Foot terminalId={terminal.terminalId} state={state} />}
      {exitCode !== undefined && <FailedExit exitCode={exitCode} />}
    </div>
  );
}

interface OutputProps {
  readonly lines: readonly TerminalLine[];
  /** Number of characters omitted before the first line. */
  readonly omitted: number;
  readonly item: number;
}

/** The last lines, which follow the output as it grows; earlier ones unfold above them. */
function Output({ lines, omitted, item }: OutputProps): VNode {
  const [open, toggle] = useFold(`terminal.${item}`, false);
  const folds = lines.length > foldedLines + leastSaved;
  const first = folds && !open ? lines.length - foldedLines : 0;
  return (
    <>
      {first === 0 && <MoreText omitted={omitted} part="content" item={item} />}
      {folds && (
        <button type="button" class="more" aria-expanded={open} onClick={toggle}>
          {open ? l10n.t('Show fewer lines') : earlierLines(lines.length - foldedLines)}
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
    </>
  );
}

interface FootProps {
  readonly terminalId: string;
  readonly state: TerminalState;
}

/** TE-9, V2-TERM-5: the state of a terminal, and a button that opens it if the extension runs it. */
function Foot({ terminalId, state }: FootProps): VNode {
  const { post } = useTranscript();
  const { icon, text } = footText(state);
  return (
    <div class="terminal-foot">
      <Icon name={icon} spin={state.kind === 'running'} />
      <span class="terminal-state">{text}</span>
      {!state.isAgents && (
        <button
          type="button"
          class="text-button"
          onClick={() => post({ type: 'openTerminal', terminalId })}
        >
          {l10n.t('Open in Terminal')}
        </button>
      )}
    </div>
  );
}

/** The exit code of a failed command that the agent ran itself, whatever its tool call's status is. */
function FailedExit({ exitCode }: { readonly exitCode: number }): VNode {
  return (
    <div class="terminal-foot">
      <Icon name="error" />
      <span class="terminal-state">{l10n.t('Exit code {0}', exitCode)}</span>
    </div>
  );
}

function footText(state: TerminalState): { readonly icon: string; readonly text: string } {
  if (state.kind === 'running') {
    return { icon: 'loading', text: l10n.t('Running') };
  }
  const { exitCode, signal } = state;
  if (signal !== null) {
    return { icon: 'error', text: l10n.t('Ended by signal {0}', signal) };
  }
  if (exitCode === null) {
    return { icon: 'circle-slash', text: l10n.t('Ended') };
  }
  return { icon: exitCode === 0 ? 'check' : 'error', text: l10n.t('Exit code {0}', exitCode) };
}

function parse(
  output: string,
  size: TerminalSize | undefined,
): Pick<TerminalText, 'lines' | 'isCut'> {
  const terminal = new TerminalText(size);
  terminal.write(output);
  const { lines, isCut } = terminal;
  return { lines, isCut };
}

function Line({ line }: { readonly line: TerminalLine }): VNode {
  return (
    <>
      {line.map(({ text, style: { link, ...style } }) => {
        const look = findLook(style);
        const shown = look ? <span {...look}>{text}</span> : text;
        return link !== undefined && isOpenable(link) ? <Link href={link}>{shown}</Link> : shown;
      })}
      {'\n'}
    </>
  );
}

/** Palette colors are classes because they follow the theme; other colors are inline styles. */
function findLook(style: TerminalStyle): HTMLAttributes<HTMLSpanElement> | undefined {
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

function earlierLines(count: number): string {
  return count === 1
    ? l10n.t('Show 1 earlier line')
    : l10n.t('Show {0} earlier lines', formatNumber(count));
}
