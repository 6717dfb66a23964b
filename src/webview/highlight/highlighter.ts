import type { lowlight } from './engine';
import { type LanguageName, loadLanguage } from './languages';

/** Code with its scopes: the part of a hast tree that lowlight makes. */
export type HighlightNode =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'scope'; readonly scope: string; readonly children: readonly HighlightNode[] };

type Engine = typeof lowlight;
type Tree = ReturnType<Engine['highlight']>;

/** Longest code that is highlighted: a few dozen milliseconds. */
const longest = 60_000;
const cached = 60;
const results = new Map<string, readonly HighlightNode[]>();

/** What `highlight` found for this code before, so that a row that comes back is drawn in colour at once. */
export function highlighted(
  code: string,
  language: LanguageName,
): readonly HighlightNode[] | undefined {
  return results.get(keyOf(code, language));
}

/**
 * Highlights code when the browser has time for it. Nothing comes of code that is too long, or when
 * `signal` is aborted first; a language that fails to load leaves the code as it is.
 */
export async function highlight(
  code: string,
  language: LanguageName,
  signal: AbortSignal,
): Promise<readonly HighlightNode[] | undefined> {
  if (code.length > longest) {
    return undefined;
  }
  const engine = await load(language);
  await idle();
  if (signal.aborted) {
    return undefined;
  }
  const nodes = toNodes(engine.highlight(language, code).children);
  results.set(keyOf(code, language), nodes);
  for (const oldest of [...results.keys()].slice(0, Math.max(0, results.size - cached))) {
    results.delete(oldest);
  }
  return nodes;
}

async function load(language: LanguageName): Promise<Engine> {
  const { lowlight: engine } = await import('./engine');
  if (!engine.registered(language)) {
    engine.register(language, await loadLanguage(language));
  }
  return engine;
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    requestIdleCallback(() => resolve());
  });
}

function toNodes(children: Tree['children'] | readonly unknown[]): HighlightNode[] {
  return (children as Tree['children']).flatMap((child): HighlightNode[] => {
    if (child.type === 'text') {
      return [{ type: 'text', value: child.value }];
    }
    if (child.type !== 'element') {
      return [];
    }
    const classes = child.properties['className'];
    const scope = Array.isArray(classes) ? classes.join(' ') : '';
    return [{ type: 'scope', scope, children: toNodes(child.children) }];
  });
}

function keyOf(code: string, language: LanguageName): string {
  return `${language}\n${code}`;
}
