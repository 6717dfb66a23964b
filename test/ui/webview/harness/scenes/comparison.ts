import type {
  ComparedSession,
  ToComparison,
} from '../../../../../src/shared/comparison/comparison';

const agents = ['Claude', 'Codex', 'Gemini', 'OpenCode'];
const checks = [
  { state: 'passed', isStale: false, text: 'Passed' },
  { state: 'failed', isStale: false, text: 'Failed' },
  { state: 'running', isStale: false, text: 'Running' },
  { state: 'passed', isStale: true, text: 'Passed before later changes' },
] as const;
const said = [
  '<b>Done</b>: the parser keeps the position of each token, and the three tests that failed pass.',
  'I am changing the lexer first, so that the parser doesn’t have to look back.',
  'The parser is fixed. I left the lexer as it is.',
  'All tests pass.',
];

/** Sessions of one prompt, and the files that they have changed. */
export function compared(count: 2 | 4): ToComparison {
  const sessions = agents.slice(0, count).map(
    (agent, index): ComparedSession => ({
      key: `${index}`,
      title: 'Fix the parser',
      agent,
      branch: `fix-the-parser/${agent.toLowerCase()}`,
      state: index === 1 ? 'Running' : 'At rest',
      mark: index === 1 ? 'running' : 'atRest',
      isRunning: index === 1,
      took: 185_000 * (index + 1),
      ...(index < 2 && { cost: { amount: 0.42 * (index + 1), currency: 'USD' } }),
      ...(checks[index] && { check: checks[index] }),
      ...(said[index] !== undefined && { said: said[index] }),
      hasSession: true,
      files: 3 - (index % 2),
      lines: { added: 120 - 30 * index, removed: 8 + index },
    }),
  );
  const cells = (...lines: readonly (readonly [number, number] | undefined)[]) =>
    lines
      .slice(0, count)
      .map((line) => (line === undefined ? null : { added: line[0], removed: line[1] }));
  return {
    type: 'compared',
    tops: sessions.map(({ key }) => `/invented/${key}`),
    sessions,
    files: [
      { name: 'src/parser.ts', cells: cells([80, 4], [60, 9], [12, 2], [30, 11]) },
      { name: 'test/parser.test.ts', cells: cells([36, 0], undefined, [48, 0], undefined) },
      {
        name: 'src/lexer/a/rather/long/path/to/tokens.ts',
        cells: cells([4, 4], [30, 0], undefined, undefined),
      },
    ],
    left: 0,
  };
}
