import type { HighlightNode } from './job';

/** What of the tree that lowlight makes is used. */
export type Child =
  | { readonly type: 'text'; readonly value: string }
  | {
      readonly type: 'element';
      readonly properties: Readonly<Record<string, unknown>>;
      readonly children: readonly Child[];
    }
  | { readonly type: 'comment' | 'doctype' };

/** Elements that a page draws without a pause; what is behind them is plain. */
const mostScopes = 10_000;
/** Scopes within scopes, which a page draws by calling itself. */
const deepest = 20;

/** The scopes of highlighted code, as many as can be drawn. Its text is always complete. */
export function toNodes(children: readonly Child[]): readonly HighlightNode[] {
  const left = { scopes: mostScopes };
  const nodes = (level: readonly Child[], depth: number): HighlightNode[] =>
    level.flatMap((child): HighlightNode[] => {
      if (child.type === 'element' && depth < deepest && left.scopes-- > 0) {
        const classes = child.properties['className'];
        const scope = Array.isArray(classes) ? classes.join(' ') : '';
        return [{ type: 'scope', scope, children: nodes(child.children, depth + 1) }];
      }
      return [{ type: 'text', value: textOf(child) }];
    });
  return nodes(children, 0);
}

/** However deep it is. */
function textOf(child: Child): string {
  let text = '';
  const rest: Child[] = [child];
  for (let next = rest.pop(); next; next = rest.pop()) {
    if (next.type === 'text') {
      text += next.value;
    } else if (next.type === 'element') {
      rest.push(...next.children.toReversed());
    }
  }
  return text;
}
