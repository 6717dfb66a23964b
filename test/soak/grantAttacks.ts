import assert from 'node:assert/strict';
import os from 'node:os';
import process from 'node:process';
import type { AgentCommand, Command } from '../../src/model/calls/commandLine';
import { Consent } from '../../src/model/requests/consent';
import { Grants } from '../../src/model/requests/grants';
import type { Ruling } from '../../src/model/rules/permissionRule';
import { asToolCall } from '../../src/model/transcript/reduceToolCall';
import type { ToolCallPatch } from '../../src/protocol/updates';
import type { PermissionOption } from '../../src/shared/requests/agentQuestions';
import type { Check } from './check';
import { textOf } from './hostileCommands';
import type { Random } from './random';
import { turn } from './world';

type Words = readonly string[];

const cwd = os.tmpdir();
const folders = [cwd, `${cwd}/a`, '/etc'];
const vocabulary = [
  'run',
  'tests',
  'now',
  'npm',
  'test',
  './run',
  'run tests',
  './run tests',
  'a b',
];
const shells: readonly Words[] = [
  ['sh', '-c'],
  ['/bin/bash', '-lc'],
];

/** What is allowed for the whole session leaves little to attack. */
const answers = [
  ...Array<'reject_once'>(6).fill('reject_once'),
  ...Array<'allow_once'>(3).fill('allow_once'),
  'allow_always' as const,
];

interface Variable {
  readonly name: string;
  readonly value: string;
  readonly isHarmless: boolean;
}

const harmless = [
  ...['NO_COLOR=1', 'FORCE_COLOR=', 'TERM=xterm-256color', 'CI=true', 'LANG=C', 'LC_ALL=C.UTF-8'],
  `HOME=${process.env['HOME'] ?? ''}`,
];
const harmful = [
  ...['A=1', 'A=2', 'CLAUDECODE=1', 'HOME=/tmp/evil', 'npm_config_prefix=/x', 'PYTHONPATH=/x'],
  ...['LC_ALL=/tmp/evil', 'LANG=../x', 'TERM=a b', 'CI=$(x)', 'NO_COLOR=1\n', 'LC_=C', 'LC_A1=C'],
  ...['no_color=1', 'Ci=true', 'TERMINFO=/x', 'LANGUAGE=/x', 'NO_COLORS=1', 'LOCPATH=/x', '=1'],
  `TERM=${'x'.repeat(65)}`,
];
const variables = [
  ...harmless.map((text) => variable(text, true)),
  ...harmful.map((text) => variable(text, false)),
];

function variable(text: string, isHarmless: boolean): Variable {
  const end = text.indexOf('=', 1);
  const at = end === -1 ? text.length : end;
  return { name: text.slice(0, at), value: text.slice(at + 1), isHarmless };
}

/** A command that was permitted: its words, if the request says which, and its text, if it has one. */
interface Permitted {
  readonly words: Words | undefined;
  readonly text: string | undefined;
  readonly folder: string;
}

/** What an agent runs, with what it means. */
interface Run extends Permitted {
  readonly request: AgentCommand;
  readonly env: readonly Variable[];
}

function wordsFrom(random: Random): Words {
  return Array.from({ length: 1 + random.below(4) }, () => random.pick(vocabulary));
}

/** The words themselves, or others that look alike. */
function alike(random: Random, words: Words): Words {
  const at = random.below(words.length);
  const word = words[at] ?? '';
  return random.pick<() => Words>([
    () => words,
    () => words,
    () => words.join(' ').split(' '),
    () => [words.join(' ')],
    () => words.with(at, `./${word}`),
    () => words.with(at, word.toUpperCase()),
    () => words.with(at, `${word} `),
    () => words.with(at, `"${word}"`),
    () => words.toSpliced(at, 2, words.slice(at, at + 2).join(' ')),
    () => words.toSpliced(at, 1),
    () => [...words, 'x'],
    () => ['sh', '-c', words.join(' '), 'x'],
    () => ['./sh', '-c', words.join(' ')],
    () => words.toReversed(),
  ])();
}

/** What was said of a command, in an agent's tool call or in its request to run it. */
type Said = Pick<Permitted, 'words' | 'text'>;

function permission(random: Random, id: number): { call: ToolCallPatch; permitted: Permitted } {
  const words = wordsFrom(random);
  const folder = random.pick(folders.slice(0, 2));
  const text = textOf(random, words);
  const joined = words.join(' ');
  const [input, said] = random.pick<() => [object, Said]>([
    () => [{ command: words }, { words, text: undefined }],
    () => [{ command: text }, { words, text }],
    () => [{ cmd: joined }, { words: joined.split(' '), text: joined }],
    () => {
      const line = `${text} && ${textOf(random, words)}`;
      return [{ command: line }, { words: undefined, text: line }];
    },
    () => {
      const [first = '', ...args] = words;
      return [
        { command: [first], args },
        { words, text: undefined },
      ];
    },
  ])();
  const named = folder === cwd && random.chance(0.5) ? {} : { cwd: folder };
  const rawInput = { ...input, ...named };
  const call = { toolCallId: `c${id}`, title: 'Runs it', kind: 'execute', rawInput } as const;
  return { call, permitted: { ...said, folder } };
}

