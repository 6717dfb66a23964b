import assert from 'node:assert/strict';
import {
  conformancePage,
  idsOf,
  rulesOfProtocol,
  securityPage,
  securityPromises,
  testsById,
} from '../../scripts/registers.mjs';

describe('the registers of rules and promises', () => {
  const tests = testsById();

  it('have a test for each rule of the protocol, or say why there is none', () => {
    const open = Object.entries(rulesOfProtocol()).filter(
      ([id, { note }]) => !note && !tests.has(id),
    );
    assert.deepEqual(open, []);
  });

  it('have a test for each promise of docs/security.md', () => {
    const promises = securityPromises();
    assert.ok(Object.keys(promises).length > 150);
    assert.deepEqual(
      Object.keys(promises).filter((id) => !tests.has(id)),
      [],
    );
  });

  it('are pages with the tests in them', () => {
    assert.match(conformancePage(), /\| LIST-7 \| .* \| `test\/unit\/.*\.test\.ts` \|/);
    assert.match(securityPage(), /\| SEC-1 \| .* \| `test\/unit\/.*\.test\.ts` \|/);
  });

  it('count ids of version 2 of the protocol for that version only', () => {
    assert.deepEqual(
      idsOf('keeps it (V2-NOTICE-1, V2-MSG-2 to V2-MSG-4, MSG-5, INIT-1 to INIT-2)'),
      [...['V2-NOTICE-1', 'V2-MSG-2', 'V2-MSG-3', 'V2-MSG-4'], ...['MSG-5', 'INIT-1', 'INIT-2']],
    );
  });
});
