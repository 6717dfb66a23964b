import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { FromGlance, GlanceTask } from '../../shared/glance/glance';
import { Icon, IconButton } from '../parts/icon';

interface TasksProps {
  readonly tasks: readonly GlanceTask[];
  readonly post: (message: FromGlance) => void;
}

/** What agents run beside their turns, each with the last line that it has put out. */
export function Tasks({ tasks, post }: TasksProps): VNode | null {
  return tasks.length === 0 ? null : (
    <section aria-labelledby="glance-tasks">
      <h2 id="glance-tasks">
        {l10n.t('In the background')} <span class="glance-count">{tasks.length}</span>
      </h2>
      <ul>
        {tasks.map((task) => (
          <Task key={`${task.id} ${task.key}`} task={task} post={post} />
        ))}
      </ul>
    </section>
  );
}

function Task({
  task: { key, id, kind, title, session, line, canStop, stop },
  post,
}: Pick<TasksProps, 'post'> & { readonly task: GlanceTask }): VNode {
  return (
    <li class="glance-row glance-task">
      <div class="glance-head">
        <Icon name={kind === 'terminal' ? 'terminal' : 'server-process'} class="glance-icon" />
        <button
          type="button"
          class="glance-open one-line"
          title={[title, session, line].filter(Boolean).join('\n')}
          onClick={() => post({ type: 'openTask', key, id })}
        >
          {title}
        </button>
        {canStop && stop !== 'asked' && (
          <IconButton
            icon="debug-stop"
            label={l10n.t('Stop {0}', title)}
            onClick={() => post({ type: 'stopTask', key, id })}
          />
        )}
      </div>
      <div class="glance-where">
        <span class="one-line">{session}</span>
      </div>
      <div class="glance-output one-line">{line ?? ''}</div>
      <div role="status">
        {stop === 'asked' && l10n.t('Stopping…')}
        {stop === 'failed' && l10n.t('Couldn’t stop it')}
      </div>
    </li>
  );
}
