export const hidden = '‹hidden›';

const name = String.raw`[\w.-]*(?:token|key|secret|passw)[\w.-]*`;
const flag = new RegExp(`^--?${name}$`, 'i');
const value = String.raw`(?:"[^"]*"?|'[^']*'?|[^\s"']+)`;
const assigned = new RegExp(`(${name}=)${value}`, 'gi');
const following = new RegExp(`((?:^|\\s)--?${name}\\s+)${value}`, 'gi');
const query = /(\w:\/\/[^\s"'<>?#]*\?)([^\s"'<>#]+)/g;

/** Whether the argument after this one of a command is a secret, by its name. */
export function namesSecret(argument: unknown): boolean {
  return typeof argument === 'string' && flag.test(argument);
}

/** The text without the values of an address's query, and of arguments and variables that are named like secrets. */
export function withoutSecrets(text: string): string {
  return text
    .replace(
      query,
      (_, address: string, values: string) => address + values.replace(/=[^&]*/g, `=${hidden}`),
    )
    .replace(assigned, `$1${hidden}`)
    .replace(following, `$1${hidden}`);
}
