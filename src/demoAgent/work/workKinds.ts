import { execFile } from 'node:child_process';
import { type DemoTurn, type Steps, textContent } from '../turns/turn';
import type { DemoToolContent } from '../vocabulary/demoUpdates';
import { getMessage } from '../vocabulary/requestErrors';
import { type LineChange, type Replacement, withContext } from './lineChanges';
import { partNames, startFiles } from './startFiles';
import { WorkFolder, workFolderName } from './workFolder';
import { type Edit, NotAllowed, named, WorkTurn } from './workTurn';

/** A way in which an agent changes files. */
interface WorkKind {
  /** What it does, for the list of kinds. */
  readonly does: string;
  /** Returns what was done, as a sentence. Throws `NotAllowed`. */
  readonly run: (work: WorkTurn) => Promise<string>;
}

const hours: LineChange = { start: 'Saturday: ', becomes: '10 to 18' };
const refund: LineChange = { start: 'Refund: ', becomes: 'as a voucher or to the card' };
const next: LineChange = { start: 'Next: ', becomes: 'count the pots twice' };
const then: LineChange = { start: 'Then: ', becomes: 'order soil and moss' };
const summary: LineChange = { start: 'Summary: ', becomes: 'what every gardener knows' };
const state: LineChange = { start: 'State: ', becomes: 'read twice' };

/** A script for `node -e`, in the folder of the files: a single line without double quotes, as for any shell. */
const raisePrices = [
  "const fs = require('fs');",
  "const old = fs.readFileSync('prices.txt', 'utf8');",
  "const now = old.replace(/(\\d+)\\.(\\d\\d)/g, (_, euros, cents) => Number(euros) + 1 + '.' + cents);",
  "fs.writeFileSync('prices.txt', now);",
  "fs.appendFileSync('report.txt', 'All prices are raised by 1.00.\\n');",
  "console.log('prices.txt and report.txt are written');",
].join(' ');

/** The kinds of work, by the word that asks for them. */
export const workKinds: ReadonlyMap<string, WorkKind> = new Map<string, WorkKind>([
  ['start', { does: 'writes the files that the others change', run: writeAll }],
  ['direct', { does: 'changes files by itself and reports no diff', run: direct }],
  ['fragments', { does: 'reports each edit as a fragment of its file', run: fragments }],
  ['command', { does: 'runs a command that changes files, and reports nothing', run: command }],
  ['again', { does: 'changes the same lines each time', run: again }],
  ['many', { does: 'works on ten files for some seconds', run: many }],
]);

/** Does work of a kind, or says which kinds there are. */
export async function doWork(turn: DemoTurn, word: string): Promise<Steps> {
  const kind = workKinds.get(word === '' ? 'direct' : word);
  if (kind === undefined) {
    return [{ say: kindList() }];
  }
  try {
    const work = new WorkTurn(turn, await WorkFolder.open(turn.session.meta.cwd));
    const did = await kind.run(work);
    return [{ say: work.changesFiles ? did : 'In the mode **Plan only** I change nothing.' }];
  } catch (error) {
    turn.signal.throwIfAborted();
    return error instanceof NotAllowed
      ? [{ say: 'You did not allow it, so I stopped there.' }]
      : [{ say: `That did not work: ${getMessage(error)}` }];
  }
}

function kindList(): string {
  const rows = [...workKinds].map(([word, { does }]) => `| \`/work ${word}\` | ${does} |`);
  return [
    'I know these kinds of work:',
    '',
    '| Prompt | What it does |',
    '| --- | --- |',
    ...rows,
  ].join('\n');
}

async function writeAll(work: WorkTurn): Promise<string> {
  const names = [...startFiles.keys()];
  await work.call({ title: `Write ${names.length} files`, kind: 'edit', name: 'write_files' }, () =>
    work.writeStartFiles(names),
  );
  return `The files are in \`${workFolderName}\`. Ask for one of the other words now.`;
}

/** Changes two places of a file and makes a new one; the calls name the files only. */
async function direct(work: WorkTurn): Promise<string> {
  await work.prepare(['notes.md']);
  const { after } = await edited(work, 'notes.md', [hours, refund]);
  const text = `# Summary\n\n${after.split('\n').length} lines of notes.\n`;
  await work.call(writeCall('summary.md'), () => work.files.write('summary.md', text));
  return `I changed \`${named('notes.md')}\` in two places and wrote \`${named('summary.md')}\`.`;
}

