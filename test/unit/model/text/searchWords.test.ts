import assert from 'node:assert/strict';
import { matchTexts } from '../../../../src/features/search/model/searchSnippet';
import { fold, getWords, parseQuery } from '../../../../src/model/text/searchWords';
import { fc } from '../../../support/properties';

const words = (text: string): string[] => [...getWords(text)];

describe('words of the search index', () => {
  it('are without case, accents and signs, each once', () => {
    assert.deepEqual(words('Naïve naive src/Line_splitter.ts c++').sort(), [
      'c',
      'line',
      'naive',
      'splitter',
      'src',
      'ts',
    ]);
    assert.deepEqual(words('Łódź Ærøskøbing đường ILIK ılık').sort(), [
      'duong',
      'ilik',
      'lodz',
      'æroskobing',
    ]);
    assert.deepEqual(words('解析 ok'), ['解', '析', 'ok']);
    assert.deepEqual(words('x'.repeat(100)), ['x'.repeat(40)]);
  });

  it('keeps every place where it was when it folds', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0x10ffff)), (points) => {
        const text = String.fromCodePoint(...points);
        return fold(text).length === text.length;
      }),
    );
  });

  it('finds in any text whatever was copied from it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), (text) => {
        const query = parseQuery(`${text.replaceAll('"', ' ')} `);
        const normal = text.normalize('NFC');
        const has = getWords(normal);
        return query?.words.every((word) => has.has(word)) ?? true;
      }),
    );
  });

  it('lets the last word go on, unless it was ended', () => {
    assert.equal(parseQuery('foo ba')?.prefix, 'ba');
    assert.equal(parseQuery('foo ba ')?.prefix, undefined);
    assert.equal(parseQuery('"foo ba"')?.prefix, undefined);
    assert.equal(parseQuery('"foo ba')?.prefix, 'ba');
    assert.deepEqual(parseQuery('src/mod')?.words, ['src']);
    assert.equal(parseQuery('-- ++'), undefined);
  });
});

describe('the text shown for a match', () => {
  const shown = (texts: readonly string[], typed: string) => {
    const query = parseQuery(typed);
    assert.ok(query);
    return matchTexts(texts, query);
  };

  it('is the text around the first word', () => {
    const text = `${'before '.repeat(20)}the needle ${'after '.repeat(50)}`;
    const [match] = shown(['nothing', text], 'needle');
    assert.equal(match?.at, 1);
    assert.match(match.snippet, /^…before .*the needle after/);
    assert.ok(match.snippet.length < 200);
  });

  it('is an entry with all words, else the one with most of them, else nothing', () => {
    assert.deepEqual(
      shown(['alpha beta', 'alpha', 'beta alpha'], 'alpha beta').map(({ at }) => at),
      [0, 2],
    );
    const near = shown(['gamma', 'alpha beta'], 'alpha beta gamma ');
    assert.deepEqual(
      near.map(({ at, whole }) => [at, whole]),
      [[1, false]],
    );
    assert.deepEqual(shown(['alpha'], 'alpha beta'), []);
    assert.deepEqual(shown(['ab/cd'], '"ab cd"'), []);
  });
});
