import assert from 'node:assert/strict';
import fs from 'node:fs';
import { mergeEnvironments } from '../../../src/protocol/transport/environment';
import { readFromShell } from '../../../src/protocol/transport/loginShellEnvironment';
import { isRunning, pidIn, removeTemporary, temporaryFile, until } from './temporary';

describe('environment', () => {
  it('TR-3: later ones are laid on top, undefined leaves things as they are', () => {
    const merged = mergeEnvironments(
      [
        { A: '1', B: '2' },
        { B: '3', A: undefined },
      ],
      'linux',
    );
    assert.deepEqual(merged, { A: '1', B: '3' });
  });

  it('Windows has one Path, however it is written', () => {
    assert.deepEqual(mergeEnvironments([{ Path: 'a' }, { PATH: 'b' }], 'win32'), { PATH: 'b' });
    assert.deepEqual(mergeEnvironments([{ Path: 'a' }, { PATH: 'b' }], 'linux'), {
      Path: 'a',
      PATH: 'b',
    });
  });
});

const posix = process.platform === 'win32' ? describe.skip : describe;

posix('environment of the login shell', () => {
  after(removeTemporary);

  function shell(name: string, script: string): string {
    const file = temporaryFile(name);
    fs.writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return file;
  }

  it('is what the shell’s profile makes of it, whatever the profile prints', async () => {
    const file = shell(
      'loud.sh',
      'echo "Welcome {"; FROM_PROFILE="a\nb"; export FROM_PROFILE; eval "$2"; echo bye',
    );
    const environment = await readFromShell(file);
    assert.equal(environment?.['FROM_PROFILE'], 'a\nb');
    assert.equal(environment['ELECTRON_RUN_AS_NODE'], undefined);
  });

  it('is asked of a login shell', async () => {
    const args = temporaryFile('args');
    await readFromShell(shell('args.sh', `printf %s "$1" > '${args}'`));
    assert.equal(fs.readFileSync(args, 'utf8'), '-ilc');
  });

  it('is nothing when the shell fails, prints nonsense or is not there', async () => {
    assert.equal(await readFromShell(shell('fails.sh', 'exit 1')), undefined);
    assert.equal(await readFromShell(shell('noise.sh', 'echo "{}"')), undefined);
    assert.equal(await readFromShell('/no/such/shell'), undefined);
  });

  it('is nothing when the shell takes too long, and the shell is ended', async () => {
    const pidFile = temporaryFile('slow.pid');
    const slow = shell('slow.sh', `echo $$ > '${pidFile}'; sleep 600`);
    assert.equal(await readFromShell(slow, 300), undefined);
    // On a busy machine it may have been ended before it could say who it is.
    await until(() => !fs.existsSync(pidFile) || !isRunning(pidIn(pidFile)));
  });
});
