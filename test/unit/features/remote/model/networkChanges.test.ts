import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { watchNetwork } from '../../../../../src/features/remote/model/networkChanges';

describe('the network of this machine', () => {
  it('may be back when its addresses have changed, or when it has slept, and is no longer looked at then', () => {
    mock.timers.enable({ apis: ['setInterval', 'Date'] });
    let [addresses, told] = ['wifi 10.0.0.2', 0];
    const watching = watchNetwork(
      () => told++,
      () => addresses,
    );
    try {
      for (let passed = 0; passed < 60_000; passed += 2_000) {
        mock.timers.tick(2_000);
      }
      assert.equal(told, 0);
      addresses = '';
      mock.timers.tick(2_000);
      addresses = 'wifi 10.0.0.3';
      mock.timers.tick(2_000);
      assert.equal(told, 2);
      mock.timers.tick(3_600_000);
      assert.ok(told > 2, 'nothing was looked at for an hour');
      const before = told;
      watching.dispose();
      addresses = '';
      mock.timers.tick(60_000);
      assert.equal(told, before);
    } finally {
      watching.dispose();
      mock.timers.reset();
    }
  });
});
