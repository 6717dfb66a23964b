// @ts-check
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseJson } from '../json.mjs';
import { projectFolder } from '../paths.mjs';

/** Where a build records the folders of the packages that it bundled, as JSON. */
const bundledFile = path.join(projectFolder, 'out', 'bundledPackages.json');

/** License texts of packages that name a license without including it, by package. */
const textsFolder = path.join(projectFolder, 'scripts', 'release', 'licenses');

/**
 * @typedef {object} Bundled a package that the shipped bundles contain, in whole or in part
 * @property {string} folder such as `node_modules/preact`
 * @property {string} name
 * @property {string} version
 * @property {string} license as an SPDX expression
 * @property {string} [homepage]
 * @property {readonly { file: string, text: string }[]} licenseTexts licenses and notices, by file name
 */

/**
 * The folders of the packages that the given files belong to, sorted and without duplicates.
 *
 * @param {Iterable<string>} files as named by esbuild's metafile or by a source map
 * @returns {string[]}
 */
export function packageFoldersOf(files) {
  const marker = 'node_modules/';
  const folders = [...files].flatMap((file) => {
    const end = file.lastIndexOf(marker) + marker.length;
    const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(file.slice(end)) ?? [];
    const isInPackage = file.includes(marker) && name !== undefined;
    return isInPackage ? [file.slice(file.indexOf(marker), end) + name] : [];
  });
  return [...new Set(folders)].sort();
}

/**
 * Records which packages a build bundled, for {@link bundledPackages}.
 * @param {Iterable<string>} files
 */
export function keepBundled(files) {
  mkdirSync(path.dirname(bundledFile), { recursive: true });
  writeFileSync(bundledFile, JSON.stringify(packageFoldersOf(files), undefined, 2));
}

/**
 * The packages that the last build bundled.
 *
 * @returns {Bundled[]}
 */
export function bundledPackages() {
  /** @type {string[]} */
  const folders = parseJson(readFileSync(bundledFile, 'utf8'));
  return folders.map(readPackage);
}

/** @param {string} folder @returns {Bundled} */
function readPackage(folder) {
  const whole = path.join(projectFolder, folder);
  /** @type {{ name: string, version: string, license?: string, homepage?: string }} */
  const { name, version, license, homepage } = parseJson(
    readFileSync(path.join(whole, 'package.json'), 'utf8'),
  );
  if (license === undefined) throw new Error(`${folder} doesn't declare its license.`);
  return {
    folder,
    name,
    version,
    license,
    ...(homepage ? { homepage } : {}),
    licenseTexts: licenseTextsOf(name, whole),
  };
}

/** @param {string} name @param {string} folder */
function licenseTextsOf(name, folder) {
  const own = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice|third-?party-?notices?)\b/i.test(file))
    .sort()
    .map((file) => path.join(folder, file));
  const files = own.length > 0 ? own : [path.join(textsFolder, `${name}.txt`)];
  return files.map((file) => ({
    file: path.basename(file),
    text: readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim(),
  }));
}
