import type { HighlightNode } from './highlightJob';

/** The used part of lowlight's tree. */
export type Child =
  | { readonly type: 'text'; readonly value: string }
  | {
      readonly type: 'element';
      readonly properties: Readonly<Record<string, unknown>>;
      readonly children: readonly Child[];
    }
  | { readonly type: 'comment' | 'doctype' };

/** The most elements that a page draws without a noticeable pause; the code after them stays plain. */
const maxScopes = 10_000;
/** Deepest nesting of scopes, which the page renders recursively. */
const deepest = 20;

/** The scopes of highlighted code, up to the limits above. Its text is always complete. */
export function toNodes(children: readonly Child[]): readonly HighlightNode[] {
  const left = { scopes: maxScopes };
  const nodes = (level: readonly Child[], depth: number): HighlightNode[] =>
    level.flatMap((child): HighlightNode[] => {
      if (child.type === 'element' && depth < deepest && left.scopes-- > 0) {
        const classes = child.properties['className'];
        const scope = Array.isArray(classes) ? classes.join(' ') : '';
        return [{ type: 'scope', scope, children: nodes(child.children, depth + 1) }];
      }
      return [{ type: 'text', value: getText(child) }];
    });
  return nodes(children, 0);
}

/** Iterative, so that depth doesn't matter. */
function getText(child: Child): string {
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
