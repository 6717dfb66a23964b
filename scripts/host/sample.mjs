// @ts-check
import { randomBytes } from 'node:crypto';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hostsFolder, projectFolder, sampleProject } from '../paths.mjs';
import { runLogged } from '../setup/steps.mjs';

const projectName = 'fernway';

/** An extension that opens the sample's sessions when its window opens. */
export const openerFolder = path.join(projectFolder, 'scripts', 'host', 'opener');

/**
 * @typedef {object} Sample a project, sessions about it and a VS Code profile, for trying things
 * out
 * @property {string} project
 * @property {string} sessions the demo agent's store
 * @property {string} profile folder with a VS Code profile for each kind of host
 * @property {string} token the connection token for a browser
 */

/**
 * The sample of this checkout, created on first use and kept, so that changes made in it persist.
 * Delete `.vscode-test/sample` to start afresh.
 *
 * @returns {Promise<Sample>}
 */
export async function prepareSample() {
  const folder = path.join(hostsFolder, 'sample');
  // Sessions refer to their folder by absolute path, so a moved checkout would lose them.
  const madeFor = await readFile(path.join(folder, 'made-for'), 'utf8').catch(() => '');
  if (madeFor !== pathsIn(folder).project) await makeSample(folder);
  return {
    ...pathsIn(folder),
    token: await readFile(path.join(folder, 'token'), 'utf8'),
  };
}

/**
 * Copies the sample project, which keeps the one in the repository unchanged.
 *
 * @param {string} into
 * @returns {Promise<string>} the folder of the copy
 */
export async function copySampleProject(into) {
  const project = path.join(into, projectName);
  await mkdir(into, { recursive: true });
  await cp(sampleProject, project, { recursive: true });
  return project;
}

/**
 * A copy of the sample project for tests in a window of "Run and Debug", made anew each time: a test that was stopped
 * at a breakpoint leaves its changes behind.
 *
 * @returns {Promise<string>} its folder
 */
export async function prepareTestProject() {
  const folder = path.join(hostsFolder, 'debug');
  await rm(folder, { recursive: true, force: true });
  return copySampleProject(folder);
}

/** @param {string} folder */
function pathsIn(folder) {
  return {
    project: path.join(folder, projectName),
    sessions: path.join(folder, 'sessions'),
    profile: path.join(folder, 'profile'),
  };
}

/** @param {string} folder */
async function makeSample(folder) {
  const { project, sessions, profile } = pathsIn(folder);
  await rm(folder, { recursive: true, force: true });
  await mkdir(profile, { recursive: true });
  await copySampleProject(folder);
  await runLogged('sample', process.execPath, [
    path.join(projectFolder, 'dist', 'demoAgent.js'),
    '--seed-sample',
    sessions,
    project,
  ]);
  await writeFile(path.join(folder, 'token'), randomBytes(12).toString('hex'), { mode: 0o600 });
  // Written last, so that an interrupted sample is made again.
  await writeFile(path.join(folder, 'made-for'), project);
}
