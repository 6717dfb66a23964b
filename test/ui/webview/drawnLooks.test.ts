import recorded from '../../fixtures/terminal/recorded.json';
import { pictureTest } from '../harness/screenshot';
import { agent, toolCall, user } from './harness/entries';
import { pictures, useTranscripts } from './harness/transcriptPage';

const output = `${recorded.pnpm}\u001b[32m✓\u001b[0m 日本語のテスト\u001b[20G\u001b[2m12 ms\u001b[0m
\u001b[32m✓\u001b[0m 🎉 done\u001b[20G\u001b[2m3 ms\u001b[0m`;

const answer = `The roots of $ax^2 + bx + c = 0$ are

$$
x_{1,2} = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a} \\qquad A = \\begin{pmatrix} 1 & 0 \\\\ 0 & 1 \\end{pmatrix} \\qquad f(x) = \\int_0^x e^{-t^2}\\,dt
$$

\`\`\`mermaid
flowchart LR
  A[Prompt] --> B{Allowed?}
  B -->|Yes| C[Run the tool]
  B -- No --> D[/Tell the agent/]
\`\`\`

\`\`\`mermaid
sequenceDiagram
  User->>Agent: session/prompt
  loop each update
    Agent-->>User: session/update
  end
\`\`\``;

describe('formulas, diagrams and screens of terminals', () => {
  const open = useTranscripts();

  pictureTest('are kept as pictures in wide and narrow tabs', async () => {
    for (const [name, width] of [
      ['wide', 900],
      ['narrow', 300],
    ] as const) {
      const { page } = await open({
        entries: [
          agent(answer),
          toolCall({
            title: 'npm test',
            toolKind: 'execute',
            content: [{ type: 'terminal', terminalId: 't1' }],
            terminalOutput: new Map([['t1', output]]),
          }),
          user('Look at this'),
          {
            kind: 'turn',
            outcome: {
              type: 'failed',
              canResend: true,
              failure: {
                code: 'imageRefused',
                title: 'Claude couldn’t process an image',
                detail:
                  'It said: “API Error: 400 Could not process image”. The image stays in the conversation, so further prompts would fail, too. A session that begins before it can continue.',
                actions: ['retry', 'showLog'],
              },
            },
          },
        ],
        session: { branches: { forks: [] } },
        viewport: { width, height: 1500 },
      });
      await page.getByRole('figure', { name: 'Diagram' }).nth(1).waitFor();
      await page.getByRole('figure', { name: 'Formula' }).hover();
      await pictures(page, `drawn-${name}`, [
        ...(['Dark Modern', 'Light Modern', 'Default High Contrast'] as const),
        'Default High Contrast Light',
      ]);
    }
  });
});
