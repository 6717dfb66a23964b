/** What was printed, and the words in it that say why, by what it is. */
export type PrintedWords = Readonly<Record<string, readonly [printed: string, words: string]>>;

export const npmLog =
  'npm error A complete log of this run can be found in: /home/ann/.npm/_logs/2026-11-26T19_08_24_989Z-debug-0.log';

/** What package managers print when they don't start a program, after what they really print. */
export const packageManagersWords: PrintedWords = {
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
};
