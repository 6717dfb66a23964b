import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ServerProcess } from '../unit/features/prompts/server/serverProcess';
import { factsOf } from '../unit/features/prompts/server/world';
import { median, percentile } from './statistics';
import type { TableRow } from './table';

const fileCount = 20_000;
const filesInFolder = 20;
const starts = 7;
const checks = 15;
const completions = 400;
const promptBytes = 200 * 1024;
/** Typed letter by letter. */
const typed = ['orders', 'inv', 'module-7/', 'file-1234', 'src/m', 'zz', 'tests/unit/mod', ''];

/** The language server of prompts in a workspace of 20,000 files, with a client that finds no files itself. */
export async function promptRows(): Promise<readonly TableRow[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'acp-sessions-bench-'));
  try {
    await writeFiles(folder);
    const first: number[] = [];
    for (let start = 0; start < starts; start++) {
      first.push(await firstCompletion(folder));
    }
    const { times, checked, memory } = await later(folder);
    const start = median(first);
    const p95 = percentile(times, 95);
    const check = median(checked);
    return [
      {
        what: `Prompt server in ${fileCount.toLocaleString('en')} files: from its start to the first completion`,
        limit: '< 400 ms',
        measured: `${Math.round(start)} ms (worst ${Math.round(Math.max(...first))} ms)`,
        met: start < 400,
      },
      {
        what: '… later completions, 95 of 100',
        limit: '< 30 ms',
        measured: `${p95.toFixed(1)} ms (worst ${Math.max(...times).toFixed(1)} ms)`,
        met: p95 < 30,
      },
      {
        what: '… diagnostics of a prompt of 200 KB, from its opening',
        limit: '< 50 ms',
        measured: `${check.toFixed(1)} ms (worst ${Math.max(...checked).toFixed(1)} ms)`,
        met: check < 50,
      },
      {
        what: '… its memory after all that (RSS)',
        limit: '< 80 MB',
        measured: `${(memory / 1e6).toFixed(1)} MB`,
        met: memory < 80e6,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function firstCompletion(folder: string): Promise<number> {
  const started = performance.now();
  const client = await ServerProcess.start({ folders: [folder] });
  try {
    const { items } = await client.complete(client.open('@src/module-1'));
    if (items.length === 0) {
      throw new Error('Nothing was found');
    }
    return performance.now() - started;
  } finally {
    await client.kill();
  }
}

async function later(folder: string) {
  const client = await ServerProcess.start({ folders: [folder] });
  try {
    const uri = client.open('@');
    client.bind(uri, factsOf({ roots: [folder], commands: [{ name: 'fix', description: '' }] }));
    while ((await client.complete(uri)).items.length === 0) {
      // The list is still being read.
    }
    const times: number[] = [];
    for (let index = 0; index < completions; index++) {
      const word = typed[index % typed.length] ?? '';
      const end = 1 + (Math.floor(index / typed.length) % Math.max(1, word.length));
      client.change(uri, `@${word.slice(0, end)}`);
      const asked = performance.now();
      await client.complete(uri);
      times.push(performance.now() - asked);
    }
    const checked: number[] = [];
    const text = longPrompt();
    for (let index = 0; index < checks; index++) {
      const opened = performance.now();
      const name = `untitled:long-${index}`;
      await client.nextDiagnostics(name, () => client.open(text, name));
      checked.push(performance.now() - opened);
      client.notify('textDocument/didClose', { textDocument: { uri: name } });
    }
    return { times, checked, memory: await residentBytes(client.process.pid ?? 0) };
  } finally {
    await client.kill();
  }
}

/** A prompt with every kind of diagnostic, every few lines. */
function longPrompt(): string {
  let text = '---\nmode: plan\n---\n/nope\n';
  for (let index = 0; text.length < promptBytes; index++) {
    const file = index % 100;
    text += `## Step ${index}\n\nLook at @src/module-${file}/file-${file * filesInFolder}.ts and at @src/gone-${file}.ts.\n`;
    text += `Then do what \`@never\` says. <!-- ${index} isn't sent -->\n\n`;
    text += `\`\`\`ts\nconst value = '@not';\n\`\`\`\n\n${'Some words that say what to do. '.repeat(12)}\n\n`;
  }
  return text;
}

async function writeFiles(folder: string): Promise<void> {
  for (let start = 0; start < fileCount; start += filesInFolder) {
    const at = path.join(
      folder,
      start % 2 === 0 ? 'src' : 'tests',
      `module-${start / filesInFolder}`,
    );
    await mkdir(at, { recursive: true });
    const names = Array.from({ length: filesInFolder }, (_, index) => `file-${start + index}.ts`);
    await Promise.all(names.map((name) => writeFile(path.join(at, name), '')));
  }
}

/** Linux only. */
async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? NaN) * 1024;
}