function runLike(random: Random, permitted: Permitted): Run {
  const others = alike(random, permitted.words ?? wordsFrom(random));
  const isSameText = permitted.text !== undefined && random.chance(0.6);
  const text = isSameText ? permitted.text : textOf(random, others);
  const line = { words: isSameText ? permitted.words : others, text };
  const [command = '', ...args] = others;
  const [shell = '', flag = ''] = random.pick(shells);
  const [run, said] = random.pick<[Command, Said]>([
    [
      { command, args },
      { words: others, text: undefined },
    ],
    [{ command: text, args: [], shell: '/bin/sh' }, line],
    [{ command: shell, args: [flag, text] }, line],
  ]);
  const folder = random.chance(0.8) ? permitted.folder : random.pick(folders);
  const env = Array.from({ length: random.pick([0, 0, 0, 1, 2]) }, () => random.pick(variables));
  const values = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  return { ...said, folder, env, request: { sessionId: 's', ...run, env: values, cwd: folder } };
}

/** Whether this runs exactly what was permitted, where it was. */
function isSame(run: Run, permitted: Permitted): boolean {
  const isText = run.text !== undefined && run.text === permitted.text;
  const areWords =
    run.words !== undefined && JSON.stringify(run.words) === JSON.stringify(permitted.words);
  return run.folder === permitted.folder && (isText || areWords);
}

/** An agent's session, and what its user has agreed to in it. */
class Session {
  ruling: Ruling | undefined;
  asked = 0;
  readonly #agreed = new Map<string, string>();
  readonly #permits: Permitted[] = [];
  #isAnyCommand = false;
  readonly #grants = new Grants({ cwd, turn: () => 1, isOpen: () => true });
  #answer: PermissionOption['kind'] = 'reject_once';
  #isAboutVariables = false;
  readonly #consent = new Consent({
    agentId: 'a',
    rules: { decide: () => this.ruling, offer: () => Promise.resolve(undefined) },
    place: {
      cwd,
      reach: { getPlace: () => Promise.reject(new Error()), has: () => Promise.resolve(true) },
      inward: (file) => file,
      hasVariables: (env) => this.#grants.hasVariables(env),
    },
    requests: {
      ask: ({ options }) => {
        this.asked += 1;
        this.#isAboutVariables = options.some(({ name }) => name.includes('Variables'));
        return Promise.resolve(this.#answer);
      },
      noteRuled: () => undefined,
      cancellations: 0,
    },
    grants: this.#grants,
    changed: () => undefined,
  });

  permit({ call, permitted }: ReturnType<typeof permission>): void {
    this.#grants.note(asToolCall(call), 'allow_once');
    this.#permits.push(permitted);
  }

  /** Lets the agent run something; resolves with whether it ran silently. */
  async run(run: Run, answer: PermissionOption['kind']): Promise<boolean> {
    const { request, env, folder } = run;
    this.#answer = answer;
    const before = this.asked;
    const isAgreed = (each: Variable): boolean =>
      each.isHarmless || this.#agreed.get(each.name) === each.value;
    const last = [...new Map(env.map((each) => [each.name, each])).values()];
    const areAgreed = last.every(isAgreed);
    const at = this.#permits.findIndex((permitted) => isSame(run, permitted));
    const isPermitted = this.#isAnyCommand || this.ruling === 'allow' || at >= 0;
    const ended = await this.#consent
      .mayRun(request, folder, folder !== '/etc', new AbortController().signal)
      .then(
        () => 'ran',
        () => 'refused',
      );
    const isSilent = this.asked === before && ended === 'ran';
    assert.ok(!isSilent || areAgreed, `variables pass silently: ${JSON.stringify(request)}`);
    assert.ok(!isSilent || isPermitted, `runs silently: ${JSON.stringify(request)}`);
    if (this.asked > before && answer === 'allow_always') {
      this.#noteAlways(last);
    }
    return isSilent;
  }

  #noteAlways(env: readonly Variable[]): void {
    for (const { name, value, isHarmless } of env) {
      if (!isHarmless) {
        this.#agreed.set(name, value);
      }
    }
    this.#isAnyCommand ||= !this.#isAboutVariables;
  }

  get permits(): readonly Permitted[] {
    return this.#permits;
  }
}

/** Attacks by commands that differ a little from those that were permitted. */
export const grantAttacks: readonly Check[] = [
  {
    name: 'commands that are almost what was permitted',
    repeats: true,
    run: async ({ random, size }) => {
      let [silent, asked] = [0, 0];
      for (let round = 0; round < size(2000, 60); round++) {
        const session = new Session();
        for (let step = 0; step < 10; step++) {
          session.permit(permission(random, step));
          session.ruling = random.chance(0.1) ? 'allow' : undefined;
          const run = runLike(random, random.pick(session.permits));
          const answer = random.pick(answers);
          silent += (await session.run(run, answer)) ? 1 : 0;
        }
        asked += session.asked;
        await turn();
      }
      assert.ok(silent > 0 && asked > 0);
      return `${silent} ran silently, ${asked} were asked about`;
    },
  },
];
