import assert from 'node:assert/strict';
import { closeSync, ftruncateSync, mkdtempSync, openSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { SessionTerminals } from '../../src/model/requests/sessionTerminals';
import type { RuledPlace } from '../../src/model/rules/permissionRule';
import { decideSpecifically } from '../../src/model/rules/specificRules';
import { asToolCall } from '../../src/model/transcript/reduceToolCall';
import { VsCodeFiles } from '../../src/platform/files/files';
import { OwnWrites } from '../../src/platform/files/ownWrites';
import { ReadOnlyDocuments } from '../../src/platform/files/readOnlyDocuments';
import { ChildTerminals } from '../../src/platform/terminals/terminals';
import { TheirPaths } from '../../src/protocol/transport/theirPaths';
import { TerminalText } from '../../src/shared/terminal/terminalText';
import { budgets } from './budgets';
import type { Check } from './check';
import { Stretches } from './stretches';
import { turn } from './world';

const project = path.resolve('/here/project');
const theirNames = [
  '/srv/app/a',
  '/srv/app/b/c',
  '/srv/other',
  project,
  `${project}/a`,
  'a',
  '../a',
];
const theirKeys = ['file_path', 'path', 'target_file', 'files', 'sources', 'uri', 'to'];

/** What an agent on another machine calls its files must never be taken for files of this machine that are called so. */
const theirFilesAttack: Check = {
  name: 'files of another machine that are called like ours',
  run: async ({ random, size }) => {
    const paths = new TheirPaths('far', [{ theirs: '/srv/app', ours: project }]);
    const place: RuledPlace = {
      cwd: project,
      reach: {
        getPlace: (file) => {
          const isInside = file.startsWith(`${project}${path.sep}`);
          const names = isInside ? [path.relative(project, file)] : [];
          return Promise.resolve({ real: file, names });
        },
        has: (file) => Promise.resolve(file.startsWith(project)),
      },
      inward: (file) => paths.inward(file),
      hasVariables: () => true,
    };
    const rule = { agent: undefined, kind: undefined, path: '**', decision: 'allow' } as const;
    const count = size(20_000, 500);
    let allowed = 0;
    for (let made = 0; made < count; made++) {
      const said = Array.from({ length: 1 + random.below(3) }, () => random.pick(theirNames));
      const inInput = said.map((name) => ({
        [random.pick(theirKeys)]: random.pick<unknown>([name, [name], { path: name }]),
        ...(random.chance(0.3) && { old_string: 'x', new_string: 'y' }),
      }));
      const patch = `*** Begin Patch\n*** Delete File: ${said[0]}\n*** End Patch`;
      const request = {
        toolCallId: 'c',
        ...({ title: 'x', kind: 'edit' } as const),
        rawInput: random.pick<unknown>([
          Object.assign({}, ...inInput),
          { edits: inInput },
          { patch },
          { patch, cwd: project },
        ]),
        locations: random.chance(0.5) ? [{ path: paths.inward('/srv/app/x') }] : [],
      };
      const call = asToolCall(request);
      const ruling = await decideSpecifically(
        [rule],
        'a',
        'edit',
        { type: 'call', call, request },
        place,
      );
      const named = JSON.stringify(request.rawInput);
      if (ruling !== undefined) {
        allowed++;
        assert.ok(!named.includes(JSON.stringify(project).slice(1, -1)), named);
      }
      await turn();
    }
    assert.ok(allowed > 0);
    return `${count} calls, ${allowed} of them allowed`;
  },
};

/** Attacks on the machine's memory and processes, and by the names of files on another one. */
export const machineAttacks: readonly Check[] = [
  theirFilesAttack,
  {
    name: '100 reads of a file of 40 MB at once',
    run: async ({ size }) => {
      const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'acp-soak-')));
      try {
        const file = path.join(folder, 'large.txt');
        const handle = openSync(file, 'w');
        ftruncateSync(handle, size(40_000_000, 4_000_000));
        closeSync(handle);
        const files = new VsCodeFiles(new ReadOnlyDocuments(), new OwnWrites());
        let read = 0;
        await Promise.all(
          Array.from({ length: 100 }, () =>
            files.read(file).then(
              ({ length }) => {
                read += length > 0 ? 1 : 0;
              },
              () => undefined,
            ),
          ),
        );
        return `${read} of 100 were read`;
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  },
  ...['\u001b[999Cx\n', '\u001b[999C', '\u001b[1000Gx\r\n', '\u001b[2K\u001b[1Kx', 'x\t'].map(
    (sequence): Check => ({
      name: `a terminal text of ${JSON.stringify(sequence)} again and again`,
      run: ({ size }) => {
        const text = new TerminalText();
        text.write(sequence.repeat(size(192_000, 96_000) / sequence.length));
        const cells = text.lines.flat().reduce((sum, span) => sum + span.text.length, 0);
        assert.ok(cells <= budgets.terminalCells, `${cells} cells`);
        return Promise.resolve(`${cells} cells`);
      },
    }),
  ),
  {
    name: '64 terminals that print without end',
    wholeOnly: true,
    run: async () => {
      const before = process.memoryUsage().rss;
      const stretches = new Stretches();
      const workspace = { trusted: true };
      const terminals = new SessionTerminals(new ChildTerminals({ workspace }), os.tmpdir());
      let heard = 0;
      terminals.onDidChange(() => {
        heard += 1;
      });
      const request = { sessionId: 's0', command: 'yes', args: ['y'.repeat(200)], env: {} };
      const outputByteLimit = 16 * 1024 * 1024;
      for (let started = 0; started < 64; started++) {
        // A rejected request is fine.
        await terminals.create({ ...request, outputByteLimit }).catch(() => undefined);
      }
      for (let seen = 0; seen < 100; seen++) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const grown = process.memoryUsage().rss - before;
      await terminals.closeAll();
      terminals.dispose();
      const stretch = stretches.end();
      assert.ok(grown <= budgets.terminalBytes, `${grown} bytes more are held`);
      return `${Math.round(grown / 1024 / 1024)} MiB more, heard ${heard} times, ${stretch} ms`;
    },
  },
];
