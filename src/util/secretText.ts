export const hidden = '‹hidden›';

/** Looks ahead only once and begins where a word does: agents choose the texts, so the time must be linear. */
const name = String.raw`(?=[\w.-]*(?:token|key|secret|passw))[\w.-]+`;
const flag = new RegExp(`^--?${name}$`, 'i');
const value = String.raw`(?:"[^"]*"?|'[^']*'?|[^\s"']+)`;
const assigned = new RegExp(String.raw`((?<![\w.-])${name}=)${value}`, 'gi');
const following = new RegExp(`((?:^|\\s)--?${name}\\s+)${value}`, 'gi');
const query = /(\w:\/\/[^\s"'<>?#]*)(?:\?([^\s"'<>#]+))?/g;

/**
 * Keys and tokens of common services, recognized by their prefixes, and credentials after an
 * authentication scheme.
 */
const known =
  /\b(?:sk|pk|rk|xox[abprs]|gh[opsur]|github_pat|glpat|hf|AIza|AKIA|ya29|eyJ)[-_.\w]{12,}|(?<=\b(?:bearer|basic)\s{1,4})[\w.~+/=-]{8,}/gi;
const described =
  /((?:token|key|secret|password|passwd)"?\s{0,8}:\s{0,8}"?)(?=[^\s"]{0,200}\d)[^\s"]{6,}/gi;

/** Whether this argument's name indicates that the next argument is a secret. */
export function namesSecret(argument: unknown): boolean {
  return typeof argument === 'string' && flag.test(argument);
}

/** Hides the query values of URLs, and the values of arguments and variables with names of secrets. */
export function withoutSecrets(text: string): string {
  return text
    .replace(query, (whole: string, address: string, values: string | undefined) =>
      values === undefined ? whole : `${address}?${values.replace(/=[^&]*/g, `=${hidden}`)}`,
    )
    .replace(assigned, `$1${hidden}`)
    .replace(following, `$1${hidden}`);
}

/**
 * Like `withoutSecrets`, for agent output that the user sees: also hides anything that looks like a
 * secret.
 */
export function withoutLikelySecrets(text: string): string {
  return withoutSecrets(text).replace(described, `$1${hidden}`).replace(known, hidden);
}
