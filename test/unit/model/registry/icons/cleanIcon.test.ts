import assert from 'node:assert/strict';
import {
  cleanIcon,
  IconFault,
  mostDepth,
  mostElements,
  mostIconBytes,
} from '../../../../../src/model/registry/icons/cleanIcon';
import { tinted } from '../../../../../src/model/registry/icons/tinted';

const clean = (text: string): string => cleanIcon(Buffer.from(text));
const svg = (inside: string, more = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"${more}>${inside}</svg>`;
const dot = '<circle cx="8" cy="8" r="3"/>';

describe('an icon of the registry', () => {
  it('is written anew, in one color that follows the theme', () => {
    const icon = clean(`<?xml version="1.0" encoding="UTF-8"?>
      <!-- made by a program -->
      <svg width='24px' height="24" version="1.1" id="a" class="b" viewBox="0 0 24 24"
        xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" style="flex:none">
        <title>Poet</title>
        <g fill="none" stroke="#ff0000" stroke-width="1.5"><path d="M1 2 l3-4.5Z"></path></g>
        <rect x="1" y="2" width="3" height="4" rx=".5" fill="red" fill-rule="evenodd"/>
      </svg>
    `);
    assert.equal(
      icon,
      '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 24 24" fill="currentColor">' +
        '<g fill="none" stroke="currentColor" stroke-width="1.5"><path d="M1 2 l3-4.5Z"/></g>' +
        '<rect x="1" y="2" width="3" height="4" rx="0.5" fill="currentColor" fill-rule="evenodd"/></svg>',
    );
    assert.equal(clean(icon), icon, 'what is stored is read in the same way');
    const dark = tinted(icon, '#c5c5c5');
    assert.ok(dark.includes('stroke="#c5c5c5"') && !dark.includes('currentColor'));
  });

  it('keeps its size if it has no view box, and what a clip would have hidden', () => {
    assert.match(clean('<svg width="14" height="16px"><path d="M0 0h1"/></svg>'), /"0 0 14 16"/);
    const clipped = clean(
      svg(
        `<g clip-path="url(#c)">${dot}</g><defs><clipPath id="c"><rect width="16" height="16" fill="white"/></clipPath></defs>`,
      ),
    );
    assert.ok(clipped.endsWith(` fill="currentColor"><g>${dot}</g></svg>`), clipped);
  });

  const deep = (depth: number): string => `${'<g>'.repeat(depth)}${dot}${'</g>'.repeat(depth)}`;
  const many = (count: number): string => dot.repeat(count);
  const wide = (bytes: number): string => {
    const text = svg(`${dot}<!---->`);
    return text.replace('<!---->', `<!--${'x'.repeat(bytes - text.length)}-->`);
  };

  const bounds: readonly (readonly [string, (size: number) => string, number])[] = [
    ['bytes', wide, mostIconBytes],
    ['elements', (count) => svg(many(count - 1)), mostElements],
    ['depth', (depth) => svg(deep(depth - 1)), mostDepth],
  ];
  for (const [what, make, most] of bounds) {
    it(`has at most so many ${what}`, () => {
      clean(make(most));
      assert.throws(() => clean(make(most + 1)), IconFault);
      assert.throws(() => clean(make(2 * most)), IconFault);
    });
  }

  const enemies: Readonly<Record<string, string>> = {
    'a script': svg(`<script>alert(1)</script>${dot}`),
    'a script in another case': svg(`<ScRiPt>alert(1)</ScRiPt>${dot}`),
    'an event': svg(dot, ' onload="alert(1)"'),
    'an event of a shape': svg('<circle r="3" onclick="alert(1)"/>'),
    'a page of HTML': '<!doctype html><title>Sign in</title><p>Hello',
    'a foreign object': svg('<foreignObject><body/></foreignObject>'),
    'a reference to a file': svg(`<use href="file:///etc/passwd"/>${dot}`),
    'a reference to a server': svg(`<use xlink:href="http://example.com/a.svg#b"/>${dot}`),
    'an image': svg(`<image href="https://example.com/pixel.png"/>${dot}`),
    'data in an image': svg(`<image href="data:image/svg+xml;base64,PHN2Zz4="/>${dot}`),
    'a link': svg(`<a href="https://example.com">${dot}</a>`),
    'a style sheet': svg(`<style>@import url(https://example.com/a.css);</style>${dot}`),
    'a style of a shape': svg('<circle r="3" style="fill:url(http://example.com)"/>'),
    'a paint from elsewhere': svg('<circle r="3" fill="url(http://example.com/a.svg#b)"/>'),
    'a paint by reference': svg('<circle r="3" fill="url(#a)"/>'),
    'a paint with a variable': svg('<circle r="3" fill="var(--x)"/>'),
    'a clip from elsewhere': svg(
      '<g clip-path="url(http://example.com/a.svg#b)"><path d="M0 0"/></g>',
    ),
    'a filter': svg('<circle r="3" filter="url(#a)"/>'),
    'an animation': svg('<circle r="3"><animate attributeName="r" to="9"/></circle>'),
    'an animated reference': svg('<set attributeName="href" to="javascript:alert(1)"/>'),
    'a handler': svg(`<handler type="text/javascript">alert(1)</handler>${dot}`),
    'an entity': svg('<path d="&a;"/>'),
    'a numbered entity': svg('<path d="M0 0&#x22;"/>'),
    'an entity in its title': svg(`<title>A &amp; B</title>${dot}`),
    'a shape in its title': svg(`<title>${dot}</title>`),
    'entities that grow': `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${svg('<path d="&b;"/>')}`,
    'a document type': `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd">${svg(dot)}`,
    'characters as data': svg(`<![CDATA[<script>alert(1)</script>]]>${dot}`),
    'an instruction': `<?xml-stylesheet href="https://example.com/a.css"?>${svg(dot)}`,
    'an instruction inside': svg(`<?php echo 1 ?>${dot}`),
    'another encoding': `<?xml version="1.0" encoding="UTF-16"?>${svg(dot)}`,
    'a prefix': `<svg:svg xmlns:svg="http://www.w3.org/2000/svg" viewBox="0 0 1 1">${dot}</svg:svg>`,
    'an element with a prefix': svg('<x:script xmlns:x="http://www.w3.org/1999/xhtml"/>'),
    'an icon in it': svg(svg(dot)),
    'a text': svg(`<text>Free tokens</text>${dot}`),
    'words between shapes': svg(`${dot}Free tokens${dot}`),
    'no end': svg(dot).slice(0, -6),
    'no end of a tag': '<svg viewBox="0 0 16 16"><path d="M0 0"',
    'no end of a value': '<svg viewBox="0 0 16 16><path/></svg>',
    'no end of a comment': `<!-- ${svg(dot)}`,
    'another end': '<svg viewBox="0 0 16 16"><g><path d="M0 0"/></svg></g>',
    'more after its end': `${svg(dot)}<script>alert(1)</script>`,
    'two icons': svg(dot) + svg(dot),
    'an attribute twice': svg('<circle r="3" r="4"/>'),
    'an attribute without quotes': svg('<circle r=3/>'),
    'an attribute without a value': svg('<circle r/>'),
    'attributes without a space': svg('<circle r="3"cx="4"/>'),
    'a size that is none': svg('<rect width="NaN" height="4"/>'),
    'an endless size': svg('<rect width="Infinity" height="1e999"/>'),
    'a huge coordinate': svg('<path d="M0 0L1e9 1"/>'),
    'a long number': svg(`<path d="M0 0L${'9'.repeat(400)} 1"/>`),
    'a view box of nothing': '<svg viewBox="0 0 0 16"><path d="M0 0"/></svg>',
    'a view box with words': '<svg viewBox="0 0 a 16"><path d="M0 0"/></svg>',
    'five numbers in its view box': '<svg viewBox="0 0 16 16 16"><path d="M0 0"/></svg>',
    'no size': '<svg width="1em" height="1em"><path d="M0 0"/></svg>',
    'a path of words': svg('<path d="M0 0 javascript:alert(1)"/>'),
    'a path that closes its tag': svg('<path d="M0 0"><script/></path>'),
    'a transform that isn’t one': svg('<g transform="expression(alert(1))"><path d="M0 0"/></g>'),
    dashes: svg('<circle r="3" stroke-dasharray="0.0001"/>'),
    'no shape': svg('<g></g>'),
    nothing: '',
    'a zero byte': svg(`${dot}\0`),
  };
  for (const [what, text] of Object.entries(enemies)) {
    it(`isn’t drawn with ${what}`, () => {
      assert.throws(() => clean(text), IconFault);
    });
  }

  it('is UTF-8, with or without a mark', () => {
    assert.ok(clean(`\uFEFF${svg(dot)}`).includes('<circle'));
    for (const bytes of [
      Buffer.from(`\uFEFF${svg(dot)}`, 'utf16le'),
      Buffer.from(svg(dot), 'utf16le'),
      Buffer.from([0x3c, 0xff, 0xfe]),
    ]) {
      assert.throws(() => cleanIcon(bytes), IconFault);
    }
  });

  it('is refused in no time, whatever it repeats', () => {
    const most = (text: string): string =>
      text.repeat(Math.floor((mostIconBytes - 200) / text.length));
    for (const text of [
      svg(`<path d="${most('1e')}"/>`),
      svg(`<path d="M${most('.')}!"/>`),
      `<svg ${most(' ')}`,
      `<svg${most(' a="')}`,
      svg(`<path ${most('a =\n')}`),
      svg(`<g transform="${most(' ')}x">${dot}</g>`),
      svg(most('<g>')),
      most('<!---->'),
      svg(most('</g>')),
      svg(`<circle r="${most('9')}x"/>`),
    ]) {
      assert.throws(() => clean(text), IconFault);
    }
  });
});
