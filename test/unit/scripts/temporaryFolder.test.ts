import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { inProject } from '../../support/project';

const module = pathToFileURL(inProject('scripts/tests/temporaryFolder.mjs')).href;

/** Prints a file in a folder that another process has made and left. */
const program = `import { execFileSync } from 'node:child_process';
import { useTemporaryFolder } from ${JSON.stringify(module)};
useTemporaryFolder();
process.on('SIGINT', () => process.exit(130));
const leave = "console.log(require('fs').mkdtempSync(require('os').tmpdir() + '/left-'))";
process.stdout.write(execFileSync(process.execPath, ['-e', leave]));
setInterval(() => {}, 1000);`;

const describeLinux = process.platform === 'linux' ? describe : describe.skip;

describeLinux('the temporary folder of a run', () => {
  it('goes with everything in it, also when the run is interrupted', async () => {
    const run = spawn(process.execPath, ['--input-type=module', '-e', program]);
    const exited = once(run, 'exit');
    const [printed] = (await once(run.stdout, 'data')) as [Buffer];
    const left = printed.toString().trim();
    const folder = path.dirname(left);
    assert.equal(path.dirname(folder), os.tmpdir());
    assert.ok(existsSync(left));
    // As in the system's own, others may write there, but remove only what is theirs.
    assert.equal(statSync(folder).mode & 0o7777, 0o1777);
    run.kill('SIGINT');
    assert.deepEqual(await exited, [130, null]);
    assert.ok(!existsSync(folder));
  });
});
