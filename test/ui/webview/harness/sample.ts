import type { Entry } from '../../../../src/shared/transcript/entries';
import { agent, message, toolCall, user } from './entries';

const cart = `import { money } from './money';

/** What a customer pays, with taxes and discounts. */
export function total(items: readonly Item[], code?: string): number {
  const sum = items.reduce((all, item) => all + item.price * item.count, 0);
  const rate = 0.19; // the usual one
  return code === 'SPRING' ? sum * 0.9 * (1 + rate) : sum * (1 + rate);
}
`;

/** 160 by 80 pixels: a page with a button. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAKAAAABQCAIAAAARP+ljAAAAv0lEQVR42u3ZMQ0AIRBFQYRRowmJlFeghVDigBb2mOQp2Kl+No0x9eOSEwAWYAEWYAEWYAEGLMACrCDAOZdHAgwYMGDAgAEDBgwYMGDAgAVYgAVYgAVYgAELsAALsAALsAAD3tXap4MBBgwYMGDAAqyIwLKDBViABViAZSbFmjqAAQMGDBiwACsisOxgARZgARZgAQYswA8eq/arAgwYMGABBgwYMGDAgAEDBgwYsAADBizPBgEWYAEGLMACrOtayvTi/a8mSr0AAAAASUVORK5CYII=';

const testRun = [
  '\u001b[1m\u001b[44m RUN \u001b[0m \u001b[36mv3.2.1\u001b[0m /project/shop',
  '',
  ' \u001b[32m✓\u001b[0m src/money.test.ts \u001b[2m(4 tests)\u001b[0m 12ms',
  ' \u001b[31m❯\u001b[0m src/cart.test.ts \u001b[2m(3 tests | \u001b[0m\u001b[31m1 failed\u001b[0m\u001b[2m)\u001b[0m 31ms',
  '   \u001b[31m× applies the spring discount\u001b[0m',
  '     → expected \u001b[32m107.1\u001b[0m to be \u001b[31m107.10\u001b[0m',
  '',
  '\u001b[2m Test Files \u001b[0m \u001b[1m\u001b[31m1 failed\u001b[0m | \u001b[32m1 passed\u001b[0m',
].join('\n');

/** One session with entries of every kind, for the screenshots. */
export const sample: readonly Entry[] = [
  user(
    'The checkout shows `107.1` where it should say `107.10`. Can you find out why, and fix it? The rules are in docs/prices.md.',
  ),
  message(
    'thought',
    'The total is probably a plain number that is printed as it is. **Look at** `src/cart.ts` and at how the price is formatted before changing anything.',
  ),
  toolCall({
    title: 'Read src/cart.ts',
    toolKind: 'read',
    locations: [{ path: '/project/shop/src/cart.ts', line: 4 }],
    content: [{ type: 'content', block: { type: 'text', text: `\`\`\`ts\n${cart}\`\`\`` } }],
    rawInput: { path: 'src/cart.ts', limit: 200 },
  }),
  toolCall({
    title: '`rg "toFixed|formatPrice" src`',
    name: 'Bash',
    toolKind: 'search',
    content: [{ type: 'content', block: { type: 'text', text: 'src/money.ts:12' } }],
  }),
  agent(
    `The total is a plain number, so a trailing zero is lost as soon as it is printed. There are two places:

1. \`total()\` in [src/cart.ts](src/cart.ts#L4) returns a float;
2. the template prints it **without** a format.

| Where | Now | Should be |
|---|---:|---:|
| Checkout | 107.1 | 107.10 |
| Invoice | 107.10 | 107.10 |

The invoice does it right:

\`\`\`ts
export function formatPrice(cents: number, currency = 'EUR'): string {
  // Whole cents only: floats lose them.
  return new Intl.NumberFormat('de-DE', { style: 'currency', currency }).format(cents / 100);
}
\`\`\`

> Prices are kept in whole cents, never as floats. — *docs/prices.md*

- [x] find the cause
- [ ] keep cents in \`total()\`
- [ ] format in one place

See also <https://example.org/money> and [this command](command:workbench.action.quit).`,
  ),
  {
    kind: 'plan',
    items: [
      { content: 'Find where the price is printed', priority: 'high', status: 'completed' },
      { content: 'Keep whole cents in total()', priority: 'high', status: 'in_progress' },
      { content: 'Use formatPrice() in the checkout', priority: 'medium', status: 'pending' },
      { content: 'Mention it in the changelog', priority: 'low', status: 'pending' },
    ],
  },
  toolCall({
    title: 'Edit src/cart.ts',
    toolKind: 'edit',
    locations: [{ path: '/project/shop/src/cart.ts' }],
    content: [
      {
        type: 'diff',
        path: '/project/shop/src/cart.ts',
        oldText: cart,
        newText: cart
          .replace('item.price * item.count', 'item.cents * item.count')
          .replace('): number {', '): Cents {'),
      },
      {
        type: 'diff',
        path: '/project/shop/src/cents.ts',
        oldText: null,
        newText: '/** Whole cents. */\nexport type Cents = number;\n',
      },
    ],
  }),
  toolCall({
    title: 'npm test',
    name: 'Bash',
    toolKind: 'execute',
    status: 'failed',
    content: [
      { type: 'terminal', terminalId: 'term-1' },
      { type: 'content', block: { type: 'text', text: 'Command failed with exit code 1' } },
    ],
    terminalOutput: new Map([['term-1', testRun]]),
    rawInput: { command: 'npm test' },
    rawOutput: { exitCode: 1 },
  }),
  toolCall({ title: 'Fetch https://example.org/prices', toolKind: 'fetch', status: 'cancelled' }),
  toolCall({ title: 'Watch the tests', toolKind: 'execute', status: 'interrupted' }),
  {
    kind: 'compaction',
    compactionId: 'c1',
    status: 'completed',
    summary: [{ type: 'text', text: 'Prices move to whole cents; `total()` is done.' }],
  },
  {
    kind: 'user',
    blocks: [
      { type: 'text', text: 'This is how it looks in the shop:' },
      { type: 'image', mimeType: 'image/png', data: png },
      { type: 'resource_link', uri: 'file:///project/shop/docs/prices.md', name: 'prices.md' },
      { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' },
    ],
  },
  toolCall({ title: 'Run the checkout', toolKind: 'execute', status: 'in_progress' }),
  agent('Fixed: the checkout now says **107,10 €**. All 7 tests pass.'),
];
