import { useSignal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { TerminalSize } from '../../../shared/terminal/terminalScreen';
import { TerminalText } from '../../../shared/terminal/terminalText';
import type { BackgroundTask } from '../../../shared/transcript/backgroundTask';
import { Icon } from '../../parts/icon';
import { useSessionPart, useTranscript } from '../../state/context';
import { backgroundTasks } from '../../words/counts';
import { formatNumber } from '../../words/format';
import { FoldedLine } from './foldedLine';

const icons = {
  terminal: 'terminal',
  toolCall: 'tools',
  subagent: 'hubot',
  other: 'server-process',
} as const;
/** Lines of a terminal's output: the last ones. */
const maxLines = 8;

/** What the agent runs beside the turns (V2-TURN-12): a line that says how much, and opens the list. */
export function BackgroundTasks(): VNode {
  const tasks = useSessionPart('tasks');
  const isOpen = useSignal(false);
  const words = tasks && backgroundTasks(tasks.count);
  const left = tasks === undefined ? 0 : tasks.count - tasks.listed.length;
  return (
    <>
      {tasks && (
        <FoldedLine
          label={l10n.t('Tasks in the Background')}
          icon="server-process"
          isOpen={isOpen}
          head={<span class="one-line">{words}</span>}
          body={() => (
            <ul class="tasks">
              {tasks.listed.map((task) => (
                <Task key={task.id} task={task} />
              ))}
              {left > 0 && <li class="quiet">{l10n.t('{0} more', formatNumber(left))}</li>}
            </ul>
          )}
        />
      )}
      <div class="sr-only" role="status">
        {words}
      </div>
    </>
  );
}

interface TaskProps {
  readonly task: BackgroundTask;
}

function Task({ task }: TaskProps): VNode {
  const { state } = useTranscript();
  const { kind, title, output, size, index } = task;
  return (
    <li>
      <div class="task-line">
        <Icon name={icons[kind]} />
        {index === undefined ? (
          <span class="one-line">{title}</span>
        ) : (
          <button
            type="button"
            class="text-button one-line"
            title={l10n.t('Show in the Transcript')}
            onClick={() => state.show(index, 'entry')}
          >
            {title}
          </button>
        )}
        <Stop task={task} />
      </div>
      {output !== undefined && <Output output={output} size={size} />}
    </li>
  );
}

function Stop({ task: { id, title, canStop, stop } }: TaskProps): VNode {
  const { post } = useTranscript();
  return (
    <span class="task-stop">
      <span role="status">
        {stop === 'asked' && l10n.t('Stopping…')}
        {stop === 'failed' && l10n.t('Couldn’t stop it')}
      </span>
      {canStop && stop !== 'asked' && (
        <button
          type="button"
          class="text-button"
          aria-label={l10n.t('Stop {0}', title)}
          onClick={() => post({ type: 'stopTask', id })}
        >
          {l10n.t('Stop')}
        </button>
      )}
    </span>
  );
}

interface OutputProps {
  readonly output: string;
  readonly size: TerminalSize | undefined;
}

/** The last lines as text: the call that shows the terminal has their colors, and all of them. */
function Output({ output, size }: OutputProps): VNode | null {
  const text = useMemo(() => {
    const terminal = new TerminalText(size);
    terminal.write(output);
    const lines = terminal.lines.map((line) =>
      line
        .map((part) => part.text)
        .join('')
        .trimEnd(),
    );
    return lines.slice(-maxLines).join('\n').trim();
  }, [output, size?.columns, size?.rows]);
  return text === '' ? null : (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines have to be reachable by keyboard
    <pre class="task-output" tabIndex={0}>
      {text}
    </pre>
  );
}
