import assert from 'node:assert/strict';
import { transcriptHtml } from '../../../../../src/views/transcript/tabs/html';

const saved = {
  agentId: 'a',
  sessionId: `"'><script>alert(1)</script>`,
  cwd: '/project',
  additionalDirectories: [],
  title: '</title><script>alert(2)</script>',
};
const resources = {
  cspSource: 'https://*.vscode-cdn.net',
  script: 'https://host/transcript.js',
  styles: ['https://host/a.css', 'https://host/b.css'],
};

function unescape(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

function attribute(html: string, pattern: RegExp): string {
  const value = pattern.exec(html)?.[1];
  assert.ok(value);
  return unescape(value);
}

describe('page of a transcript', () => {
  it('SEC-38: allows exactly what it needs', () => {
    const html = transcriptHtml(resources, saved);
    const csp = attribute(html, /Content-Security-Policy" content="([^"]*)"/);
    const nonce = attribute(html, /nonce="([^"]*)"/);
    assert.match(nonce, /^[\w+/=]{20,}$/);
    assert.deepEqual(csp.split('; '), [
      "default-src 'none'",
      'style-src https://*.vscode-cdn.net',
      'font-src https://*.vscode-cdn.net',
      `script-src 'nonce-${nonce}'`,
      "base-uri 'none'",
      "form-action 'none'",
      "connect-src 'none'",
      "frame-src 'none'",
      "object-src 'none'",
      "require-trusted-types-for 'script'",
      'img-src data:',
      'worker-src blob:',
      'trusted-types workers',
    ]);
  });

  it('has another nonce each time', () => {
    const nonces = [1, 2].map(() => attribute(transcriptHtml(resources, saved), /nonce="([^"]*)"/));
    assert.notEqual(nonces[0], nonces[1]);
  });

  it('speaks the language of VS Code', () => {
    const bundle = { 'Go on': 'Weiter "jetzt"' };
    const html = transcriptHtml(resources, saved, { language: 'de', bundle });
    assert.match(html, /<html lang="de">/);
    assert.deepEqual(JSON.parse(attribute(html, /data-texts="([^"]*)"/)), bundle);
    assert.match(transcriptHtml(resources, saved), /<html lang="en">/);
  });

  it('takes what an agent sends as text', () => {
    const html = transcriptHtml(resources, saved);
    assert.equal(html.match(/<script/g)?.length, 2);
    assert.deepEqual(JSON.parse(attribute(html, /data-saved="([^"]*)"/)), saved);
  });
});
