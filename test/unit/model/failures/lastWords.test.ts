import assert from 'node:assert/strict';
import { lastWords, saysWhy } from '../../../../src/model/failures/lastWords';

const nodeFrames = `
    at Object.<anonymous> (/w/gull/main.js:1:7)
    at Module._compile (node:internal/modules/cjs/loader:1521:14)
    at node:internal/main/run_main_module:28:49`;
const npmLog =
  'npm error A complete log of this run can be found in: /home/ann/.npm/_logs/2026-11-26T19_08_24_989Z-debug-0.log';

/** What programs print when they don't start, after what they really print, and the words that say why. */
const cases: Readonly<Record<string, readonly [printed: string, words: string]>> = {
  'npm: EBADDEVENGINES': [
    `npm error code EBADDEVENGINES
npm error EBADDEVENGINES The developer of this package has specified the following through devEngines
npm error EBADDEVENGINES Invalid devEngines.packageManager
npm error EBADDEVENGINES Invalid name "pnpm" does not match "npm" for "packageManager"
npm error EBADDEVENGINES {
npm error EBADDEVENGINES   current: { name: 'npm', version: '11.19.1' },
npm error EBADDEVENGINES   required: { name: 'pnpm', onFail: 'error' }
npm error EBADDEVENGINES }
${npmLog}`,
    'Invalid name "pnpm" does not match "npm" for "packageManager"',
  ],
  'npm: ETARGET': [
    `npm error code ETARGET
npm error notarget No matching version found for gull@99.99.99.
npm error notarget In most cases you or one of your dependencies are requesting a package version that doesn't exist.
${npmLog}`,
    'No matching version found for gull@99.99.99.',
  ],
  'npm: ETARGET by min-release-age': [
    `npm error code ETARGET
npm error notarget No matching version found for gull@1.6.0 with a date before 11/1/2026, 7:09:38 PM.
npm error notarget In most cases you or one of your dependencies are requesting a package version that doesn't exist.
${npmLog}`,
    'No matching version found for gull@1.6.0 with a date before 11/1/2026, 7:09:38 PM.',
  ],
  'npm: EOVERRIDE': [
    `npm error code EOVERRIDE
npm error Override for gull@1.5.0 conflicts with direct dependency
${npmLog}`,
    'Override for gull@1.5.0 conflicts with direct dependency',
  ],
  'npm: ENOTEMPTY': [
    `npm error code ENOTEMPTY
npm error syscall rename
npm error path /home/ann/.npm/_npx/1a2b/node_modules/gull
npm error dest /home/ann/.npm/_npx/1a2b/node_modules/.gull-Xy1
npm error errno -39
npm error ENOTEMPTY: directory not empty, rename '/home/ann/.npm/_npx/1a2b/node_modules/gull'
${npmLog}`,
    "ENOTEMPTY: directory not empty, rename '/home/ann/.npm/_npx/1a2b/node_modules/gull'",
  ],
  'npm: E404': [
    `npm error code E404
npm error 404 Not Found - GET https://registry.npmjs.org/@gulls%2ftern
npm error 404
npm error 404  The requested resource '@gulls/tern@1.0.0' could not be found or you do not have permission to access it.
npm error 404
npm error 404 Note that you can also install from a
npm error 404 tarball, folder, http url, or git url.
${npmLog}`,
    "The requested resource '@gulls/tern@1.0.0' could not be found or you do not have permission to access it.",
  ],
  'npm: E404 of version 9': [
    `npm ERR! code E404
npm ERR! 404 Not Found - GET https://registry.npmjs.org/gull-tern - Not found
npm ERR! 404 
npm ERR! 404  'gull-tern@*' is not in this registry.
npm ERR! 404 
npm ERR! 404 Note that you can also install from a
npm ERR! 404 tarball, folder, http url, or git url.

npm ERR! A complete log of this run can be found in: /home/ann/.npm/_logs/0.log`,
    "'gull-tern@*' is not in this registry.",
  ],
  'npm: E403': [
    `npm error code E403
npm error 403 403 Forbidden - GET https://npm.example/gull - blocked
npm error 403 In most cases, you or one of your dependencies are requesting
npm error 403 a package version that is forbidden by your security policy, or
npm error 403 on a server you do not have access to.
${npmLog}`,
    'Forbidden - GET https://npm.example/gull - blocked',
  ],
  'npm: ENOTFOUND': [
    `npm error code ENOTFOUND
npm error syscall getaddrinfo
npm error errno ENOTFOUND
npm error network request to http://no-such-host.invalid/gull failed, reason: getaddrinfo ENOTFOUND no-such-host.invalid
npm error network This is a problem related to network connectivity.
npm error network In most cases you are behind a proxy or have bad network settings.
npm error network
npm error network If you are behind a proxy, please make sure that the 'proxy' config is set properly.  See: 'npm help config'
${npmLog}`,
    'request to http://no-such-host.invalid/gull failed, reason: getaddrinfo ENOTFOUND no-such-host.invalid',
  ],
  'npm: ECONNREFUSED': [
    `npm error code ECONNREFUSED
npm error syscall connect
npm error errno ECONNREFUSED
npm error FetchError: request to http://127.0.0.1:9/gull failed, reason: connect ECONNREFUSED 127.0.0.1:9
npm error     at ClientRequest.<anonymous> (/usr/lib/node_modules/npm/lib/index.js:130:14)
npm error     at process.processTicksAndRejections (node:internal/process/task_queues:83:21) {
npm error   code: 'ECONNREFUSED',
npm error   errno: 'ECONNREFUSED',
npm error   type: 'system'
npm error }
npm error
npm error If you are behind a proxy, please make sure that the 'proxy' config is set properly.  See: 'npm help config'
${npmLog}`,
    'FetchError: request to http://127.0.0.1:9/gull failed, reason: connect ECONNREFUSED 127.0.0.1:9',
  ],
  'npm: EACCES': [
    `npm error code EACCES
npm error syscall mkdir
npm error path /home/ann/.npm/_npx/1a2b
npm error errno -13
npm error Error: EACCES: permission denied, mkdir '/home/ann/.npm/_npx/1a2b'
npm error     at async mkdir (node:internal/fs/promises:860:10) {
npm error   errno: -13,
npm error   code: 'EACCES',
npm error   syscall: 'mkdir',
npm error   path: '/home/ann/.npm/_npx/1a2b'
npm error }
npm error
npm error The operation was rejected by your operating system.
npm error It is likely you do not have the permissions to access this file as the current user
npm error
npm error If you believe this might be a permissions issue, please double-check the
npm error permissions of the file and its containing directories, or try running
npm error the command again as root/Administrator.
${npmLog}`,
    "Error: EACCES: permission denied, mkdir '/home/ann/.npm/_npx/1a2b'",
  ],
  'npm: EACCES of a cache that root owns': [
    `npm error code EACCES
npm error syscall open
npm error path /home/ann/.npm/_cacache/tmp/1
npm error errno -13
npm error
npm error Your cache folder contains root-owned files, due to a bug in
npm error previous versions of npm which has since been addressed.
npm error
npm error To permanently fix this problem, please run:
npm error   sudo chown -R 1000:1000 "/home/ann/.npm"
${npmLog}`,
    'Your cache folder contains root-owned files, due to a bug in',
  ],
  'npm: EBADENGINE': [
    `npm error code EBADENGINE
npm error engine Unsupported engine
npm error engine Not compatible with your version of node/npm: undefined
npm error notsup Not compatible with your version of node/npm: undefined
npm error notsup Required: {"node":">=99"}
npm error notsup Actual:   {"node":"v20.20.2","npm":"11.19.1"}
${npmLog}`,
    'Unsupported engine. Required: {"node":">=99"} Actual: {"node":"v20.20.2","npm":"11.19.1"}',
  ],
  'npm: ENOSPC': [
    `npm error code ENOSPC
npm error syscall write
npm error errno -28
npm error nospc ENOSPC: no space left on device, write
npm error nospc There appears to be insufficient space on your system to finish.
npm error nospc Clear up some disk space and try again.
${npmLog}`,
    'ENOSPC: no space left on device, write',
  ],
  'npx: a package without a program': [
    `npm error could not determine executable to run\n${npmLog}`,
    'could not determine executable to run',
  ],
  'npx: a program that isn’t there': ['sh: 1: gull: not found', 'sh: 1: gull: not found'],
  'npx: an agent that failed, told of by an older npm, too': [
    `npm WARN deprecated glob@7.2.3: Glob versions prior to v9 are no longer supported
Error: No account. Run gull login first
npm ERR! code 1
npm ERR! path /w
npm ERR! command failed
npm ERR! command sh -c gull
npm ERR! A complete log of this run can be found in: /home/ann/.npm/_logs/0.log`,
    'Error: No account. Run gull login first',
  ],
  'pnpm: no such version': [
    ` ERR_PNPM_NO_MATCHING_VERSION  No matching version found for gull@99.99.99 while fetching it from https://registry.npmjs.org/

The latest release of gull is "1.6.0". Published at 10/25/2024

If you need the full list of all 15 published versions run "pnpm view gull versions".`,
    'ERR_PNPM_NO_MATCHING_VERSION No matching version found for gull@99.99.99 while fetching it from https://registry.npmjs.org/',
  ],
  'uv: no such version': [
    `  × No solution found when resolving tool dependencies:
  ╰─▶ Because there is no version of gull==99 and you require gull==99, we
      can conclude that your requirements are unsatisfiable.`,
    'No solution found when resolving tool dependencies: Because there is no version of gull==99 and you require gull==99, we can conclude that your requirements are unsatisfiable.',
  ],
  'uv: no network': [
    `error: Request failed after 3 retries
  Caused by: Failed to fetch: \`https://pypi.org/simple/gull/\`
  Caused by: error sending request for url (https://pypi.org/simple/gull/)
  Caused by: client error (Connect)
  Caused by: dns error: failed to lookup address information`,
    'error: Request failed after 3 retries: Failed to fetch: `https://pypi.org/simple/gull/`: error sending request for url (https://pypi.org/simple/gull/): client error (Connect)',
  ],
  'uv: a program that isn’t in the package': [
    `An executable named \`gull\` is not provided by package \`tern\`.
The following executables are available:
- tern`,
    'An executable named `gull` is not provided by package `tern`.',
  ],
  'node: an exception': [
    `/w/gull/main.js:1
throw new Error("no model is configured")
^

Error: no model is configured${nodeFrames}

Node.js v20.20.2`,
    'Error: no model is configured',
  ],
  'node: an exception of a bundle in one line': [
    `file:///w/gull/main.js:2
${'var error=failed();'.repeat(60)}
${' '.repeat(900)}^

Error: no model is configured${nodeFrames}

Node.js v20.20.2`,
    'Error: no model is configured',
  ],
  'node: an exception with facts': [
    `AuthError: The key has expired${nodeFrames} {
  code: 'E_KEY',
  details: { a: 1 },
  headers: [
    'unknown-error',
  ]
}

Node.js v20.20.2`,
    'AuthError: The key has expired',
  ],
  'node: an exception with a cause': [
    `TypeError: fetch failed
    at node:internal/deps/undici/undici:13510:13
    ... 4 lines matching cause stack trace ...
    at node:internal/main/run_main_module:28:49 {
  [cause]: Error: connect ECONNREFUSED 127.0.0.1:9
      at TCPConnectWrap.afterConnect (node:net:1637:16) {
    errno: -111,
    code: 'ECONNREFUSED'
  }
}

Node.js v20.20.2`,
    'TypeError: fetch failed: connect ECONNREFUSED 127.0.0.1:9',
  ],
  'node: a text that was thrown': [
    `/w/gull/main.js:1
throw "No account"
^
No account
(Use \`node --trace-uncaught ...\` to show where the exception was thrown)

Node.js v20.20.2`,
    'No account',
  ],
  'node: a rejection without an error': [
    `node:internal/process/promises:389
      new UnhandledPromiseRejection(reason);
      ^

UnhandledPromiseRejection: This error originated either by throwing inside of an async function without a catch block, or by rejecting a promise which was not handled with .catch(). The promise rejected with the reason "No account".
    at throwUnhandledRejectionsMode (node:internal/process/promises:389:7) {
  code: 'ERR_UNHANDLED_REJECTION'
}

Node.js v20.20.2`,
    'The promise rejected with the reason "No account".',
  ],
  'node: a missing module': [
    `node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module 'tern'
Require stack:
- /w/gull/main.cjs${nodeFrames} {
  code: 'MODULE_NOT_FOUND',
  requireStack: [ '/w/gull/main.cjs' ]
}

Node.js v20.20.2`,
    "Error: Cannot find module 'tern'",
  ],
  'node: a missing package': [
    `node:internal/modules/esm/resolve:873
  throw new ERR_MODULE_NOT_FOUND(packageName, fileURLToPath(base), null);
        ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'tern' imported from /w/gull/main.mjs${nodeFrames} {
  code: 'ERR_MODULE_NOT_FOUND'
}

Node.js v20.20.2`,
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'tern' imported from /w/gull/main.mjs",
  ],
  'node: a syntax that it doesn’t know': [
    `/w/gull/main.cjs:1
const x = ;
          ^

SyntaxError: Unexpected token ';'${nodeFrames}

Node.js v20.20.2`,
    "SyntaxError: Unexpected token ';'",
  ],
  'node: an option that it doesn’t know': [
    'node: bad option: --no-such-option',
    'node: bad option: --no-such-option',
  ],
  'node: a warning after the reason': [
    `No account is configured.
(node:123) [DEP0040] DeprecationWarning: The \`punycode\` module is deprecated. Please use an alternative instead.
(Use \`node --trace-deprecation ...\` to show where the warning was created)`,
    'No account is configured.',
  ],
  'python: a traceback': [
    `Traceback (most recent call last):
  File "/w/gull.py", line 2, in <module>
    f()
  File "/w/gull.py", line 1, in f
    def f(): raise ValueError("model 'x' is unknown")
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
ValueError: model 'x' is unknown`,
    "ValueError: model 'x' is unknown",
  ],
  'python: a traceback with its cause': [
    `Traceback (most recent call last):
  File "/w/gull.py", line 2, in <module>
    1/0
    ~^~
ZeroDivisionError: division by zero

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/w/gull.py", line 4, in <module>
    raise gull.StartFailed("no account") from e
gull.StartFailed: no account`,
    'gull.StartFailed: no account',
  ],
  'python: a missing module': [
    `Traceback (most recent call last):
  File "/w/gull.py", line 1, in <module>
    import tern
ModuleNotFoundError: No module named 'tern'`,
    "ModuleNotFoundError: No module named 'tern'",
  ],
  'python: a module that can’t be run': [
    '/usr/bin/python3: No module named gull',
    '/usr/bin/python3: No module named gull',
  ],
  'python: a syntax that it doesn’t know': [
    `  File "/w/gull.py", line 1
    def f(:
          ^
SyntaxError: invalid syntax`,
    'SyntaxError: invalid syntax',
  ],
  'python: arguments that the program doesn’t know': [
    `usage: gull [-h] [--error-log FILE]
gull: error: unrecognized arguments: --acp`,
    'gull: error: unrecognized arguments: --acp',
  ],
  'bash: no such command': [
    'bash: line 1: gull: command not found',
    'bash: line 1: gull: command not found',
  ],
  'zsh: no such command': ['zsh:1: command not found: gull', 'zsh:1: command not found: gull'],
  'bash: no permission': [
    'bash: line 1: ./gull: Permission denied',
    'bash: line 1: ./gull: Permission denied',
  ],
  'env: no such command': [
    'env: ‘gull’: No such file or directory',
    'env: ‘gull’: No such file or directory',
  ],
  'cmd: no such command': [
    `'gull' is not recognized as an internal or external command,\r
operable program or batch file.\r`,
    "'gull' is not recognized as an internal or external command, operable program or batch file.",
  ],
  'a missing library': [
    'gull: error while loading shared libraries: libtern.so.1: cannot open shared object file: No such file or directory',
    'gull: error while loading shared libraries: libtern.so.1: cannot open shared object file: No such file or directory',
  ],
  'a C library that is too old': [
    `gull: /lib/x86_64-linux-gnu/libc.so.6: version \`GLIBC_2.38' not found (required by gull)`,
    "gull: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by gull)",
  ],
  'a missing library on macOS': [
    `dyld[123]: Library not loaded: /opt/homebrew/lib/libtern.dylib
  Referenced from: <1A2B> /opt/homebrew/bin/gull
  Reason: tried: '/opt/homebrew/lib/libtern.dylib' (no such file)`,
    'dyld[123]: Library not loaded: /opt/homebrew/lib/libtern.dylib',
  ],
  'rust: a panic': [
    `thread 'main' (13458) panicked at src/main.rs:1:66:
failed to start: "no config"
stack backtrace:
   0: __rustc::rust_begin_unwind
             at /rustc/5980/library/std/src/panicking.rs:689:5
   1: core::result::unwrap_failed
note: Some details are omitted, run with \`RUST_BACKTRACE=full\` for a verbose backtrace.`,
    'failed to start: "no config"',
  ],
  'rust: a panic of an earlier version': [
    `thread 'main' panicked at 'no config', src/main.rs:1:66
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace`,
    'no config',
  ],
  'rust: an error with its causes': [
    `Error: Couldn't start

Caused by:
    0: couldn't read the config
    1: No such file or directory (os error 2)`,
    "Error: Couldn't start: couldn't read the config: No such file or directory (os error 2)",
  ],
  'rust: arguments that the program doesn’t know': [
    `error: unexpected argument '--acp' found

Usage: gull [OPTIONS]

For more information, try '--help'.`,
    "error: unexpected argument '--acp' found",
  ],
  'java: an exception': [
    `Exception in thread "main" java.lang.IllegalStateException: No account is configured
\tat Gull.main(Gull.java:1)
Caused by: java.lang.NumberFormatException: For input string: "x"
\tat java.base/java.lang.Integer.parseInt(Integer.java:668)
\t... 4 more`,
    'java.lang.IllegalStateException: No account is configured',
  ],
  'java: no such archive': [
    'Error: Unable to access jarfile gull.jar',
    'Error: Unable to access jarfile gull.jar',
  ],
  'java: no such class': [
    `Error: Could not find or load main class Gull
Caused by: java.lang.ClassNotFoundException: Gull`,
    'Error: Could not find or load main class Gull: java.lang.ClassNotFoundException: Gull',
  ],
  'go: a panic': [
    `panic: no account is configured

goroutine 1 [running]:
main.main()
\t/w/gull/main.go:4 +0x25
exit status 2`,
    'panic: no account is configured',
  ],
  'go: a panic in a call': [
    `panic: runtime error: invalid memory address or nil pointer dereference
[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x48f3a5]

goroutine 1 [running]:
main.(*Gull).error(...)
\t/w/gull/main.go:9
main.main()
\t/w/gull/main.go:4 +0x25
exit status 2`,
    'panic: runtime error: invalid memory address or nil pointer dereference',
  ],
  'a log with levels': [
    `2026-11-26T19:08:24Z INFO gull: starting, errors go to /tmp/gull.log
2026-11-26T19:08:24Z ERROR gull: no account is configured
2026-11-26T19:08:24Z INFO gull: bye`,
    '2026-11-26T19:08:24Z ERROR gull: no account is configured',
  ],
  'words of its own': [
    'Please run setup first:\n  gull setup',
    'Please run setup first: gull setup',
  ],
};

