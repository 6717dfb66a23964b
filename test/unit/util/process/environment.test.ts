import assert from 'node:assert/strict';
import fs from 'node:fs';
import { mergeEnvironments } from '../../../../src/util/process/environment';
import { withoutHostVariables } from '../../../../src/util/process/hostVariables';
import { readFromShell } from '../../../../src/util/process/loginShellEnvironment';
import { isRunning, pidIn } from '../../../support/processes';
import { removeTemporary, temporaryFile } from '../../../support/temporary';
import { until } from '../../../support/until';

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

  it('Windows has letters that only look like those of a variable in upper case', () => {
    const other = { 'COM\u017fPEC': 'other' };
    const merged = mergeEnvironments([{ COMSPEC: 'cmd' }, other], 'win32');
    assert.deepEqual(merged, { COMSPEC: 'cmd', ...other });
  });
});

describe('the environment without the editor’s own variables', () => {
  const extensions = '/usr/share/code/resources/app/extensions';
  const host = {
    VSCODE_IPC_HOOK: '/run/code.sock',
    VSCODE_IPC_HOOK_CLI: '/run/cli.sock',
    VSCODE_GIT_ASKPASS_NODE: '/usr/share/code/code',
    VSCODE_GIT_IPC_AUTH_TOKEN: 'secret',
    VSCODE_PORTABLE: '/data',
    Vscode_Nls_Config: '{}',
    GTK_PATH_VSCODE_SNAP_ORIG: '',
    ELECTRON_RUN_AS_NODE: '1',
    ELECTRON_NO_ATTACH_CONSOLE: '1',
    CHROME_DESKTOP: 'code.desktop',
    ORIGINAL_XDG_CURRENT_DESKTOP: 'GNOME',
    APPLICATION_INSIGHTS_NO_DIAGNOSTIC_CHANNEL: '1',
    APPLICATIONINSIGHTS_CONFIGURATION_CONTENT: '{}',
    SNAP: '/snap/code/1',
    SNAP_NAME: 'code',
    GDK_PIXBUF_MODULE_FILE: '/snap/code/1/loaders',
    GIT_ASKPASS: `${extensions}/git/dist/askpass.sh`,
    SSH_ASKPASS: `${extensions}/git/dist/ssh-askpass.sh`,
    GIT_EDITOR: `"${extensions}/git/dist/git-editor.sh"`,
    BROWSER: '/home/ada/.vscode-server/bin/abc/bin/helpers/browser.sh',
    NODE_OPTIONS: `--require ${extensions}/ms-vscode.js-debug/src/bootloader.js`,
  };
  const own = {
    PATH: '/usr/bin',
    HOME: '/home/ada',
    NODE_OPTIONS: '--max-old-space-size=4096',
    NODE_EXTRA_CA_CERTS: '/etc/ca.pem',
    GIT_ASKPASS: '/usr/bin/ksshaskpass',
    SSH_ASKPASS: '/usr/bin/ksshaskpass',
    GIT_EDITOR: 'vim',
    BROWSER: 'firefox',
    CHROME_PATH: '/usr/bin/chromium',
    PASSWORD: 'own',
    MY_ELECTRON_APP: '1',
    SNAPSHOT: '1',
    LD_LIBRARY_PATH: '/opt/lib',
    GITHUB_TOKEN: 'own',
  };

  it('TR-3, SEC-30: has nothing that the editor has set for itself, neither names nor tokens', () => {
    assert.deepEqual(withoutHostVariables({ ...host, HOME: '/home/ada' }), { HOME: '/home/ada' });
  });

  it('TR-3: has the user’s own variables', () => {
    assert.deepEqual(withoutHostVariables(own), own);
  });

  it('TR-3: has none of the passwords of a server that runs the editor', () => {
    const server = { CODE_SERVER_PARENT_PID: '1', PASSWORD: 'secret', HASHED_PASSWORD: 'hash' };
    assert.deepEqual(withoutHostVariables({ ...server, PATH: '/bin' }), { PATH: '/bin' });
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
    // On a busy machine it may have been ended before it wrote its id.
    await until(() => !fs.existsSync(pidFile) || !isRunning(pidIn(pidFile)));
  });
});
