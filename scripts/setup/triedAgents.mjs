// @ts-check
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { hostsFolder } from '../paths.mjs';
import { triedPackages } from '../versions.mjs';
import { browserHostPaths } from './browserHost.mjs';
import { announce, runNpm } from './steps.mjs';

const versions = Object.values(triedPackages).join('-');

/** If it exists it is complete and current. */
export const triedAgentsFolder = path.join(hostsFolder, `agents-${versions}`);

/** Installs the agents that `npm run try:agents` tries, if they are missing. */
export async function ensureTriedAgents() {
  if (existsSync(triedAgentsFolder)) return;
  announce('Installing agents (once, about 1 GB)…');
  const partial = `${triedAgentsFolder}.partial-${process.pid}`;
  await mkdir(partial, { recursive: true });
  try {
    const packages = Object.entries(triedPackages).map(([name, version]) => `${name}@${version}`);
    await runNpm('agents', ['install', '--no-save', '--prefix', partial, ...packages], {
      cwd: partial,
      nodeFolder: browserHostPaths('newest').nodeFolder,
    });
    await rename(partial, triedAgentsFolder);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}
