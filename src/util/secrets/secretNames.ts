/**
 * How sure a name is of its value. `sure`: that is a secret, whatever it looks like, such as a password. `likely`: it
 * is one if it doesn't look like a word, as with a `key`.
 */
export type SecretName = 'sure' | 'likely';

const sure =
  /passw|passphrase|passcode|pwd|secret|credential|cookie|authorization|jwt|bearer|token(?!s|i[sz])|(?:api|access|private|account|auth\w*|client|service|signing|encryption|shared|storage|master|license|session|host|deploy)[ _.-]?keys?(?![a-z])|[a-z0-9][_.-]pass$|_auth$/i;
const sureCamel = /[a-z]Pass$/;
const likely = /tokens|(?:^|[_.-])(?:auth|pass|pw)$/i;
/** A key as a word of its own, or at the end of one; neither `keyboard` nor `monkey`. */
const key = /(?<![a-z])keys?(?![a-z])|Keys?(?![a-z])|(?<![A-Z])KEYS?(?![A-Z])/;

/** What such a name ends with that isn't about the secret itself: where it is, how long, of which kind. */
const about =
  'file path dir folder url uri endpoint name names type count limit length size id ids index field label expiry expires ttl policy hint budget usage used window map code'.split(
    ' ',
  );
const aboutSnake = new RegExp(`[_.-](?:${about.join('|')})$`, 'i');
const aboutCamel = new RegExp(
  `[a-z0-9](?:${about.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('|')})$`,
);

/** Whether what has this name is a secret; `undefined` if the name doesn't say so. */
export function findSecretName(name: string): SecretName | undefined {
  if (aboutCamel.test(name) || (aboutSnake.test(name) && !/secret[_.-]id$/i.test(name))) {
    return undefined;
  }
  if (sure.test(name) || sureCamel.test(name)) {
    return 'sure';
  }
  return key.test(name) || likely.test(name) ? 'likely' : undefined;
}

const flag = /^--?[\w.-]+$/;

/** Whether an argument says that the one after it is a secret. */
function namesSecret(argument: unknown): boolean {
  return (
    typeof argument === 'string' && flag.test(argument) && findSecretName(argument) !== undefined
  );
}

/**
 * Whether the argument at this place is a secret by the one before it, as after `--token` and in `-u name:password`, or
 * by itself, as a header and in `-pPassword`.
 */
export function isSecretArgument(args: readonly unknown[], at: number): boolean {
  const [before, argument] = [args[at - 1], args[at]];
  if (typeof argument !== 'string') {
    return namesSecret(before);
  }
  const option = typeof before === 'string' ? before : '';
  const isUser = /^(?:-u|-U|--user|--proxy-user)$/.test(option);
  const [header = ''] = /^(?:-H|--header)$/.test(option) ? argument.split(':') : [];
  return (
    namesSecret(before) ||
    findSecretName(header) !== undefined ||
    /^-p(?=.*[A-Za-z])(?=.*\d)[^/:,=]{6,}$/.test(argument) ||
    (isUser && argument.includes(':') && !/^\d+:\d+$/.test(argument))
  );
}
