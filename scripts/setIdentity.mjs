// @ts-check
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseJson } from './json.mjs';
import { projectFolder } from './paths.mjs';
import { addressesOf, repositoryOf } from './release/identity.mjs';
import { reportAndFail } from './setup/index.mjs';
import { announce, SetupError } from './setup/steps.mjs';

const usage = 'npm run identity -- <publisher> https://github.com/<owner>/<repository>';

/** Writes the publisher and every URL derived from the repository's into package.json and its texts. */
function setIdentity() {
  const [publisher = '', given = ''] = process.argv.slice(2);
  const repository = given.replace(/(\.git)?\/?$/, '');
  if (!/^[a-z0-9][a-z0-9-]*$/i.test(publisher)) {
    throw new SetupError(`"${publisher}" is not a valid publisher ID.\nUsage: ${usage}`);
  }
  if (!/^https:\/\/[\w.-]+\/[\w.-]+\/[\w.-]+$/.test(repository)) {
    throw new SetupError(`"${given}" is not the URL of a repository.\nUsage: ${usage}`);
  }
  const file = path.join(projectFolder, 'package.json');
  /** @type {import('./release/identity.mjs').Manifest} */
  const manifest = parseJson(readFileSync(file, 'utf8'));
  const changed = { ...manifest, publisher, ...addressesOf(repository) };
  writeFileSync(file, `${JSON.stringify(changed, undefined, 2)}\n`);
  for (const name of readdirSync(projectFolder).filter((each) =>
    /^package\.nls.*\.json$/.test(each),
  )) {
    const texts = path.join(projectFolder, name);
    const links = `${repositoryOf(manifest)}/`;
    writeFileSync(texts, readFileSync(texts, 'utf8').replaceAll(links, `${repository}/`));
  }
  announce(`package.json: ${publisher}, ${repository}`);
}

try {
  setIdentity();
} catch (error) {
  reportAndFail(error);
}
