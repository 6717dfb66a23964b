import assert from 'node:assert/strict';
import path from 'node:path';
import { scriptRunner } from '../../../../../../src/features/editorTools/model/tasks/scriptRunner';
import { shownRun } from '../../../../../../src/features/editorTools/model/tasks/shownRun';
import { readTaskFile } from '../../../../../../src/features/editorTools/model/tasks/taskFile';
import {
  planTask,
  type TaskStep,
} from '../../../../../../src/features/editorTools/model/tasks/taskPlan';
import { ToolRefusal } from '../../../../../../src/features/editorTools/model/tool';

const folder = path.resolve('/work/shop');
const place = {
  ...{ folder, home: '/home/me', shell: '/bin/bash' },
  scriptRunner: ['npm', 'run'] as const,
};

/** What a task of these runs, by its label. */
function planned(tasks: readonly object[], label: string, more: object = {}): readonly TaskStep[] {
  const text = JSON.stringify({ version: '2.0.0', ...more, tasks });
  return planTask(readTaskFile(text, 'linux'), label, place);
}

const lines = (steps: readonly TaskStep[]): readonly string[] =>
  steps.map(({ command, args }) => [command, ...args].join(' '));

function refused(run: () => unknown, why: RegExp): void {
  assert.throws(
    run,
    (error) => error instanceof ToolRefusal && why.test(error.message),
    String(why),
  );
}

