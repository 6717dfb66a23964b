type Context = Readonly<Record<string, string | number | boolean>>;

const token = /\s*(\|\||&&|==|!=|=~|!|\(|\)|\/(?:\\.|[^/])+\/|'[^']*'|[\w.:-]+)/y;

/** Splits a condition of the manifest into its words and signs. */
function tokens(when: string): readonly string[] {
  const found: string[] = [];
  token.lastIndex = 0;
  for (let match = token.exec(when); match !== null; match = token.exec(when)) {
    found.push(match[1] ?? '');
  }
  if (found.join('').length !== when.replaceAll(/\s/g, '').length) {
    throw new Error(`not understood: ${when}`);
  }
  return found;
}

/** Whether a `when` clause of the manifest holds with these context keys; keys that aren't given have no value. */
export function holds(when: string, context: Context): boolean {
  const rest = [...tokens(when)];
  const value = (key: string): string => String(context[key] ?? '');

  function either(): boolean {
    let result = both();
    while (rest[0] === '||') {
      rest.shift();
      result = both() || result;
    }
    return result;
  }

  function both(): boolean {
    let result = one();
    while (rest[0] === '&&') {
      rest.shift();
      result = one() && result;
    }
    return result;
  }

  function one(): boolean {
    const first = rest.shift() ?? '';
    if (first === '!') {
      return !one();
    }
    if (first === '(') {
      const result = either();
      rest.shift();
      return result;
    }
    if (first === 'true' || first === 'false') {
      return first === 'true';
    }
    return compared(first);
  }

  function compared(key: string): boolean {
    const [sign = '', operand = ''] = rest;
    if (!['==', '!=', '=~'].includes(sign)) {
      return Boolean(context[key] ?? false);
    }
    rest.splice(0, 2);
    if (sign === '=~') {
      return new RegExp(operand.slice(1, -1), 'u').test(value(key));
    }
    return (value(key) === operand.replaceAll("'", '')) === (sign === '==');
  }

  return either();
}
