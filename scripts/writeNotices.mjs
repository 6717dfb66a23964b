// @ts-check
import { writeFileSync } from 'node:fs';
import { projectFolder } from './paths.mjs';
import { bundledPackages } from './release/bundled.mjs';
import { noticesFile, noticesOf } from './release/notices.mjs';
import { reportAndFail } from './setup/index.mjs';
import { announce, runLogged } from './setup/steps.mjs';

/** Builds the shipped bundles and writes ThirdPartyNotices.txt from their contents. */
async function writeNotices() {
  await runLogged('build', process.execPath, ['esbuild.mjs'], { cwd: projectFolder });
  const packages = bundledPackages();
  writeFileSync(noticesFile, noticesOf(packages));
  announce(`ThirdPartyNotices.txt: ${packages.length} packages.`);
}

await writeNotices().catch(reportAndFail);