describe('tasks of a tasks.json', () => {
  it('are read with comments, and with what is said for the system', () => {
    const text = `{ "version": "2.0.0", // of VS Code
      "options": { "env": { "A_MODE": "all" } },
      "tasks": [{ "label": "build", "type": "shell", "command": "make", "args": ["all"],
        "linux": { "args": ["x86"], "options": { "cwd": "\${workspaceFolder}/native" } },
        "windows": { "command": "nmake" }, "problemMatcher": ["$gcc", { "base": "$tsc" }], }], }`;
    const [step] = planTask(readTaskFile(text, 'linux'), 'build', place);
    assert.deepEqual(step, {
      ...{ label: 'build', type: 'shell', command: 'make x86', args: [] },
      ...{ folder: path.join(folder, 'native'), env: { A_MODE: 'all' } },
      ...{ isBackground: false, matchers: ['$gcc'] },
    });
    const [other] = planTask(readTaskFile(text, 'win32'), 'build', place);
    assert.deepEqual([other?.command, other?.folder], ['nmake all', folder]);
  });

  it('have their words quoted for the shell, and programs of their own get them as they are', () => {
    const args = ['-o', 'a b.txt', '"c d"', { value: 'e"f', quoting: 'weak' }, "it's so"];
    const task = { label: 'x', command: 'cp', args };
    assert.deepEqual(lines(planned([{ ...task, type: 'shell' }], 'x')), [
      `cp -o 'a b.txt' "c d" "e\\"f" 'it'\\''s so'`,
    ]);
    assert.deepEqual(planned([task], 'x')[0]?.args, ['-o', 'a b.txt', '"c d"', 'e"f', "it's so"]);
    const line = 'a | b > "c d"';
    assert.deepEqual(lines(planned([{ label: 'x', type: 'shell', command: line }], 'x')), [line]);
  });

  it('run scripts of a package.json by what the user has chosen, or the project uses', () => {
    const task = { type: 'npm', script: 'test', path: 'web/' };
    const [step] = planned([task], 'npm: test');
    assert.deepEqual([step?.command, step?.folder], ['npm run test', path.join(folder, 'web')]);
    assert.deepEqual(scriptRunner(undefined, ['src', 'pnpm-lock.yaml']), ['pnpm', 'run']);
    assert.deepEqual(scriptRunner('node', ['yarn.lock']), ['node', '--run']);
    assert.deepEqual(scriptRunner('constructor', []), ['npm', 'run']);
  });

  it('of another type than a command run after what they depend on, or are refused with it', () => {
    const before = { label: 'before', command: 'prepare' };
    const test = { type: 'npm', script: 'test', dependsOn: 'before' };
    assert.deepEqual(lines(planned([before, test], 'npm: test')), ['prepare', 'npm run test']);
    const built = { label: 'x', type: 'typescript', tsconfig: 'a.json', dependsOn: 'before' };
    refused(() => planned([before, built], 'x'), /of type "typescript"/);
  });

  it('run after what they depend on, each once', () => {
    const shell = (label: string, ...dependsOn: string[]): object => ({
      ...{ label, type: 'shell', command: `do ${label}` },
      ...(dependsOn.length > 0 && { dependsOn }),
    });
    const tasks = [
      shell('c', 'a', 'b'),
      shell('b', 'a'),
      shell('a'),
      { label: 'd', dependsOn: 'c' },
    ];
    assert.deepEqual(lines(planned(tasks, 'd')), ['do a', 'do b', 'do c']);
  });

  it('SEC-282: are refused if only running them would tell what they run', () => {
    const one =
      (task: object): (() => unknown) =>
      () =>
        planned([{ label: 'x', ...task }], 'x');
    for (const name of [
      'input:which',
      'command:a.b',
      'env:HOME',
      'config:a',
      'file',
      'relativeFile',
    ]) {
      refused(one({ command: `go \${${name}}` }), /can't be shown beforehand/);
      refused(one({ command: 'go', args: [{ value: `\${${name}}` }] }), /can't be shown/);
      refused(one({ command: 'go', options: { cwd: `\${${name}}` } }), /can't be shown/);
      refused(one({ command: 'go', options: { env: { A: `\${${name}}` } } }), /can't be shown/);
    }
    refused(one({ type: 'typescript', tsconfig: 'tsconfig.json' }), /only the extension/);
    refused(one({ command: 'go', options: { shell: { executable: 'x' } } }), /shell of its own/);
    refused(one({ command: '  ' }), /no command/);
    refused(one({ command: 'go', args: [1] }), /no text/);
    refused(one({ command: 'go\0' }), /no text/);
    refused(one({ command: 'go', dependsOn: 'npm: build' }), /no task "npm: build"/);
    refused(one({ command: 'go', dependsOn: { type: 'npm' } }), /name by a label/);
    refused(
      () =>
        planned(
          [
            { label: 'x', command: 'a' },
            { label: 'x', command: 'b' },
          ],
          'x',
        ),
      /more than one/,
    );
    const kept = 'echo ${HOME} ${A:-b} ${workspaceFolderBasename}';
    assert.deepEqual(lines(planned([{ label: 'x', command: kept }], 'x')), [
      'echo ${HOME} ${A:-b} shop',
    ]);
  });

  it('SEC-283: end in a refusal where they are endless, too many or of a form that isn’t known', () => {
    const depends = (label: string, on: string): object => ({ label, command: 'x', dependsOn: on });
    refused(() => planned([depends('a', 'b'), depends('b', 'a')], 'a'), /depends on itself/);
    const row = Array.from({ length: 100 }, (_, at) => depends(`t${at}`, `t${at + 1}`));
    refused(() => planned(row, 't0'), /more than 50/);
    const many = Array.from({ length: 2000 }, (_, at) => ({ label: `t${at}`, command: 'x' }));
    refused(() => planned(many, 't0'), /more than 1000 tasks/);
    refused(
      () => planned([{ label: 'x', command: 'x', args: Array(2000).fill('a') }], 'x'),
      /arguments/,
    );
    for (const text of [
      '{',
      '[]',
      '',
      '{"version":"0.1.0","tasks":[]}',
      '{"version":"2.0.0","command":"x"}',
    ]) {
      refused(() => readTaskFile(text, 'linux'), /not valid JSON|old form/);
    }
    const odd = [null, 1, { label: 'l'.repeat(400), command: 'x' }, { label: ' ', command: 'x' }];
    const file = JSON.stringify({ version: '2.0.0', tasks: odd, options: [], linux: 1 });
    assert.deepEqual(readTaskFile(file, 'linux'), []);
    refused(() => readTaskFile('['.repeat(200_000), 'linux'), /not valid JSON/);
  });

  it('SEC-284: are shown with all that they run, or refused', () => {
    const env = { A_KEY: 'v' };
    const one = planned([{ label: 'x', command: 'go', args: ['a b'], options: { env } }], 'x');
    assert.deepEqual(shownRun('T', one, '/bin/bash'), {
      ...{ title: 'T', folder, line: 'go "a b"', variables: [env] },
      details: { task: 'x', program: 'go', arguments: ['a b'], env },
    });
    const before = { label: 'first', type: 'shell', command: 'make' };
    const two = planned(
      [before, { label: 'x', command: 'go', dependsOn: 'first', isBackground: true }],
      'x',
    );
    assert.deepEqual(shownRun('T', two, '/bin/bash'), {
      ...{ title: 'T', folder, before: ['make', 'go'], variables: [{}, {}] },
      details: {
        commands: ['make', 'go'],
        tasks: [
          { task: 'first', shell: '/bin/bash', folder, command: 'make' },
          { task: 'x', program: 'go', arguments: [], isBackground: true, folder, command: 'go' },
        ],
      },
    });
    const long = planned([{ label: 'x', command: 'x'.repeat(40_000) }], 'x');
    refused(() => shownRun('T', long, '/bin/bash'), /too long to be shown/);
    const row = Array.from({ length: 40 }, (_, at) => ({
      ...{ label: `t${at}`, command: 'x' },
      ...(at < 39 && { dependsOn: `t${at + 1}` }),
    }));
    refused(() => shownRun('T', planned(row, 't0'), '/bin/bash'), /too long to be shown/);
    refused(
      () => shownRun('T', planned([{ label: 'x', dependsOn: [] }], 'x'), 'sh'),
      /runs nothing/,
    );
  });
});
