import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A folder with a `notify-send` that records how it was run, for a PATH. */
export class FakeNotifySend {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'acp-notices-'));
  readonly #runs = this.file('runs');

  /** `behavior`: what a shell does after the arguments were recorded; it starts in a fraction of the time of Node. */
  constructor(behavior: string) {
    const program = [
      '#!/bin/sh',
      `cd '${this.folder}'`,
      `trap ': > withdrawn; exit' INT`,
      // Written at once, since others may run at the same time.
      String.raw`printf '%s\0' "$$" "$#" "$@" >> runs`,
      behavior,
    ];
    fs.writeFileSync(this.file('notify-send'), program.join('\n'), { mode: 0o755 });
  }

  /** The runs in the order in which they were started. */
  get runs(): readonly { readonly pid: number; readonly args: readonly string[] }[] {
    const fields = fs.existsSync(this.#runs)
      ? fs.readFileSync(this.#runs, 'utf8').split('\0').slice(0, -1)
      : [];
    const runs = [];
    while (fields.length > 0) {
      const [pid, count] = fields.splice(0, 2).map(Number);
      runs.push({ pid: pid ?? 0, args: fields.splice(0, count) });
    }
    return runs;
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
case "$*" in *--print-id*) echo 7; exit;; esac
until [ -e click ] || [ -e close ]; do /bin/sleep 0.02; done
[ ! -e click ] || echo default
`;

/** A script that does as versions before 0.8 do. */
export const isOld = `
case "$*" in *--print-id*) echo 'Unknown option --print-id' >&2; exit 1;; esac
`;
