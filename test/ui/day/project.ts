import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** What checks the project: needs nothing but Node. */
export const checkCommand = 'node --test test/email.test.js';

const email = `/** Whether a letter can be sent to this address. */
export function isAddress(text) {
  return text.includes('@');
}

/** How the shop keeps an address, to know its customers again. */
export function kept(address) {
  return address.toLowerCase();
}
`;

const emailTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAddress, kept } from '../src/email.js';

test('takes an address', () => {
  assert.equal(isAddress('mia@example.com'), true);
});

test('refuses what has no @', () => {
  assert.equal(isAddress('mia.example.com'), false);
});

test('knows customers again', () => {
  assert.equal(kept('Mia@Example.com'), 'mia@example.com');
});
`;

/** Makes a small project that is a repository of Git, on the branch `main`. */
export async function makeProject(folder: string): Promise<string> {
  const project = path.join(folder, 'shop');
  const files = {
    'package.json': '{ "name": "shop", "private": true, "type": "module" }\n',
    'src/email.js': email,
    'test/email.test.js': emailTest,
  };
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(project, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  git(project, 'init', '--quiet', '--initial-branch=main');
  // The product commits as the user, too.
  git(project, 'config', 'user.name', 'Mia');
  git(project, 'config', 'user.email', 'mia@example.com');
  git(project, 'add', '-A');
  git(project, 'commit', '--quiet', '-m', 'Check addresses');
  return project;
}

/** What Git prints, without the last line break. */
export function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trimEnd();
}
