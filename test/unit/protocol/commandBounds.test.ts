import assert from 'node:assert/strict';
import { hiddenChange } from '../../../src/protocol/commandBounds';

describe('variables that change unseen what a command runs', () => {
  const environment = { Path: 'C:\\Windows', HOME: 'C:\\Users\\ada' };

  it('TE-2: on Windows are the same in any case', () => {
    const windows = { platform: 'win32', environment } as const;
    assert.equal(hiddenChange({ PATH: 'C:\\Windows', Home: 'x' }, windows), undefined);
    assert.equal(hiddenChange({ path: 'C:\\evil' }, windows), 'path');
    assert.equal(hiddenChange({ SystemRoot: 'C:\\evil' }, windows), 'SystemRoot');
    assert.equal(hiddenChange({ ComSpec: 'C:\\evil.exe' }, windows), 'ComSpec');
  });

  it('TE-2: on other systems differ by their case', () => {
    const linux = { platform: 'linux', environment } as const;
    assert.equal(hiddenChange({ PATH: 'C:\\Windows' }, linux), 'PATH');
    assert.equal(hiddenChange({ Path: 'C:\\Windows' }, linux), undefined);
  });
});
