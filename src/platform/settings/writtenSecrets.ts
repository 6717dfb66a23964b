import { looksLikeSecret } from '../../util/secrets/plainWords';
import { secretNameOf } from '../../util/secrets/secretNames';
import { withoutSecrets } from '../../util/secrets/secretText';

/** What has such a name is kept out of the settings, whatever it is. */
const secretName = /auth|bearer|cookie|credential|jwt|key|pass|pwd|secret|session|signature|token/i;

/** A stored secret, after the name of a part, such as `sid=`. */
const stored = '(?:[A-Za-z][A-Za-z-]{0,19}=)?\\$\\{secret:[\\w.-]+\\}';
/** One or several, after the word of a scheme, such as `Bearer`. */
const onlyStored = new RegExp(`^(?:[A-Za-z][A-Za-z-]{0,19} )?${stored}(?:[:;,] ?${stored})*$`);

/** Whether the value of a header may have a secret in it that isn't stored as one: beside stored ones nothing else may stand. */
export function mayWriteSecret(name: string, value: string): boolean {
  return value.includes('${secret:') ? !onlyStored.test(value) : mayBeSecret(name, value);
}

/** Whether an address may have a secret in it. */
export function mayHaveSecret({ pathname, searchParams }: URL): boolean {
  return (
    withoutSecrets(pathname) !== pathname ||
    [...searchParams].some(
      ([name, value]) =>
        mayBeSecret('', name) || mayBeSecret(name, value) || value.includes('${secret:'),
    )
  );
}

/** By its name, or by what it is: anything but words and numbers. */
function mayBeSecret(name: string, value: string): boolean {
  return (
    value !== '' &&
    (secretName.test(name) ||
      secretNameOf(name) !== undefined ||
      withoutSecrets(value) !== value ||
      value.split(/[^A-Za-z0-9]+/).some(looksLikeSecret))
  );
}
