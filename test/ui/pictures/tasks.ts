import path from 'node:path';
import { editsLikeClaude, endOfTurn } from '../../fakeAgent/changes';
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

/** The id of a session that can't be loaded. */
export const unreadable = 'unreadable';

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
  const edit = {
    ...{ kind: 'edit', status: 'pending' },
    locations: [{ path: file, line: 27 }],
    content: [{ type: 'diff', path: file, oldText: oldCart, newText: newCart }],
  };
  const title = 'Edit src/cart/cart.ts';
  return [
    commands,
    titled('Expired coupons'),
    read('coupon', folder, 'src/coupons/coupon.ts', 13),
    say(
      '`findCoupon()` refuses a coupon that has expired, but the cart takes any discount that it is given. ' +
        'It should get the coupon instead, and check it.',
    ),
    { update: update.toolCall('cart', title, edit) },
    {
      request: 'session/request_permission',
      params: {
        sessionId: '$sessionId',
        toolCall: { toolCallId: 'cart', title, ...edit },
        options,
      },
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
    titled('Limit discounts'),
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
  titled('Deploy to staging'),
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

/** Steps that end when another tab is shown. */
const explain: readonly Step[] = [
  titled('How search ranks'),
  say('By the weight of the field that matches, '),
  { waitMs: 8_000 },
  say('then by sales: `src/search/weight.ts` has the numbers.'),
  endOfTurn,
];

const oldCheck = "  if (!form.email.includes('@')) {\n";

/** How an agent checks addresses in its worktree, and what it says about that. */
export interface Check {
  readonly worktree: string;
  readonly newText: string;
  readonly says: string;
}

function checkEmails({ worktree, newText, says }: Check): readonly Step[] {
  const below = "    problems.push('Please check your e-mail address');\n  }\n";
  return [
    titled('Check e-mails'),
    { waitMs: beforeWork },
    read('form', worktree, 'src/checkout/checkout.ts', 26),
    ...editsLikeClaude(
      'edit',
      path.join(worktree, 'src/checkout/checkout.ts'),
      { oldText: oldCheck, newText },
      { above: '  }\n', below, line: 25 },
    ),
    ran('tests', 'npm test', '  41 passing (310ms)\n'),
    say(says),
    endOfTurn,
  ];
}

/** An agent that follows the script in a folder, and has these sessions, of which one can't be loaded. */
export function actor(folder: string, sessions: readonly Json[], check?: Check): object {
  return fakeAgent({
    initialize: ableInitialize,
    sessions,
    replays: { [unreadable]: [{ error: { code: -32603, message: 'The file is damaged' } }] },
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
      ...(check && { Refuse: checkEmails(check) }),
    },
  });
}

function option(category: string, ...names: readonly string[]): Json {
  return {
    ...{ type: 'select', id: category, name: category, category, currentValue: names[0] ?? '' },
    options: names.map((name) => ({ value: name, name })),
  };
}

/** A row of a list, changed so many hours ago. */
export function sessionRow(cwd: string, title: string, hours: number, sessionId = title): Json {
  const updatedAt = new Date(Date.now() - hours * 3_600_000).toISOString();
  return { sessionId, cwd, title, updatedAt };
}
