// @ts-check
import { prepareSample, prepareTestProject } from './host/sample.mjs';
import { reportAndFail } from './setup/index.mjs';
import { announce } from './setup/steps.mjs';

/** Makes what the windows of VS Code's "Run and Debug" open: the sample, and a project for the tests. */
async function prepare() {
  const { project } = await prepareSample();
  announce(`${project}\n${await prepareTestProject()}`);
}

await prepare().catch(reportAndFail);
