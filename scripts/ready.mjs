// @ts-check
import { execFile, execFileSync } from 'node:child_process';
import { projectFolder } from './paths.mjs';
import { lacks } from './ready/lacks.mjs';
import { reportAndFail, setUp } from './setup/index.mjs';
import { announce, runLogged } from './setup/steps.mjs';
import { runMochaSuite } from './tests/mochaSuite.mjs';

/** What `npm run check` consists of, and what to do when one of it fails. */
const checks = [
  { name: 'types', advice: 'Mend what it says.' },
  { name: 'lint', advice: 'Mend what it says.' },
  { name: 'format', advice: 'Run "npm run format".' },
  { name: 'dead', advice: 'Delete what nothing uses.' },
];

/** Unit tests that compare pages and translations with what they are about, by the beginnings of their names. */
const pages = [
  { title: 'texts', advice: 'Translate it in l10n/bundle.l10n.de.json or package.nls.de.json.' },
  { title: 'docs/conformance.md', advice: 'Run "npm run conformance".' },
  { title: 'docs/security.md', advice: 'Name the tests that are there.' },
  { title: 'ARCHITECTURE.md', advice: 'Write down what moved.' },
  { title: 'ThirdPartyNotices.txt', advice: 'Run "npm run notices".' },
];

/** Says what a contribution still lacks, each with what to do about it. */
async function ready() {
  await setUp({});
  await runLogged('build', process.execPath, ['esbuild.mjs', '--tests'], { cwd: projectFolder });
  const missing = [
    ...(await Promise.all(checks.map(runCheck))).flat(),
    ...(await comparePages()),
    ...lacks(changedFiles()),
  ];
  if (missing.length === 0) {
    announce('\nNothing is missing that a program can see. "npm test" runs all tests.');
    return;
  }
  announce(`\nStill missing:\n${missing.map((sentence) => `  - ${sentence}`).join('\n')}`);
  process.exitCode = 1;
}

/** @param {{ name: string, advice: string }} check @returns {Promise<string[]>} */
function runCheck({ name, advice }) {
  return new Promise((resolve) => {
    const [command, args] = ['npm', ['run', '--silent', `check:${name}`]];
    // npm is a script on Windows.
    const options = { cwd: projectFolder, shell: process.platform === 'win32' };
    execFile(command, args, options, (error, output, errors) => {
      announce(`${error ? 'FAILED' : 'ok    '}   check: ${name}`);
      if (error) announce(`${output}${errors}`);
      resolve(error ? [`check:${name} fails. ${advice}`] : []);
    });
  });
}

/** @returns {Promise<string[]>} */
async function comparePages() {
  const grep = `^(${pages.map(({ title }) => title.replaceAll('.', '\\.')).join('|')})`;
  const { failed } = await runMochaSuite({ suite: 'unit', timeout: 60_000, grep });
  return failed.map((name) => {
    const page = pages.find(({ title }) => name.startsWith(title));
    return `${name}. ${page?.advice ?? 'Its report is above.'}`;
  });
}

/** What differs from where this branch began, with what isn't committed. */
function changedFiles() {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, { cwd: projectFolder, encoding: 'utf8' }).split('\n').filter(Boolean);
  const [upstream = 'main'] = git(
    'branch',
    '--remotes',
    '--list',
    'origin/main',
    '--format=%(refname)',
  );
  const [base = 'HEAD'] = git('merge-base', 'HEAD', upstream);
  return [
    ...git('diff', '--name-only', base),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
}

await ready().catch(reportAndFail);
