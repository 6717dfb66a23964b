import type { Step, Steps, Subagent } from '../turns/turn';

const look = (title: string, kind: 'read' | 'search', output: string): Step => ({
  call: { title, kind },
  output,
});

const searcher: Subagent = {
  title: 'Find the callers',
  task: 'Find everything that calls `roundPrice`, and say what it passes.',
  steps: [
    look('Search for `roundPrice`', 'search', 'src/cart.ts:41\nsrc/invoice.ts:17'),
    look('Read src/cart.ts', 'read', 'const total = roundPrice(roundPrice(sum));'),
    { wait: 1500 },
    { say: 'Two callers. `src/cart.ts` rounds a price that is **already rounded**.' },
  ],
};

const test = "it('rounds', () => equal(price(1.005), 1.01));";

const reader: Subagent = {
  title: 'Read the oldest test',
  task: 'Read `test/cart.test.ts`.',
  steps: [
    look('Read test/cart.test.ts', 'read', test),
    { say: 'It has one price, and that has two digits only.' },
  ],
};

const command = 'npm test -- cart';

const tester: Subagent = {
  title: 'Check the tests',
  task: 'Run the tests of the cart, and say which of them would notice a price rounded twice.',
  steps: [
    {
      call: { title: command, kind: 'execute', input: { command } },
      asks: 'tests',
      output: '12 passing',
      then: [{ subagents: [reader] }, { say: 'All 12 tests pass, so none of them notices it.' }],
      refused: [{ say: 'I wasn’t allowed to run the tests.' }],
    },
  ],
};

export const subagents: Steps = [
  { say: 'I let two subagents look into this.' },
  { subagents: [searcher, tester] },
  { say: 'Both are done: **the price is rounded twice**, and one test misses that.' },
];
