import assert from 'node:assert/strict';
import { isOpenable } from '../../../../src/webview/markdown/openableLinks';

describe('links of agents', () => {
  for (const href of [
    'https://example.org/a?b#c',
    'HTTP://EXAMPLE.ORG',
    'mailto:ann@example.org',
    'file:///project/a.ts#L3',
    'src/a.ts#L10',
    './a b.ts',
    '../a.ts:12',
    'a.ts:12',
    '/project/a.ts',
    'C:\\src\\a.ts',
    'c:/src/a.ts',
  ]) {
    it(`CO-9: ${href} may be opened`, () => assert.equal(isOpenable(href), true));
  }

  for (const href of [
    '',
    '#top',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    ' javascript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>',
    'command:workbench.action.quit',
    'vscode://settings',
    'vscode-insiders:x',
    'vscode-webview-resource:x',
    'blob:x',
    'ssh://host',
    '//host/share',
    '\\\\host\\share',
    '/\\host',
    `https://example.org/${'x'.repeat(4000)}`,
  ]) {
    it(`CO-9: ${JSON.stringify(href.slice(0, 40))} is only text`, () =>
      assert.equal(isOpenable(href), false));
  }
});
