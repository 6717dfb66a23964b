import type { PageWorker, WorkerAnswer } from './workerQueue';

interface ScriptUrls {
  createScriptURL(url: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: ScriptUrls): ScriptUrls;
}

/** The only addresses that may become scripts: those of the page's own workers. */
const urls = new Set<string>();
// The page's CSP allows a policy of this name to be created once; not every browser supports
// Trusted Types.
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy(
  'workers',
  { createScriptURL: (wanted) => (urls.has(wanted) ? wanted : '') },
);

/**
 * Returns a function that starts workers of a script. A webview can only create workers from its
 * own blobs (https://github.com/microsoft/vscode/issues/87282), so the script is imported as text,
 * with the first worker.
 */
export function workersOf<Job, Result>(
  load: () => Promise<{ readonly text: string }>,
): () => Promise<PageWorker<Job, Result>> {
  let address: Promise<string> | undefined;
  return async () => {
    address ??= load().then(({ text }) => toAddress(text));
    const worker = new Worker(await address);
    return {
      listen: (onAnswer, onFailure) => {
        worker.onmessage = ({ data }: MessageEvent<WorkerAnswer<Result>>) => onAnswer(data);
        worker.onerror = onFailure;
      },
      ask: (job) => worker.postMessage(job),
      end: () => worker.terminate(),
    };
  };
}

function toAddress(script: string): string {
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  urls.add(url);
  return policy ? policy.createScriptURL(url) : url;
}
