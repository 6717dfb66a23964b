import assert from 'node:assert/strict';
import { getReport } from '../../src/features/diagnosis/model/report';
import { withoutHome } from '../../src/features/diagnosis/model/withoutHome';
import { describeFailure } from '../../src/model/failures/failures';
import { AcpError } from '../../src/protocol/errors';
import { TraceRecorder } from '../../src/protocol/trace/traceRecorder';
import { HeldSecrets } from '../../src/util/secrets/heldSecrets';
import { withoutSecrets } from '../../src/util/secrets/secretText';
import { allSecretTexts, endlessUnits, hasSecret } from '../support/secretTexts';
import { header, MemoryFile } from '../unit/protocol/trace/traceBench';
import { budgets } from './budgets';
import type { Check } from './check';
import type { Random } from './random';

const around = ['', 'Failed: ', 'x\n', '{"a":"', '> ', '\u001b[31m', 'key ', 'a=b ', '(', '12: '];

/** A text with a secret somewhere in it. */
function attack(random: Random): string {
  const count = 1 + random.below(3);
  return Array.from({ length: count }, () => random.pick(around) + random.pick(allSecretTexts))
    .map((text) => (random.chance(0.2) ? JSON.stringify(text) : text))
    .join(random.pick(['\n', '\n\n', '\r\n', '\n-- \n']));
}

const characters = Array.from('aZ09 +/=-_.:;"\'\\\n\tüß€😀');

function generatedText(random: Random): string {
  return Array.from({ length: random.below(12) }, () => random.pick(characters)).join('');
}

function hexText(random: Random, length: number): string {
  return Array.from({ length }, () => random.below(16).toString(16)).join('');
}

async function recorded(text: string): Promise<string> {
  const file = new MemoryFile();
  const recorder = new TraceRecorder(file, header);
  recorder.take('fromAgent', { params: { text } });
  await recorder.stop();
  return file.text;
}

function quoted(text: string): string {
  return describeFailure(new AcpError('rpc', text, { rpcCode: -32603 }), 'Gull').detail;
}

function reported(text: string): string {
  const lines = text.split('\n');
  return getReport(
    {
      config: { id: 'x', title: 'X', command: 'x', args: [], env: {}, cwd: undefined },
      ...{ cwd: undefined, trusted: true, steps: [], missingFolder: false, noiseFirst: false },
      lookup: { path: undefined, loginPath: undefined, loginFailed: false },
      startError: new AcpError('rpc', text, { rpcCode: -32603 }),
      ...{ noise: lines, stderr: lines },
    },
    { title: 'X', versions: [] },
  ).markdown;
}

/** Attacks on what is written down without secrets. */
export const secretAttacks: readonly Check[] = [
  {
    name: 'no secret stays in a trace, a report or a quote',
    repeats: true,
    run: async ({ random, size }) => {
      const count = size(2000, 50);
      for (let index = 0; index < count; index++) {
        const text = attack(random);
        for (const shown of [await recorded(text), quoted(text), reported(text)]) {
          assert.ok(!hasSecret(shown), `${JSON.stringify(text)} -> ${shown}`);
        }
      }
      return `${count} texts`;
    },
  },
  {
    name: 'what settings hold is found in any text, and in base64',
    repeats: true,
    run: ({ random, size }) => {
      const held = new HeldSecrets();
      const values = Array.from({ length: 50 }, () => `hunter22${generatedText(random)}`);
      held.addSecrets(values);
      const count = size(20_000, 500);
      for (let index = 0; index < count; index++) {
        const before = generatedText(random);
        const text = before + random.pick(values) + generatedText(random);
        const encoded = Buffer.from(text).toString(random.pick(['base64', 'base64url']));
        assert.ok(!held.without(text).includes('hunter'), JSON.stringify(text));
        assert.ok(!held.without(JSON.stringify({ text })).includes('hunter'), text);
        assert.equal(held.without(`(${encoded})`), '(‹hidden›)', JSON.stringify(text));
      }
      return Promise.resolve(`${count} texts`);
    },
  },
  {
    name: 'a user folder is replaced however it is written',
    repeats: true,
    run: ({ random, size }) => {
      const count = size(20_000, 500);
      const spellings: readonly ((path: string) => string)[] = [
        (path) => path,
        encodeURIComponent,
        (path) => JSON.stringify(path).slice(1, -1).replaceAll('/', '\\/'),
        (path) => path.replace(/[^A-Za-z0-9]/g, '-'),
      ];
      for (let index = 0; index < count; index++) {
        const user = `zoe${random.pick(['', ' lee', '.lee', 'é', '-lee'])}`;
        const home = random.pick(['/home/', '/Users/', 'C:\\Users\\', '/srv/people/']) + user;
        const text = `(${random.pick(spellings)(`${home}/a`)}) ${random.pick(spellings)(home)}`;
        assert.ok(!/zoe|lee/.test(withoutHome(text, home)), `${home}: ${text}`);
      }
      return Promise.resolve(`${count} texts`);
    },
  },
  {
    name: 'long and many values are found, in pieces too',
    repeats: true,
    run: ({ random, size }) => {
      const length = size(200_000, 5000);
      const held = new HeldSecrets();
      const long = hexText(random, length);
      held.addNamed({ KUBECONFIG: long });
      const lines = Array.from({ length: length / 50 }, () => hexText(random, 64));
      held.addNamed({ CERTIFICATES: lines.join('\n') });
      const count = size(500, 50);
      for (let index = 0; index < count; index++) {
        const start = random.below(length - 2500);
        for (const secret of [long.slice(start, start + 2500), random.pick(lines)]) {
          const shown = held.without(` ${secret} `);
          // What is left of its pieces, at either end.
          assert.match(shown, /^ [\da-f]{0,999}‹hidden›[\da-f]{0,999} $/);
        }
      }
      return Promise.resolve(`${count} texts, ${length} units, ${lines.length} lines`);
    },
  },
  {
    name: 'secrets are looked for in linear time',
    run: ({ size }) => {
      const length = size(800_000, 10_000);
      const held = new HeldSecrets();
      held.addSecrets(['key=key=key', 'hunter2', 'a'.repeat(100)]);
      let longest = 0;
      for (const unit of endlessUnits) {
        const text = unit.repeat(length / unit.length);
        const before = process.cpuUsage();
        held.without(withoutSecrets(text));
        const { user } = process.cpuUsage(before);
        longest = Math.max(longest, user / 1000);
        assert.ok(longest <= budgets.stretch, `${JSON.stringify(unit)}: ${longest} ms`);
      }
      return Promise.resolve(
        `${endlessUnits.length} texts of ${length}, ${Math.round(longest)} ms`,
      );
    },
  },
];
