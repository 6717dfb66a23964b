// @ts-check

/**
 * @typedef {import('./bundled.mjs').Bundled} Bundled
 * @typedef {{ packages: Record<string, { integrity?: string }> }} Lock package-lock.json's entry for each folder
 */

/**
 * The software bill of materials of the shipped bundles, in CycloneDX 1.6. It has no timestamp and no serial number, so
 * the same input gives the same bytes.
 *
 * @param {import('./identity.mjs').Manifest} manifest
 * @param {readonly Bundled[]} packages
 * @param {Lock} lock
 */
export function sbomOf(manifest, packages, lock) {
  const root = `pkg:generic/${manifest.publisher}.${manifest.name}@${manifest.version}`;
  const components = packages.map((bundled) => componentOf(bundled, lock));
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: {
        type: 'application',
        'bom-ref': root,
        name: manifest.name,
        version: manifest.version,
        publisher: manifest.publisher,
        licenses: [{ license: { id: 'MIT' } }],
        purl: root,
      },
    },
    components,
    dependencies: [{ ref: root, dependsOn: components.map((component) => component['bom-ref']) }],
  };
}

/** @param {Bundled} bundled @param {Lock} lock */
function componentOf({ folder, name, version, license, homepage }, lock) {
  const integrity = lock.packages[folder]?.integrity;
  if (!integrity?.startsWith('sha512-')) {
    throw new Error(`package-lock.json has no SHA-512 of ${folder}.`);
  }
  const [scope, ofScope] = name.split('/');
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    type: 'library',
    'bom-ref': purl,
    ...(ofScope === undefined ? { name } : { group: scope, name: ofScope }),
    version,
    hashes: [
      {
        alg: 'SHA-512',
        content: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex'),
      },
    ],
    licenses: [/\s/.test(license) ? { expression: license } : { license: { id: license } }],
    purl,
    ...(homepage ? { externalReferences: [{ type: 'website', url: homepage }] } : {}),
  };
}
