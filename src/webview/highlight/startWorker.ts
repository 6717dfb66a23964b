import type { HighlightWorker } from './highlightQueue';
import type { HighlightAnswer } from './job';

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
export async function startWorker(): Promise<HighlightWorker> {
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
