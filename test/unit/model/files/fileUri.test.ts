import assert from 'node:assert/strict';
import { pathOfAttached, pathOfFileUri } from '../../../../src/model/files/fileUri';

describe('The path of a file’s URI', () => {
  it('is that of this machine', () => {
    assert.equal(pathOfFileUri('file:///tmp/a%20b', false), '/tmp/a b');
    assert.equal(pathOfFileUri('file://localhost/tmp/a', false), '/tmp/a');
    assert.equal(pathOfFileUri('file:///c%3A/a%20b', true), 'c:\\a b');
    assert.equal(pathOfFileUri('file:///C:/a/b', true), 'C:\\a\\b');
    assert.equal(pathOfFileUri('file://localhost/C:/a', true), 'C:\\a');
  });

  it('is none on another machine, without a drive, with encoded separators or another scheme', () => {
    for (const uri of [
      ...['file://host/share/a', 'file:////host/share/a', 'file://///host/share', 'file:///tmp/a'],
      ...['file:///%5C%5Chost%5Cshare', 'file:///c:/a%2Fb', 'file:///c:/a%5Cb', 'file:\\\\host\\a'],
      ...['file:///%3F%3F/C:/a', 'https://host/C:/a', 'C:\\a', '/tmp/a', ''],
    ]) {
      assert.equal(pathOfFileUri(uri, true), undefined, uri);
    }
    assert.equal(pathOfFileUri('file:////host/share/a', false), undefined);
  });

  it('SEC-34: is none if it can’t be decoded', () => {
    for (const uri of [
      'file:///%E0%A4%A',
      'file:///%zz',
      'file:///%',
      'file:///a%2Fb',
      'file://%zz/a',
    ]) {
      assert.equal(pathOfFileUri(uri), undefined, uri);
      assert.equal(pathOfAttached(uri), undefined, uri);
    }
    assert.equal(pathOfAttached('https://host/a'), undefined);
  });
});
