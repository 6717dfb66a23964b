import { setNewest } from '../../util/setNewest';
import { HighlightQueue, type HighlightWorker } from './highlightQueue';
import type { HighlightAnswer, HighlightNode } from './job';
import type { LanguageName } from './languages';

/** Longest code, and longest line in it, that is highlighted, in UTF-16 units. */
const longest = 60_000;
const maxLineLength = 5000;
/** Ordinary code takes a few milliseconds; this leaves room for slow machines. */
const maxHighlightMs = 2000;
const cached = 60;
// One cache and one worker for all code blocks of the page.
const results = new Map<string, readonly HighlightNode[]>();
const queue = new HighlightQueue(startWorker, maxHighlightMs);

/** The cached result of `highlight`, so that a row that scrolls back in is drawn in color immediately. */
export function highlighted(
  code: string,
  language: LanguageName,
): readonly HighlightNode[] | undefined {
  return results.get(getKey(code, language));
}

/**
 * Highlights code in a worker, without blocking the page. Resolves to `undefined` if the code is
 * too long, takes too long, or `signal` is aborted first.
 */
export async function highlight(
  code: string,
  language: LanguageName,
  signal: AbortSignal,
): Promise<readonly HighlightNode[] | undefined> {
  if (code.length > longest || hasLongLine(code)) {
    return undefined;
  }
  const nodes = await queue.highlight({ code, language }, signal);
  if (nodes) {
    setNewest(results, getKey(code, language), nodes, cached);
  }
  return nodes;
}

function hasLongLine(code: string): boolean {
  for (let start = 0; start < code.length; ) {
    const found = code.indexOf('\n', start);
    const end = found === -1 ? code.length : found;
    if (end - start > maxLineLength) {
      return true;
    }
    start = end + 1;
  }
  return false;
}

function getKey(code: string, language: LanguageName): string {
  return `${language}\n${code}`;
}

interface ScriptUrls {
  createScriptURL(url: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: ScriptUrls): ScriptUrls;
}

/** Made once: the page may create a policy of that name only once. */
let address: Promise<string> | undefined;

/**
 * Starts the highlighter's worker. A webview can only create workers from its own blobs
 * (https://github.com/microsoft/vscode/issues/87282), so the script is imported as text, with the
 * first code block.
 */
async function startWorker(): Promise<HighlightWorker> {
  address ??= makeAddress();
  const worker = new Worker(await address);
  return {
    listen: (onAnswer, onFailure) => {
      worker.onmessage = ({ data }: MessageEvent<HighlightAnswer>) => onAnswer(data);
      worker.onerror = onFailure;
    },
    ask: (job) => worker.postMessage(job),
    end: () => worker.terminate(),
  };
}

async function makeAddress(): Promise<string> {
  const { text } = await import('./worker.ts?text');
  const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  // The page's CSP allows a policy of this name to be created once; not every browser supports
  // Trusted Types.
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('highlighter', {
    createScriptURL: (wanted) => (wanted === url ? wanted : ''),
  });
  return policy ? policy.createScriptURL(url) : url;
}
