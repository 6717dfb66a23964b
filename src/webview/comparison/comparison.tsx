import type { ReadonlySignal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type {
  ComparedFile,
  ComparedLines,
  ComparedSession,
  FromComparison,
  ToComparison,
} from '../../shared/comparison/comparison';
import { usageText } from '../composer/options/usageText';
import { Icon } from '../parts/icon';
import { durationText } from '../words/times';

interface ComparisonProps {
  /** `undefined` until the host has answered. */
  readonly told: ReadonlySignal<ToComparison | undefined>;
  readonly post: (message: FromComparison) => void;
}

/** The sessions of one prompt side by side, and the files that they have changed. */
export function Comparison({ told, post }: ComparisonProps): VNode | null {
  if (told.value === undefined) {
    return null;
  }
  const { sessions, files, left } = told.value;
  const titles = new Set(sessions.map(({ title }) => title));
  return (
    <main class="comparison">
      <h1>{l10n.t('Comparison of Sessions')}</h1>
      {titles.size === 1 && <p class="comparison-title">{[...titles]}</p>}
      {sessions.length === 0 && <p>{l10n.t('Nothing is left to compare.')}</p>}
      <div class="comparison-columns">
        {sessions.map((session) => (
          <Column key={session.key} session={session} post={post} />
        ))}
      </div>
      {files.length > 0 && (
        <section aria-labelledby="comparison-files">
          <h2 id="comparison-files">{l10n.t('Changed Files')}</h2>
          <Files sessions={sessions} files={files} post={post} />
          {left > 0 && <p class="comparison-quiet">{l10n.t('{0} more files', left)}</p>}
        </section>
      )}
    </main>
  );
}

interface ColumnProps {
  readonly session: ComparedSession;
  readonly post: ComparisonProps['post'];
}

function Column({ session, post }: ColumnProps): VNode {
  const { key, title, agent, branch, said, trouble, unknown } = session;
  return (
    <section class="comparison-column" aria-labelledby={`session-${key}`}>
      <h2 id={`session-${key}`} class="one-line" title={title}>
        {agent ?? title}
      </h2>
      <div class="comparison-branch">
        <Icon name="git-branch" />
        <span>{branch}</span>
      </div>
      <Facts session={session} />
      {trouble !== undefined && <p class="comparison-trouble">{trouble}</p>}
      {said !== undefined && <p class="comparison-said">{said}</p>}
      {unknown !== undefined && <p class="comparison-quiet">{unknown}</p>}
      <Actions session={session} post={post} />
    </section>
  );
}

function Facts({ session }: Pick<ColumnProps, 'session'>): VNode {
  const { state, mark, last, took, cost, files, lines, check } = session;
  const costText = cost && usageText({ used: 0, size: 0, cost }).cost;
  return (
    <dl>
      <Fact name={l10n.t('State')}>
        <Icon name={marks[mark]} class={`comparison-${mark}`} /> {state}
      </Fact>
      {check && (
        <Fact name={l10n.t('Check')}>
          <Icon
            name={check.isStale ? 'warning' : checkIcons[check.state]}
            class={`comparison-check-${check.isStale ? 'stale' : check.state}`}
          />{' '}
          {check.text}
        </Fact>
      )}
      {last !== undefined && <Fact name={l10n.t('Changed')}>{last}</Fact>}
      {took !== undefined && <Fact name={l10n.t('Time')}>{durationText(took)}</Fact>}
      {costText !== undefined && <Fact name={l10n.t('Cost')}>{costText}</Fact>}
      {files !== undefined && (
        <Fact name={l10n.t('Files')}>
          {files} {lines && files > 0 && <Lines {...lines} />}
        </Fact>
      )}
    </dl>
  );
}

const marks: Readonly<Record<ComparedSession['mark'], string>> = {
  running: 'play-circle',
  needsYou: 'bell-dot',
  failed: 'error',
  atRest: 'comment-discussion',
};

const checkIcons: Readonly<Record<NonNullable<ComparedSession['check']>['state'], string>> = {
  running: 'play-circle',
  passed: 'pass',
  failed: 'error',
  stopped: 'circle-slash',
};

function Fact({ name, children }: { readonly name: string; readonly children: unknown }): VNode {
  return (
    <div class="comparison-fact">
      <dt>{name}</dt>
      <dd>{children as VNode}</dd>
    </div>
  );
}

function Lines({ added, removed }: ComparedLines): VNode {
  return (
    <span class="comparison-lines">
      <span class="comparison-added">+{added}</span>{' '}
      <span class="comparison-removed">−{removed}</span>
    </span>
  );
}

function Actions({ session, post }: ColumnProps): VNode {
  const { key, isRunning, hasSession, files = 0 } = session;
  const name = session.agent ?? session.title;
  const hasChanges = files > 0;
  return (
    <fieldset class="comparison-actions" aria-label={l10n.t('Actions on {0}', name)}>
      {hasChanges && (
        <>
          <Action label={l10n.t('Apply…')} act={() => post({ type: 'apply', key })} isMain />
          <Action label={l10n.t('Apply Hunks…')} act={() => post({ type: 'hunks', key })} />
          <Action label={l10n.t('Show Changes')} act={() => post({ type: 'changes', key })} />
        </>
      )}
      {hasSession && (
        <>
          <Action label={l10n.t('Open')} act={() => post({ type: 'open', key })} />
          <Action label={l10n.t('Check')} act={() => post({ type: 'check', key })} />
        </>
      )}
      {isRunning && <Action label={l10n.t('Stop')} act={() => post({ type: 'stop', key })} />}
      <Action label={l10n.t('Discard…')} act={() => post({ type: 'discard', key })} />
    </fieldset>
  );
}

interface ActionProps {
  readonly label: string;
  readonly act: () => void;
  readonly isMain?: boolean;
}

function Action({ label, act, isMain }: ActionProps): VNode {
  return (
    <button type="button" class={isMain ? 'button' : 'button button-secondary'} onClick={act}>
      {label}
    </button>
  );
}

interface FilesProps extends Pick<ToComparison, 'sessions' | 'files'> {
  readonly post: ComparisonProps['post'];
}

function Files({ sessions, files, post }: FilesProps): VNode {
  return (
    <div class="comparison-scroller">
      <table>
        <thead>
          <tr>
            <th scope="col">{l10n.t('File')}</th>
            {sessions.map(({ key, agent, title, branch }) => (
              <th key={key} scope="col" title={branch}>
                {agent ?? title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {files.map((file) => (
            <FileRow key={file.name} file={file} post={post} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function FileRow({
  file,
  post,
}: {
  readonly file: ComparedFile;
  readonly post: FilesProps['post'];
}) {
  const { name, cells } = file;
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          class="text-button"
          title={l10n.t('Show how each has changed {0}', name)}
          onClick={() => post({ type: 'file', name })}
        >
          {name}
        </button>
      </th>
      {cells.map((cell, index) => (
        // The columns never change their order.
        <td key={index}>{cell === null ? '–' : <Lines {...cell} />}</td>
      ))}
    </tr>
  );
}