/**
 * As Claude does: before the edit its old and new text alone; afterwards each hunk with the lines
 * around it.
 */
async function fragments(work: WorkTurn): Promise<string> {
  await work.prepare(['notes.md']);
  for (const change of [hours, refund]) {
    await editLikeClaude(work, 'notes.md', change);
  }
  return `I edited \`${named('notes.md')}\` and reported only the lines around each edit.`;
}

async function editLikeClaude(work: WorkTurn, name: string, change: LineChange): Promise<void> {
  const { before, after, replaced } = await work.edit(name, [change]);
  const [only] = replaced;
  if (only === undefined) {
    await work.turn.say(`\`${named(name)}\` has no line “${change.start}…” any more.`);
    return;
  }
  const start = {
    ...writeCall(name),
    title: `Edit ${named(name)}`,
    name: 'Edit',
    input: {
      file_path: work.turn.path(named(name)),
      old_string: only.oldText,
      new_string: only.newText,
    },
    content: [getDiff(work, name, only)],
  };
  await work.call(start, async (change) => {
    await work.files.write(name, after);
    const hunk = withContext(before, only);
    const content = [getDiff(work, name, hunk)];
    const path = work.turn.path(named(name));
    await change({ content, locations: [{ path, line: hunk.line }] });
  });
}

async function command(work: WorkTurn): Promise<string> {
  await work.prepare(['prices.txt']);
  const start = {
    title: 'node raise-prices',
    kind: 'execute',
    name: 'shell',
    input: { command: process.execPath, args: ['-e', raisePrices], cwd: work.files.path },
  } as const;
  await work.call(start, async (change) => {
    // Neither may be a link that leads elsewhere.
    await Promise.all(['prices.txt', 'report.txt'].map((name) => work.files.file(name)));
    const output = await runNode(work, raisePrices);
    await change({ content: [textContent(`\`\`\`console\n${output}\`\`\``)] });
  });
  return `The command changed \`${named('prices.txt')}\` and \`${named('report.txt')}\`; I reported neither.`;
}

/** Resolves to what the script printed; rejects if it failed. */
function runNode(work: WorkTurn, script: string): Promise<string> {
  const options = { cwd: work.files.path, signal: work.turn.signal };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['-e', script], options, (error, stdout, stderr) => {
      if (error === null) {
        resolve(stdout + stderr);
      } else {
        reject(new Error(error.message));
      }
    });
  });
}

async function again(work: WorkTurn): Promise<string> {
  await work.prepare(['todo.md']);
  const { replaced } = await edited(work, 'todo.md', [next, then]);
  const lines = replaced.map(({ newText }) => `- ${newText}`).join('\n');
  return `The same lines of \`${named('todo.md')}\` once more:\n\n${lines}`;
}

/** Every other file is reported as fragments, the rest not at all. */
async function many(work: WorkTurn): Promise<string> {
  await work.prepare(partNames);
  for (const [index, name] of partNames.entries()) {
    await edited(work, name, [summary, state], index % 2 === 0);
  }
  return 'Those were ten files. Now decide what stays.';
}

/** Edits lines of a file in one call, which names the file alone unless it `reports` what it has changed. */
async function edited(
  work: WorkTurn,
  name: string,
  changes: readonly LineChange[],
  reports = false,
): Promise<Edit> {
  const edit = await work.edit(name, changes);
  await work.call(writeCall(name, edit.replaced[0]?.line), async (change) => {
    await work.files.write(name, edit.after);
    if (reports) {
      const hunks = edit.replaced.map((one) => withContext(edit.before, one));
      await change({ content: hunks.map((hunk) => getDiff(work, name, hunk)) });
    }
  });
  return edit;
}

function writeCall(name: string, line?: number) {
  const at = { path: named(name), ...(line !== undefined && { line }) };
  return {
    title: `Write ${named(name)}`,
    kind: 'edit',
    name: 'write_file',
    locations: [at],
  } as const;
}

function getDiff(
  { turn }: WorkTurn,
  name: string,
  { line, oldText, newText }: Replacement,
): DemoToolContent {
  return { type: 'diff', path: turn.path(named(name)), oldText, newText, line };
}
