// @ts-check
import { execFileSync } from 'node:child_process';
import { installSystemPackages } from './systemPackages.mjs';

/** Installs Git, which checkpoints and their tests use, unless it is found. */
export async function ensureGit() {
  if (!hasGit()) await installSystemPackages(['git'], 'Install Git.');
}

function hasGit() {
  try {
    execFileSync('git', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
