// @ts-check
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { projectFolder } from '../paths.mjs';
import { SetupError } from '../setup/steps.mjs';
import { findOnPath } from '../setup/systemPackages.mjs';
import { openerFolder } from './sample.mjs';
import { quietSettings } from './settings.mjs';

/** Whether desktop VS Code can be opened on this machine. */
export function hasDesktop() {
  const needsDisplay = process.platform !== 'win32' && process.platform !== 'darwin';
  const hasDisplay = Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
  return findOnPath('code') !== undefined && (hasDisplay || !needsDisplay);
}

/**
 * Opens a window of desktop VS Code with a separate profile.
 *
 * @param {{ folder: string, dataFolder: string, env: Record<string, string> }} options
 * @returns {Promise<{ exited: Promise<number>, stop: () => Promise<void> }>} `exited` settles when
 * the window is closed
 */
export async function openDesktop({ folder, dataFolder, env }) {
  if (!findOnPath('code')) {
    throw new SetupError('Desktop VS Code was not found: its command "code" isn\'t on the PATH.');
  }
  const settingsFile = path.join(dataFolder, 'User', 'settings.json');
  await mkdir(path.dirname(settingsFile), { recursive: true });
  if (!existsSync(settingsFile)) {
    await writeFile(settingsFile, JSON.stringify(quietSettings, undefined, 2));
  }
  const startedAt = Date.now();
  const child = spawn('code', desktopArguments(folder, dataFolder), {
    env: { ...process.env, ...env },
    stdio: 'inherit',
    // `code` is a script on Windows; the only variable arguments are two folders of this checkout.
    shell: process.platform === 'win32',
  });
  /** @type {Promise<number>} */
  const exited = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 0));
  });
  return { exited, stop: () => stopDesktop(dataFolder, startedAt) };
}

/** @param {string} folder @param {string} dataFolder */
function desktopArguments(folder, dataFolder) {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const args = [
    `--extensionDevelopmentPath=${projectFolder}`,
    `--extensionDevelopmentPath=${openerFolder}`,
    `--user-data-dir=${dataFolder}`,
    `--extensions-dir=${path.join(dataFolder, 'extensions')}`,
    ...['--disable-workspace-trust', '--skip-welcome', '--new-window', '--wait'],
    ...asRoot,
    folder,
  ];
  return process.platform === 'win32' ? args.map((argument) => `"${argument}"`) : args;
}

/**
 * Stops VS Code by the process id in its profile, because `code` is only a launcher.
 *
 * @param {string} dataFolder
 * @param {number} startedAt
 */
async function stopDesktop(dataFolder, startedAt) {
  const lock = path.join(dataFolder, 'code.lock');
  const written = await stat(lock).catch(() => undefined);
  // An older lock file names a process that has ended, or whose id another program has by now.
  if (!written || written.mtimeMs < startedAt) return;
  try {
    process.kill(Number(await readFile(lock, 'utf8')), 'SIGTERM');
  } catch {
    // The window was closed in the meantime.
  }
}
