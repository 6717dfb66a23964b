const kinds =
  'string number boolean bool bytes buffer str int integer float any unknown never void object array symbol true false null none nil undefined text password';
const words =
  'yes no on off is are was were be has have must may can should will not and or for from to in of with by as at the a an it its if required optional missing invalid expired incorrect wrong unset empty set needed rejected revoked denied failed not-set await new this self function async lambda typeof return yield const let var input prompt';
const ofKind = new Set(kinds.split(' '));
const ofCode = new Set(`${kinds} ${words}`.split(' '));

/** A call, an item or a member of the same name: what a program computes. */
const computed = /^(?:[A-Za-z_$][\w$]*(?:\?\.|\.|::|->))*[A-Za-z_$][\w$]*(?:\(|\[)/;
const member =
  /^(?:[A-Za-z_$#][\w$]*\??\.)+#?[A-Za-z_$]*(?:token|key|secret|password|passwd|passphrase|credentials?|cookie|auth)s?$/i;

/** UTF-16 units that say what a value looks like: one may follow each of many names, and none is read in full for each. */
export const headUnits = 256;

/** What says that there is no value, or which kind of values there are. */
export function isWordOfKind(value: string): boolean {
  return ofKind.has(getHead(value).toLowerCase());
}

/** What follows in a sentence or a program after the name of a secret, and isn't one. */
export function isWordOfCode(value: string): boolean {
  const head = getHead(value);
  return (
    ofCode.has(head.toLowerCase()) || computed.test(head) || (head === value && member.test(head))
  );
}

const reference =
  /^(?:[\w-]+ )?(?:\$[A-Z_][A-Z0-9_]*|\$\{[^}]*\}|\$\([^)]*\)|\{\{[^}]*\}\}|%[A-Z_]\w*%|<[\w .-]+>|\*+|\.{3}|…|‹hidden›)$/;

/** What stands for a value: a variable, a placeholder, asterisks. */
export function isReference(value: string): boolean {
  return getHead(value) === value && reference.test(value);
}

/** Letters and digits, or a long word that no language has. */
export function looksLikeSecret(value: string): boolean {
  const head = getHead(value);
  return head.length >= 6 && !/\s/.test(head) && (/\d/.test(head) || isLong(head));
}

/** Cut before anything else is done: V8 may put a value in lower case even where a condition on its length excludes that. */
function getHead(value: string): string {
  return value.slice(0, headUnits);
}

function isLong(value: string): boolean {
  return value.length >= 20 && /^[\w+/=.~-]+$/.test(value) && /[a-z][A-Z].*[a-z][A-Z]/.test(value);
}
