import path from 'node:path';
import { editsLikeClaude, endOfTurn, writesAlone } from '../../fakeAgent/changes';
import { ableInitialize, fakeAgent, type Json, type Step, update } from '../../fakeAgent/scenario';

/*
 * What the agents do in the pictures of README.md and docs/guide, by the first word of the prompt.
 */

const say = (text: string): Step => ({ update: update.agent(text) });
const titled = (title: string): Step => ({ update: update.title(title) });

const commands: Step = {
  update: {
    sessionUpdate: 'available_commands_update',
    availableCommands: [
      { name: 'review', description: 'Review changes', input: { hint: 'what to review' } },
      { name: 'plan', description: 'Plan first, change nothing' },
    ],
  },
};

/** The time in ms after which the files have been recorded. */
const beforeWork = 3_000;

const options: Json = [
  { optionId: 'once', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'always', name: 'Always allow in this session', kind: 'allow_always' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];

function read(id: string, folder: string, file: string, line: number): Step {
  return {
    update: update.toolCall(id, `Read ${file}`, {
      ...{ kind: 'read', status: 'completed' },
      locations: [{ path: path.join(folder, file), line }],
    }),
  };
}

function ran(id: string, command: string, output: string): Step {
  return {
    update: update.toolCall(id, command, {
      ...{ kind: 'execute', status: 'completed', rawInput: { command } },
      content: [{ type: 'content', content: { type: 'text', text: output } }],
    }),
  };
}

const oldCart = `  applyCoupon(discount: number): void {
    for (const [productId, line] of this.#lines) {
      this.#lines.set(productId, { ...line, discount });
    }
  }`;

const newCart = `  applyCoupon(coupon: Coupon, now: number): void {
    const discount = isValid(coupon, now) ? discountOf(coupon) : 0;
    for (const [productId, line] of this.#lines) {
      this.#lines.set(productId, { ...line, discount });
    }
  }`;

/** Ends with a question. */
function coupons(folder: string): readonly Step[] {
  const file = path.join(folder, 'src/cart/cart.ts');
  return [
    commands,
    titled('Expired coupons still lower the total'),
    read('coupon', folder, 'src/coupons/coupon.ts', 13),
    say(
      '`findCoupon()` refuses a coupon that has expired, but the cart takes any discount that it is given. ' +
        'It should get the coupon instead, and check it.',
    ),
    {
      update: update.toolCall('cart', 'Edit src/cart/cart.ts', {
        ...{ kind: 'edit', status: 'pending' },
        locations: [{ path: file, line: 27 }],
        content: [{ type: 'diff', path: file, oldText: oldCart, newText: newCart }],
      }),
    },
    {
      request: 'session/request_permission',
      params: { sessionId: '$sessionId', toolCall: { toolCallId: 'cart' }, options },
      wait: true,
    },
    { editFile: file, oldText: oldCart, newText: newCart },
    { update: update.toolCallUpdate('cart', { status: 'completed' }) },
    say('The cart takes only coupons that are valid now.'),
    endOfTurn,
  ];
}

const oldTotal = `export function lineTotal(line: CartLine): number {
  const fullCents = line.priceCents * line.count;
  return fullCents - Math.round(fullCents * line.discount);
`;

const newTotal = `/** Larger discounts are mistakes. */
const most = 0.8;

export function lineTotal(line: CartLine): number {
  const fullCents = line.priceCents * line.count;
  const discount = Math.min(line.discount, most);
  return fullCents - Math.round(fullCents * discount);
`;

const oldTest = `    assert.equal(lineTotal(line), 3496);
  });
`;

const newTest = `${oldTest}
  it('takes 80 % off at most', () => {
    const line = { priceCents: 1000, count: 1, discount: 0.9 };
    assert.equal(lineTotal(line), 200);
  });
`;

/** Changes two files. */
function discounts(folder: string): readonly Step[] {
  const total = path.join(folder, 'src/cart/total.ts');
  const test = path.join(folder, 'src/cart/total.test.ts');
  const hunk = { above: '', below: '' };
  return [
    titled('Limit discounts to 80 %'),
    { waitMs: beforeWork },
    ...editsLikeClaude(
      'edit-1',
      total,
      { oldText: oldTotal, newText: newTotal },
      { ...hunk, line: 8 },
    ),
    ...editsLikeClaude(
      'edit-2',
      test,
      { oldText: oldTest, newText: newTest },
      { ...hunk, line: 25 },
    ),
    ran('tests', 'npx mocha src/cart', '  5 passing (9ms)\n'),
    say('Discounts above **80 %** count as 80 % now. A test in `src/cart/total.test.ts` shows it.'),
    endOfTurn,
  ];
}

/** Waits for an answer. */
const deploy: readonly Step[] = [
  titled('Deploy 4.12 to staging'),
  say('All tests pass. I would deploy it now.'),
  {
    update: update.toolCall('deploy', 'npm run deploy -- --env staging', {
      ...{ kind: 'execute', status: 'pending' },
      rawInput: { command: 'npm run deploy -- --env staging' },
    }),
  },
  {
    request: 'session/request_permission',
    params: { sessionId: '$sessionId', toolCall: { toolCallId: 'deploy' }, options },
    wait: true,
  },
  endOfTurn,
];

/** Goes on until it is stopped. */
const upgrade: readonly Step[] = [
  titled('Upgrade to Node 24'),
  say('The image and the workflows name Node 22. I changed both, and run the tests.'),
  {
    update: update.toolCall('npm', 'npm test', {
      ...{ kind: 'execute', status: 'in_progress', rawInput: { command: 'npm test' } },
    }),
  },
  { waitForCancel: true },
  { result: { stopReason: 'cancelled' } },
];

/** Steps that only say something. */
const explain: readonly Step[] = [
  titled('How does the search rank products?'),
  say(
    'By the weight of the field that matches, then by sales: `src/search/weight.ts` has the numbers.',
  ),
  endOfTurn,
];

/** `text`: what the file has that each agent writes in its own worktree. */
function freeShipping(folder: string, text: string): readonly Step[] {
  return [
    titled('Free shipping from 50'),
    { waitMs: beforeWork },
    read('cart', folder, 'src/cart/cart.ts', 8),
    ...writesAlone('write', path.join(folder, 'src/checkout/shipping.ts'), text),
    ran('tests', 'npm test', '  41 passing (310ms)\n'),
    say('Orders of 50 and more are shipped for free. The total counts **after** discounts.'),
    endOfTurn,
  ];
}

/** An agent that follows the script in a folder; `worktree`: where it gets one for the prompt of several agents. */
export function actor(
  folder: string,
  worktree: string,
  text: string,
  sessions: readonly Json[] = [],
): object {
  return fakeAgent({
    initialize: ableInitialize,
    sessions,
    ownIds: true,
    setup: {
      configOptions: [
        option('mode', 'Ask first', 'Act', 'Plan only'),
        option('model', 'Oak', 'Fern', 'Redwood'),
      ],
    },
    commands: {
      Coupons: coupons(folder),
      Discounts: discounts(folder),
      Deploy: deploy,
      Upgrade: upgrade,
      How: explain,
      Ship: freeShipping(worktree, text),
    },
  });
}

function option(category: string, ...names: readonly string[]): Json {
  return {
    ...{ type: 'select', id: category, name: category, category, currentValue: names[0] ?? '' },
    options: names.map((name) => ({ value: name, name })),
  };
}
