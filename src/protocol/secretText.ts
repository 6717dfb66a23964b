export const hidden = '‹hidden›';

const name = String.raw`[\w.-]*(?:token|key|secret|passw)[\w.-]*`;
const flag = new RegExp(`^--?${name}$`, 'i');
const value = String.raw`(?:"[^"]*"?|'[^']*'?|[^\s"']+)`;
const assigned = new RegExp(`(${name}=)${value}`, 'gi');
const following = new RegExp(`((?:^|\\s)--?${name}\\s+)${value}`, 'gi');
const query = /(\w:\/\/[^\s"'<>?#]*\?)([^\s"'<>#]+)/g;

/** Keys and tokens of common services, by how they begin, and what follows the name of a way to log in. */
const known =
  /\b(?:sk|pk|rk|xox[abprs]|gh[opsur]|github_pat|glpat|hf|AIza|AKIA|ya29|eyJ)[-_.\w]{12,}|(?<=\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}/gi;
const described = /((?:token|key|secret|password|passwd)"?\s*:\s*"?)(?=[^\s"]*\d)[^\s"]{6,}/gi;

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

/** As `withoutSecrets`, for what is shown to a person as an agent's own words: whatever looks like a secret goes, too. */
export function withoutLikelySecrets(text: string): string {
  return withoutSecrets(text).replace(described, `$1${hidden}`).replace(known, hidden);
}
