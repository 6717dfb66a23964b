import { randomBytes } from 'node:crypto';
import type { SavedTranscript } from '../../../shared/transcript/webviewMessages';

/** URIs that the webview can load. */
export interface HtmlResources {
  readonly cspSource: string;
  readonly script: string;
  readonly styles: readonly string[];
}

/** The page's texts in the user's language. */
export interface PageTexts {
  /** The language, as in `vscode.env.language`. */
  readonly language: string;
  /** Translations by English text, as in `vscode.l10n.bundle`. */
  readonly bundle: Readonly<Record<string, string>>;
}

/** Buffers messages that arrive before the page's script has loaded, see `Window.early`. */
const keepEarlyMessages =
  'var early = { messages: [], keep: (event) => early.messages.push(event.data) };' +
  " addEventListener('message', early.keep);";

/**
 * The page of a transcript. It holds no content: everything arrives in messages, and text never
 * becomes HTML (the browser refuses it: the only trusted types that may be created are the URLs of
 * the page's own workers). Without `texts`, the page is in English.
 */
export function transcriptHtml(
  resources: HtmlResources,
  saved: SavedTranscript,
  texts?: PageTexts,
): string {
  return pageHtml(resources, {
    title: saved.title,
    saved: JSON.stringify(saved),
    policy: ['img-src data:', 'worker-src blob:', 'trusted-types workers'],
    texts,
  });
}

interface PageContent {
  readonly title: string;
  /** What was saved, for the script, in `document.body.dataset`. */
  readonly saved?: string;
  /** What the page may do besides showing text in our styles. */
  readonly policy: readonly string[];
  readonly texts: PageTexts | undefined;
}

/** A page that holds no content and may load nothing but its script, styles and fonts. */
export function pageHtml(
  resources: HtmlResources,
  { title, saved, policy, texts }: PageContent,
): string {
  const nonce = randomBytes(16).toString('base64');
  const csp = [
    `default-src 'none'`,
    `style-src ${resources.cspSource}`,
    `font-src ${resources.cspSource}`,
    `script-src 'nonce-${nonce}'`,
    // Some of these don't fall back to default-src; the others are listed for the reader.
    `base-uri 'none'`,
    `form-action 'none'`,
    `connect-src 'none'`,
    `frame-src 'none'`,
    `object-src 'none'`,
    `require-trusted-types-for 'script'`,
    ...policy,
  ].join('; ');
  const styles = resources.styles
    .map((style) => `<link rel="stylesheet" href="${escapeHtml(style)}">`)
    .join('\n');
  return `<!DOCTYPE html>
<html lang="${escapeHtml(texts?.language ?? 'en')}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(csp)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<script nonce="${nonce}">${keepEarlyMessages}</script>
${styles}
</head>
<body data-saved="${escapeHtml(saved ?? 'null')}" data-texts="${escapeHtml(JSON.stringify(texts?.bundle ?? {}))}">
<script type="module" nonce="${nonce}" src="${escapeHtml(resources.script)}"></script>
</body>
</html>
`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
