export const hidden = '‹hidden›';

const name = String.raw`[\w.-]*(?:token|key|secret|passw)[\w.-]*`;
const flag = new RegExp(`^--?${name}$`, 'i');
const value = String.raw`(?:"[^"]*"?|'[^']*'?|[^\s"']+)`;
const assigned = new RegExp(`(${name}=)${value}`, 'gi');
const following = new RegExp(`((?:^|\\s)--?${name}\\s+)${value}`, 'gi');
const query = /(\w:\/\/[^\s"'<>?#]*\?)([^\s"'<>#]+)/g;

/** Keys and tokens of common services, by their prefixes, and what follows the name of an authentication scheme. */
const known =
  /\b(?:sk|pk|rk|xox[abprs]|gh[opsur]|github_pat|glpat|hf|AIza|AKIA|ya29|eyJ)[-_.\w]{12,}|(?<=\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}/gi;
const described = /((?:token|key|secret|password|passwd)"?\s*:\s*"?)(?=[^\s"]*\d)[^\s"]{6,}/gi;

/** Whether the name of this argument says that the next argument is a secret. */
export function namesSecret(argument: unknown): boolean {
  return typeof argument === 'string' && flag.test(argument);
}

/** The text without the query values of addresses and the values of arguments and variables named like secrets. */
export function withoutSecrets(text: string): string {
  return text
    .replace(
      query,
      (_, address: string, values: string) => address + values.replace(/=[^&]*/g, `=${hidden}`),
    )
    .replace(assigned, `$1${hidden}`)
    .replace(following, `$1${hidden}`);
}

/** Like `withoutSecrets`, for an agent's output that the user sees: removes whatever looks like a secret, too. */
export function withoutLikelySecrets(text: string): string {
  return withoutSecrets(text).replace(described, `$1${hidden}`).replace(known, hidden);
}
