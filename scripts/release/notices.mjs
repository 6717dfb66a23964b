// @ts-check
import path from 'node:path';
import { projectFolder } from '../paths.mjs';

export const noticesFile = path.join(projectFolder, 'ThirdPartyNotices.txt');

const line = '-'.repeat(80);

/**
 * The contents of ThirdPartyNotices.txt: each shipped package with the texts of its licenses.
 *
 * @param {readonly import('./bundled.mjs').Bundled[]} packages
 * @returns {string}
 */
export function noticesOf(packages) {
  const sections = packages.map(({ name, version, license, homepage, licenseTexts }) => {
    const title = `${name} ${version} (${license})`;
    const texts = licenseTexts.map(({ file, text }) =>
      licenseTexts.length > 1 ? `${file}:\n\n${text}` : text,
    );
    return [line, ...(homepage ? [title, homepage] : [title]), line, '', texts.join('\n\n')].join(
      '\n',
    );
  });
  const introduction = `Third-party notices

ACP Sessions contains software of others, or parts of it. These are the packages, as they are in the npm registry, with
their licenses. Made by "npm run notices" from what the bundles contain.`;
  return `${[introduction, ...sections].join('\n\n')}\n`;
}
