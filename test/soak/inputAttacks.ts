import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import { Grants } from '../../src/model/requests/grants';
import type { RuledPlace } from '../../src/model/rules/permissionRule';
import { ifPlain } from '../../src/model/rules/plainRun';
import { asToolCall } from '../../src/model/transcript/reduceToolCall';
import type { Check } from './check';
import type { Random } from './random';
import { turn } from './world';

type Pair = readonly [key: string, value: unknown];

const cwd = os.tmpdir();
const inside = path.join(cwd, 'inside');
const agreed = { AGREED: '1', OTHER: 'x y' };

/** What describes a command, or is as if it wasn't there. */
const harmless: readonly Pair[] = [
  ...(['description', 'title', 'reason', 'purpose', 'call_id'] as const).map(
    (key): Pair => [key, 'text'],
  ),
  ...(['timeout', 'timeout_ms', 'timeoutSeconds'] as const).map((key): Pair => [key, 5000]),
  ...(['run_in_background', 'isBackground'] as const).map((key): Pair => [key, true]),
  ...(['shell', 'user', 'env', 'whatever'] as const).map((key): Pair => [key, null]),
  ['shell', ''],
  ['env', {}],
  ['privileged', false],
  ['cwd', cwd],
  ['workdir', inside],
  ['env', agreed],
  ['environment', { NO_COLOR: '1', CI: 'true', AGREED: '1' }],
  ['parsed_cmd', [{ type: 'unknown', cmd: 'ls' }]],
];

/** What changes how a command runs, or may do so. */
const harmful: readonly Pair[] = [
  ...(['env', 'ENV', 'env_vars', 'environment', 'environmentVariables'] as const).flatMap(
    (key): Pair[] => [
      [key, { A: '1' }],
      [key, { AGREED: '2' }],
      [key, { ...agreed, LD_PRELOAD: '/x' }],
      [key, { CI: '/tmp/x' }],
      [key, { AGREED: 1 }],
      [key, { AGREED: { value: '1' } }],
      [key, ['A=1']],
      [key, [{ name: 'A', value: '1' }]],
      [key, 'A=1'],
    ],
  ),
  ...(['shell', 'executable', 'interpreter', 'user', 'runAs', 'stdin', 'host'] as const).map(
    (key): Pair => [key, 'x'],
  ),
  ...(['sandbox', 'privileged', 'elevated', 'dangerouslyDisableSandbox'] as const).map(
    (key): Pair => [key, true],
  ),
  ...(['cwd', 'workdir', 'working_directory', 'folder', 'dirPath'] as const).flatMap(
    (key): Pair[] => ['/etc', '..', 'inside', `${cwd}/..`, '/'].map((folder) => [key, folder]),
  ),
  ['cwd', { path: '/etc', shell: 'x' }],
  ['umask', 0],
  ['', 'x'],
];

/** Keys below which harmless values are harmless. */
const containers = ['args', 'commands', 'name', 'files', 'tool', 'type'];

/** An input with these in some order, each as deep in others as may be. */
function inputOf(random: Random, pairs: readonly Pair[]): object {
  const rest = [...pairs];
  let input: object = {};
  while (rest.length > 0) {
    const [[key, value] = ['', undefined]] = rest.splice(random.below(rest.length), 1);
    // Two of one key would be one.
    if (Object.hasOwn(input, key) || random.chance(0.1)) {
      input = { [random.pick(containers)]: random.chance(0.5) ? input : [input] };
    }
    input = random.chance(0.5) ? { [key]: value, ...input } : { ...input, [key]: value };
  }
  return { command: 'npm test', ...input };
}

/** Attacks by what a tool's input says beside its command. */
export const inputAttacks: readonly Check[] = [
  {
    name: 'inputs that change how an allowed command runs',
    repeats: true,
    run: async ({ random, size }) => {
      const grants = new Grants({ cwd, turn: () => 1, isOpen: () => true });
      grants.allowVariables(agreed);
      const place: RuledPlace = {
        cwd,
        reach: {
          getPlace: () => Promise.reject(new Error('none')),
          has: (file) => Promise.resolve(path.normalize(file).startsWith(cwd)),
        },
        inward: (file) => file,
        hasVariables: (env) => grants.hasVariables(env),
      };
      const decide = async (rawInput: unknown) => {
        const isText = random.chance(0.2);
        const given = isText ? JSON.stringify(rawInput) : rawInput;
        const call = { toolCallId: 'c', title: 'x', kind: 'execute', rawInput: given } as const;
        return ifPlain('allow', asToolCall(call), place);
      };
      const rounds = size(20_000, 500);
      let allowed = 0;
      for (let round = 0; round < rounds; round++) {
        const more = Array.from({ length: random.below(5) }, () => random.pick(harmless));
        const attack = inputOf(random, [...more, random.pick(harmful)]);
        assert.equal(await decide(attack), undefined, `allowed: ${JSON.stringify(attack)}`);
        allowed += (await decide(inputOf(random, more))) === 'allow' ? 1 : 0;
        await turn();
      }
      assert.ok(allowed > rounds / 2, `${allowed} of ${rounds} harmless ones are allowed`);
      return `${rounds} attacks, ${allowed} of as many harmless ones are allowed`;
    },
  },
];