describe('the last words of a program', () => {
  for (const [name, [printed, words]] of Object.entries(cases)) {
    it(`TR-6: are those that say why: ${name}`, () => {
      // The lines reach the error without those that are empty.
      const lines = printed.split('\n').filter((line) => line.trim() !== '');
      assert.equal(lastWords({ stderr: lines }), words);
      assert.equal(lastWords({ stdout: lines }), words);
    });
  }

  it('TR-6: are on stdout if that says why, and stderr doesn’t', () => {
    const stdout = ['gull 1.2.3', 'Error: You are not logged in. Run gull login'];
    for (const stderr of [
      [],
      ['npm warn deprecated glob@7.2.3: Glob versions prior to v9 are no longer supported'],
      ['(node:123) [DEP0040] DeprecationWarning: The `punycode` module is deprecated.'],
      ['Loading configuration', 'exit status 1'],
    ]) {
      assert.equal(lastWords({ stderr, stdout }), stdout[1]);
      assert.ok(saysWhy({ stderr, stdout }));
    }
    const stderr = ['Error: no network'];
    assert.equal(lastWords({ stderr, stdout }), 'Error: no network');
  });

  it('TR-6: are the last lines if none says why, and none if there are none', () => {
    assert.equal(lastWords({ stderr: ['one', 'two', 'three'] }), 'two three');
    assert.equal(lastWords({ stderr: [npmLog.slice(0, 60)] }), '');
    assert.equal(lastWords({}), '');
    assert.ok(!saysWhy({ stdout: ['Welcome to the chat'] }));
  });

  it('TR-6: are found in time, whatever is printed', () => {
    for (const line of [
      ' '.repeat(1200),
      'Error: '.repeat(170),
      '    at x',
      "thread 'a' panicked at '".repeat(40),
      'npm error ',
      `${'a'.repeat(1000)} is not recognized as ,`,
      '× │ ╰─▶',
      'Caused by:',
      'goroutine 1('.repeat(90),
      'Traceback (most recent call last):',
    ]) {
      lastWords({ stderr: Array.from({ length: 100 }, () => line) });
    }
  });
});
