import assert from 'node:assert/strict';
import os from 'node:os';
import type { PermissionRule, RuledPlace } from '../../src/model/rules/permissionRule';
import type { Asked } from '../../src/model/rules/ruledAct';
import { decideSpecifically } from '../../src/model/rules/specificRules';
import { asToolCall } from '../../src/model/transcript/reduceToolCall';
import type { Check } from './check';
import { lineOf, textOf, wrapped } from './hostileCommands';
import type { Random } from './random';
import { turn } from './world';

const cwd = os.tmpdir();
const place: RuledPlace = {
  cwd,
  reach: {
    getPlace: (file) => Promise.resolve({ real: file, names: [] }),
    has: () => Promise.resolve(true),
  },
  inward: (file) => file,
  hasVariables: () => true,
};

/** What the rules reject, and commands of which that is the beginning. */
const rejected = [
  { rule: ['rm', '-rf'], commands: ['rm -rf x', '/bin/rm -rf /', 'rm --verbose -rf x'] },
  { rule: ['git', 'push'], commands: ['git push', 'git -C x push origin', 'git --no-pager push'] },
  { rule: ['./build.sh'], commands: ['./build.sh', '/work/build.sh all', 'tools/build.sh'] },
  {
    rule: ['npm', 'publish'],
    commands: ['npm publish', 'npm.cmd publish', 'npm --silent publish'],
  },
].map(({ rule, commands }) => ({ rule, commands: commands.map((line) => line.split(' ')) }));

const rule = (
  more: Partial<PermissionRule> & Pick<PermissionRule, 'decision'>,
): PermissionRule => ({
  ...{ agent: undefined, kind: undefined },
  ...more,
});
const allowsAll = [
  rule({ kind: 'execute', decision: 'allow' }),
  ...['git', 'npm', 'npx', 'env', 'sh', 'bash', 'docker run', 'uv run', 'sudo', 'find', 'trap'].map(
    (line) => rule({ command: line.split(' '), decision: 'allow' }),
  ),
];

/** A request in which an agent says what it would run, in one of the ways in which agents do. */
function asked(random: Random, words: readonly string[]): Asked {
  const [command = '', ...args] = words;
  const request = { sessionId: 's', command, args, env: {} };
  const line = lineOf(random, words);
  const text = textOf(random, words);
  return random.pick<() => Asked>([
    () => ({ type: 'command', folder: cwd, request }),
    () => ({
      type: 'command',
      folder: cwd,
      request: { ...request, command: line, args: [], shell: '/bin/sh' },
    }),
    () => ofInput({ command: words }),
    () => ofInput({ command: line }),
    () => ofInput({ command, args }),
    () => ofInput({ command: text.trim(), cwd, description: 'x' }),
    () => ofInput({ cmd: ['bash', '-lc', line] }),
    () => ofInput({ command: 'ls', commands: ['ls', line] }),
    () => ofInput({ command: 'ls', input: { script: line } }),
    () => ofInput(JSON.stringify({ command: words })),
    () => ofInput({ command: [line] }),
    () => ofInput({ command, args: args.join(' ') }),
    () => ofInput({ command: 'ls', ...nested(random.below(20), { command: words }) }),
  ])();
}

/** A value this deep in others. */
function nested(depth: number, value: object): object {
  return depth === 0 ? { value } : { inner: nested(depth - 1, value) };
}

function ofInput(rawInput: unknown): Asked {
  const request = { toolCallId: 'c', title: 'Runs it', kind: 'execute', rawInput } as const;
  return { type: 'call', call: asToolCall(request), request };
}

/** Attacks by commands on the rules and permissions of the user. */
export const commandAttacks: readonly Check[] = [
  {
    name: 'rejected words in, around and below other commands',
    repeats: true,
    run: async ({ random, size }) => {
      const counts = { reject: 0, asked: 0 };
      for (let round = 0; round < size(30_000, 500); round++) {
        const { rule: command, commands } = random.pick(rejected);
        const rules = [...allowsAll, rule({ command, decision: 'reject' })];
        const words = wrapped(random, random.pick(commands), random.below(4));
        const act = asked(random, words);
        const ruling = await decideSpecifically(rules, 'a', 'execute', act, place);
        const isAllowed = ruling === 'allow' || ruling === 'allowOne';
        assert.ok(!isAllowed, `${command.join(' ')} is allowed in ${JSON.stringify(act)}`);
        await turn();
        counts[ruling === 'reject' ? 'reject' : 'asked'] += 1;
      }
      return `${counts.reject} rejected, ${counts.asked} asked about`;
    },
  },
];
