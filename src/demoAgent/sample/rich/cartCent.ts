import { textContent } from '../../turns/turn';
import { paint } from '../sampleTranscript';
import type { SampleSession } from '../shortSession';

const before = `export function lineTotal(line: CartLine): number {
  const discounted = line.priceCents * (1 - line.discount);
  return Math.round(discounted) * line.count;
}`;

const after = `export function lineTotal(line: CartLine): number {
  const fullCents = line.priceCents * line.count;
  return fullCents - Math.round(fullCents * line.discount);
}`;

const newTest = `it('takes a discount off the line, not off each piece', () => {
  const line = { priceCents: 1295, count: 3, discount: 0.1 };
  assert.equal(lineTotal(line), 3496);
});`;

const ticked = (test: string): string => `  ${paint('green', '✓')} ${paint('grey', test)}\r\n`;

const failing =
  ticked('an empty cart costs nothing') +
  `  ${paint('red', '1) takes a discount off the line, not off each piece')}\r\n\r\n` +
  `  ${paint('red', 'AssertionError: Expected values to be strictly equal: 3498 !== 3496')}\r\n`;

const passing =
  ticked('an empty cart costs nothing') +
  ticked('takes a discount off the line, not off each piece');

const steps = [
  ['Find where the discount is rounded', 'high'],
  ['Write a test that shows the lost cents', 'high'],
  ['Round once per line', 'high'],
  ['Run the tests of the cart', 'medium'],
] as const;

const answer = `Found and fixed. The discount was rounded **per piece** and then multiplied, so three pieces could be off by up to 1.5 cents.

### What was wrong

| | 3 × 12.95 less 10 % |
| :--- | ---: |
| Rounded per piece | 34.98 |
| Rounded per line | **34.96** |

### What I changed

- \`lineTotal()\` in \`src/cart/total.ts\` rounds once, at the end of the line.
- A new test in \`src/cart/total.test.ts\` holds that still.

\`taxOf()\` in \`src/invoice/tax.ts\` gets it right: it rounds **once per rate**, as an invoice should.

Orders that are already placed keep their total: it is stored with the order and isn't computed again.`;

/** The newest session, which a user opens first: a bug, from the report to the fix. */
export const cartCent: SampleSession = {
  title: 'Cart total is off by a cent or two with discounts',
  write: (transcript) => {
    transcript
      .user(
        'A customer writes that three ferns at 12.95 with the 10 % coupon cost 34.98 in the cart, but ' +
          'the coupon page promised 34.96. Can you find out why, and fix it?',
      )
      .think(
        '12.95 × 3 = 38.85, less 10 % is 34.965. So 34.96 or 34.97 depending on who rounds. 34.98 is ' +
          '11.66 × 3: somebody rounds the price of one piece and multiplies after.',
      )
      .tool({
        title: 'Think about who rounds',
        kind: 'think',
        content: [textContent('The cart, per piece; the coupon page, per line.')],
      })
      .say('The difference looks like rounding. I will look at how a line of the cart is added up.')
      .plan(0, steps)
      .search(
        'discount',
        { path: 'src/cart/total.ts', line: 8 },
        { path: 'src/cart/cart.ts', line: 28 },
        { path: 'src/coupons/coupon.ts', line: 17 },
      )
      .read('src/cart/total.ts', before, 8)
      .plan(1, steps)
      .say('There it is: `Math.round` sees one piece, not the line. First a test that shows it.')
      .edit('src/cart/total.test.ts', '', newTest, 23)
      .run('npx mocha src/cart', failing, 1)
      .plan(2, steps)
      .edit('src/cart/total.ts', before, after, 8)
      .plan(3, steps)
      .run('npx mocha src/cart', passing)
      .plan(4, steps)
      .say(answer)
      .usage(18_400);
  },
};
