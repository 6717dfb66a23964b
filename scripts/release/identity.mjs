// @ts-check

/**
 * Stands for the repository's owner in the URLs of package.json until `npm run identity` writes the real ones. Nothing
 * is released while it is there.
 */
export const placeholderOwner = 'PUBLISHER';

/**
 * @typedef {object} Manifest the parts of package.json that a release reads
 * @property {string} name
 * @property {string} version
 * @property {string} publisher
 * @property {{ type: string, url: string }} repository
 * @property {{ url: string }} bugs
 * @property {string} homepage
 * @property {string} qna
 */

/**
 * Every URL in package.json that derives from the repository's.
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

/** The URL of the repository's page. @param {Manifest} manifest */
export function repositoryOf({ repository }) {
  return repository.url.replace(/\.git$/, '');
}

/** @param {Manifest} manifest */
export function hasPlaceholder(manifest) {
  return repositoryOf(manifest).split('/').includes(placeholderOwner);
}
