import type { DemoSettings } from '../store/demoSettings';
import type { Steps } from '../turns/turn';

const answer = `## Prices with tax, in one place

The shop adds tax in three places today. It is enough to do it **once**, when a price leaves the
catalog, and to carry the *rate* along for the invoice.

1. \`priceOf()\` returns net, rate and gross together.
2. The invoice splits the sum again, per rate:
   - the standard rate for pots and tools,
   - the reduced rate for plants and seeds.

\`\`\`ts
export function priceOf(netCents: number, rate: number): Price {
  return { netCents, rate, grossCents: Math.round(netCents * (1 + rate)) };
}
\`\`\`

With the rate $r$, rounded to whole cents:

$$
gross = \\left\\lfloor net \\cdot (1 + r) + \\tfrac{1}{2} \\right\\rfloor
$$

\`\`\`mermaid
flowchart LR
  Catalog -->|net, rate| P[priceOf]
  P --> Cart
  P --> Invoice
\`\`\`

The same in the report, which runs once a night:

\`\`\`sql
SELECT rate, sum(gross_cents - net_cents) AS tax_cents FROM order_lines GROUP BY rate;
\`\`\`

| Order | Before | After | Difference |
| :--- | ---: | ---: | ---: |
| Three pots, 10 % off | 32.06 | 32.05 | -0.01 |
| Mixed rates | 58.47 | 58.49 | +0.02 |

> Rounding once, at the end of a line, is what the tax office's own examples do.

- [x] Prices in the catalog
- [ ] Invoices of last year: leave them as they are

Read more about [how Markdown is written](https://commonmark.org/help/). ~~That was all.~~ That is all.`;

export const text = (model: DemoSettings['model']): Steps => [
  { say: model === 'fern' ? '**Done.** Add tax once.' : answer },
];
