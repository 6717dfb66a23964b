import assert from 'node:assert/strict';
import { isLocalAddress } from '../../../../../src/features/registry/model/localAddress';
import { checkAddress } from '../../../../../src/features/registry/model/registryAddress';

/** The addresses of version 6 that lead to one of version 4, which is given in hexadecimal. */
function leadingTo(high: string, low: string): readonly string[] {
  const [notHigh, notLow] = [high, low].map((part) =>
    (~Number.parseInt(part, 16) & 0xffff).toString(16),
  );
  return [
    ...[`::ffff:${high}:${low}`, `64:ff9b::${high}:${low}`, `2002:${high}:${low}::1`],
    `2001:0:808:808:0:0:${notHigh}:${notLow}`,
    `2001:0:${high}:${low}:0:0:f7f7:f7f7`,
    `2606:4700::200:5efe:${high}:${low}`,
  ];
}

const privates = [
  ...[leadingTo('7f00', '1'), leadingTo('a00', '1'), leadingTo('c0a8', '101')],
  ...[leadingTo('ac10', '1'), leadingTo('a9fe', 'a9fe'), leadingTo('6440', '1')],
].flat();

describe('an address that a registry names', () => {
  for (const address of [
    ...privates,
    ...['::', '::1', '::7f00:1', '::808:808', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:10.0.0.1'],
    ...['64:ff9b::10.0.0.1', '64:ff9b:1::808:808', '64:ff9b:1:a00:0:100::', '::ffff:0:7f00:1'],
    ...[
      'fe80::1',
      'fe80::1%eth0',
      'fe80::5efe:808:808',
      'fec0::1',
      'fc00::1',
      'fd12::1',
      'ff02::1',
    ],
    ...[
      '100::1',
      '2001:db8::1',
      '2001:2::1',
      '3fff::1',
      '5f00::1',
      '4000::1',
      'fe80::200:5efe:a00:1',
    ],
    ...['127.0.0.1', '10.1.2.3', '169.254.169.254', '0.0.0.0', '255.255.255.255', '224.0.0.1'],
    ...['', 'localhost', '1.2.3', '::g'],
  ]) {
    it(`SEC-50: is local, or none at all: ${JSON.stringify(address)}`, () => {
      assert.equal(isLocalAddress(address), true);
    });
  }

  for (const address of [
    ...leadingTo('808', '808'),
    ...['8.8.8.8', '2606:4700::1111', '2001:4860:4860::8888', '2a00:1450::1', '64:ff9b::1.1.1.1'],
    ...['::ffff:8.8.8.8', '2606:50c0:8000::153'],
  ]) {
    it(`is one of the internet: ${address}`, () => {
      assert.equal(isLocalAddress(address), false);
    });
  }

  it('SEC-50: is refused if its host has a local address, or is one, in whichever notation', async () => {
    for (const address of privates) {
      const check = async (to: string): Promise<URL> =>
        checkAddress(to, undefined, undefined, () => Promise.resolve(['8.8.8.8', address]));
      await assert.rejects(check('https://files.example/agent.zip'), /safe/, address);
      await assert.rejects(check(`https://[${address}]/agent.zip`), /safe/, address);
    }
  });
});
