// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseJson } from './json.mjs';
import { projectFolder } from './paths.mjs';
import { addressesOf } from './release/identity.mjs';
import { reportAndFail } from './setup/index.mjs';
import { announce, SetupError } from './setup/steps.mjs';

const usage = 'npm run identity -- <publisher> https://github.com/<owner>/<repository>';

/** Writes into package.json who publishes the extension, and every address that follows from its repository's. */
function setIdentity() {
  const [publisher = '', given = ''] = process.argv.slice(2);
  const repository = given.replace(/(\.git)?\/?$/, '');
  if (!/^[a-z0-9][a-z0-9-]*$/i.test(publisher)) {
    throw new SetupError(`"${publisher}" is not the id of a publisher.\nUsage: ${usage}`);
  }
  if (!/^https:\/\/[\w.-]+\/[\w.-]+\/[\w.-]+$/.test(repository)) {
    throw new SetupError(`"${given}" is not the address of a repository.\nUsage: ${usage}`);
  }
  const file = path.join(projectFolder, 'package.json');
  /** @type {object} */
  const manifest = parseJson(readFileSync(file, 'utf8'));
  const changed = { ...manifest, publisher, ...addressesOf(repository) };
  writeFileSync(file, `${JSON.stringify(changed, undefined, 2)}\n`);
  announce(`package.json: ${publisher}, ${repository}`);
}

try {
  setIdentity();
} catch (error) {
  reportAndFail(error);
}
