import type { PrintedWords } from './packageManagersWords';

const nodeFrames = `
    at Object.<anonymous> (/w/gull/main.js:1:7)
    at Module._compile (node:internal/modules/cjs/loader:1521:14)
    at node:internal/main/run_main_module:28:49`;

/** What programs print when they don't start, after what they really print. */
export const programsWords: PrintedWords = {
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
