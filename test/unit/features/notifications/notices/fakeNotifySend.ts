import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A folder with a `notify-send` that records how it was run, for a PATH. */
export class FakeNotifySend {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'acp-notices-'));
  readonly #runs = this.file('runs');

  /** `behavior`: a program for Node, after the arguments were recorded. */
  constructor(behavior: string) {
    const program = [
      `#!${process.execPath}`,
      `const fs = require('node:fs');`,
      `const args = process.argv.slice(2);`,
      `const file = (name) => ${JSON.stringify(this.folder)} + '/' + name;`,
      `process.on('SIGINT', () => {`,
      `  fs.writeFileSync(file('withdrawn'), '');`,
      `  process.exit();`,
      `});`,
      `fs.appendFileSync(file('runs'), JSON.stringify({ pid: process.pid, args }) + '\\n');`,
      behavior,
    ];
    fs.writeFileSync(this.file('notify-send'), program.join('\n'), { mode: 0o755 });
  }

  /** In the order in which they were started. */
  get runs(): readonly { readonly pid: number; readonly args: readonly string[] }[] {
    const lines = fs.existsSync(this.#runs) ? fs.readFileSync(this.#runs, 'utf8') : '';
    return lines
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as FakeNotifySend['runs'][number]);
  }

  file(name: string): string {
    return path.join(this.folder, name);
  }

  remove(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Shows the notice, then in another process waits until the test makes a file `click` or `close`. */
export const waitsForClick = `
if (args.includes('--print-id')) {
  console.log(7);
  process.exit();
}
setInterval(() => {
  if (fs.existsSync(file('click'))) console.log('default');
  if (fs.existsSync(file('click')) || fs.existsSync(file('close'))) process.exit();
}, 5);
`;

/** As versions before 0.8 do. */
export const isOld = `
if (args.includes('--print-id')) {
  console.error('Unknown option --print-id');
  process.exit(1);
}
`;
