// @ts-check
import { execFile, execFileSync } from 'node:child_process';
import { projectFolder } from './paths.mjs';
import { missingCompanions } from './ready/missing.mjs';
import { reportAndFail, setUp } from './setup/index.mjs';
import { announce, runLogged } from './setup/steps.mjs';
import { findTests } from './tests/bundles.mjs';
import { runMochaSuite } from './tests/mochaSuite.mjs';

/** The parts of `npm run check`, each with what to do when it fails. */
const checks = [
  { name: 'types', advice: 'Fix the reported problems.' },
  { name: 'lint', advice: 'Fix the reported problems.' },
  { name: 'format', advice: 'Run "npm run format".' },
  { name: 'dead', advice: 'Delete the unused code.' },
];

/** Unit tests that compare docs and translations with the code, by the start of their names. */
const pages = [
  { title: 'texts', advice: 'Translate it in l10n/bundle.l10n.de.json or package.nls.de.json.' },
  {
    title: 'the registers',
    advice: 'Give each rule and promise a test whose name has its id.',
  },
  { title: 'README.md and docs/guide', advice: 'Name the setting or key there, or mend the link.' },
  { title: 'ARCHITECTURE.md', advice: 'Document what was added, moved or removed.' },
  { title: 'ThirdPartyNotices.txt', advice: 'Run "npm run notices".' },
];

/** Lists what a contribution still lacks, each item with what to do about it. */
async function ready() {
  await setUp({});
  await runLogged('build', process.execPath, ['esbuild.mjs', '--tests', 'unit'], {
    cwd: projectFolder,
  });
  const missing = [
    ...(await Promise.all(checks.map(runCheck))).flat(),
    ...(await comparePages()),
    ...missingCompanions(changedFiles()),
  ];
  if (missing.length === 0) {
    announce('\nThe automatic checks found nothing missing. "npm test" runs all tests.');
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
  const { failed } = await runMochaSuite({
    files: await findTests('unit'),
    timeout: 60_000,
    grep,
  });
  return failed.map((name) => {
    const page = pages.find(({ title }) => name.startsWith(title));
    return `${name}. ${page?.advice ?? 'Its report is above.'}`;
  });
}

/** The files that differ from the branch's merge base, including uncommitted changes. */
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
