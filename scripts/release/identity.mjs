// @ts-check

/**
 * Stands for the owner of the repository in the addresses of package.json until `npm run identity` has put the real
 * ones there. Nothing is released while it does.
 */
export const placeholderOwner = 'PUBLISHER';

/**
 * @typedef {object} Manifest what a release needs to know of package.json
 * @property {string} name
 * @property {string} version
 * @property {string} publisher
 * @property {{ type: string, url: string }} repository
 * @property {{ url: string }} bugs
 * @property {string} homepage
 * @property {string} qna
 */

/**
 * Every address in package.json, all made from the repository's.
 *
 * @param {string} repository such as `https://github.com/owner/name`
 * @returns {Pick<Manifest, 'repository' | 'bugs' | 'homepage' | 'qna'>}
 */
export function addressesOf(repository) {
  return {
    repository: { type: 'git', url: `${repository}.git` },
    bugs: { url: `${repository}/issues` },
    homepage: `${repository}#readme`,
    qna: `${repository}/discussions`,
  };
}

/** The address of the repository's page. @param {Manifest} manifest */
export function repositoryOf({ repository }) {
  return repository.url.replace(/\.git$/, '');
}

/** @param {Manifest} manifest */
export function hasPlaceholder(manifest) {
  return repositoryOf(manifest).split('/').includes(placeholderOwner);
}
