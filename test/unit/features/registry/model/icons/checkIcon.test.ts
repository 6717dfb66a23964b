import assert from 'node:assert/strict';
import {
  checkIcon,
  IconFault,
  maxIconBytes,
  maxReferences,
  maxTags,
} from '../../../../../../src/features/registry/model/icons/checkIcon';
import { tinted } from '../../../../../../src/views/tinted';

const check = (text: string): string => checkIcon(Buffer.from(text));
const svg = (inside: string, more = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"${more}>${inside}</svg>`;
const dot = '<circle cx="8" cy="8" r="3"/>';

describe('an icon of the registry', () => {
  it('is shown as it is, in a color that follows the theme', () => {
    const icon = `<?xml version="1.0" encoding="UTF-8"?>
      <!-- made by a program (of ours) -->
      <svg width='24px' height="24" id="a" viewBox="0 0 24 24" style="flex:none;line-height:1"
        xmlns='http://www.w3.org/2000/svg'>
        <title>Poet (round)</title>
        <g stroke="currentColor" transform="translate(1, 2) scale(.5)"><path d="M1 2 l3-4.5Z"></path></g>
        <g clip-path="url(#c)"><rect width="3" height="4" fill="CURRENTCOLOR"/></g>
        <defs><clipPath id="c"><rect width="16" height="16" fill="none"/></clipPath></defs>
      </svg>`;
    assert.equal(check(`\uFEFF\n${icon}\n`), icon);
    const dark = tinted(icon, '#c5c5c5');
    assert.match(dark, /<svg fill="#c5c5c5" width='24px'.*<g stroke="#c5c5c5".*fill="#c5c5c5"/s);
    assert.ok(!/currentColor/i.test(dark) && dark.includes('fill="none"'));
    const filled = svg(dot, ' fill="none"');
    assert.equal(tinted(filled, '#c5c5c5'), filled);
  });

  const clips = (count: number): string => `<g clip-path="url(#c)">${dot}</g>`.repeat(count);
  const wide = (bytes: number): string => {
    const text = svg(`${dot}<!---->`);
    return text.replace('<!---->', `<!--${'x'.repeat(bytes - text.length)}-->`);
  };

  const bounds: readonly (readonly [string, (size: number) => string, number])[] = [
    ['bytes', wide, maxIconBytes],
    ['tags', (count) => svg(dot.repeat(count - 2)), maxTags],
    ['references', (count) => svg(clips(count)), maxReferences],
  ];
  for (const [what, make, most] of bounds) {
    it(`SEC-108: has at most so many ${what}`, () => {
      check(make(most));
      assert.throws(() => check(make(most + 1)), IconFault);
      assert.throws(() => check(make(2 * most)), IconFault);
    });
  }

  const others: Readonly<Record<string, string>> = {
    'a page of HTML': '<!doctype html><title>Sign in</title><p>Hello',
    'a page with an icon': `<p>${svg(dot)}</p>`,
    'a text': 'Not found',
    'a text before it': `Free tokens ${svg(dot)}`,
    'no namespace': `<svg viewBox="0 0 16 16">${dot}</svg>`,
    'a script': svg(`<script>alert(1)</script>${dot}`),
    'a foreign object': svg('<foreignObject><body/></foreignObject>'),
    'a copy of a part': svg(`<use href="#a"/>${dot}`),
    'an image': svg(`<image href="https://example.com/pixel.png"/>${dot}`),
    'a style sheet': svg(`<style>circle{filter:blur(9px)}</style>${dot}`),
    'a style sheet with a prefix': svg(
      `<s:style xmlns:s="http://www.w3.org/2000/svg">circle{filter:blur(9px)}</s:style>${dot}`,
    ),
    'a pattern': svg(`<pattern id="a">${dot}</pattern>`),
    'a filter': svg('<circle r="3" filter="blur(100px)"/>'),
    'a filter in a style': svg('<circle r="3" style="a:b>;filter:blur(100px)"/>'),
    'a filter behind a transform': svg(
      `<path d=' transform="' filter='blur(9px)' id='"'/><circle r="3"/>`,
    ),
    'a filter behind an entity': svg('<circle r="3" filter="blur&#40;100px&#41;"/>'),
    'a mask': svg('<circle r="3" mask="url(#a)"/>'),
    'a clip in a style': svg('<circle r="3" style="clip-path:url(#a)"/>'),
    'a clip from elsewhere': svg('<g clip-path="url(http://example.com/a.svg#b)"/>'),
    'an animation': svg('<circle r="3"><animate attributeName="r" to="9"/></circle>'),
    'a setting of a reference': svg('<set attributeName="clip-path" to="url(#a)"/>'),
    'entities that grow': `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${svg('<path d="&b;"/>')}`,
    'a document type': `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd">${svg(dot)}`,
    'characters as data': svg(`<![CDATA[<script>alert(1)</script>]]>${dot}`),
    'an instruction': `<?xml-stylesheet href="https://example.com/a.css"?>${svg(dot)}`,
    nothing: '',
  };
  for (const [what, text] of Object.entries(others)) {
    it(`SEC-45: isn’t shown with ${what}`, () => {
      assert.throws(() => check(text), IconFault);
    });
  }

  it('is UTF-8', () => {
    for (const bytes of [
      Buffer.from(`\uFEFF${svg(dot)}`, 'utf16le'),
      Buffer.from(svg(dot), 'utf16le'),
      Buffer.from([0x3c, 0xff, 0xfe]),
    ]) {
      assert.throws(() => checkIcon(bytes), IconFault);
    }
  });

  it('SEC-108: is refused in no time, whatever it repeats', () => {
    const most = (text: string): string =>
      text.repeat(Math.floor((maxIconBytes - 200) / text.length));
    for (const text of [
      most('<'),
      svg(most('<!--')),
      svg(`${most('"')}(`),
      svg(`${most(`' "`)}"(`),
      svg(`<g${most(' transform="(')}"(`),
      svg(`<g${most('\ttransform \n=')}"(`),
      svg(`<g${most(' clip-path="url(#')}"(`),
      svg(`<g${most(' ')}"(`),
      svg(`<g transform="${most(' (')}x`),
    ]) {
      assert.throws(() => check(text), IconFault);
    }
  });
});
