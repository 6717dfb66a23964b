import { textContent } from '../../turns/turn';
import type { SampleSession } from '../shortSession';

const explanation = `# How search ranks products

Search is one SQL query. There is no search server, and for 4,000 products there need not be one.

## The way of a query

1. \`normalize()\` lower-cases the words and strips accents, so *crème* finds *creme*.
2. Each word becomes a prefix: \`fern pot\` turns into \`fern:* & pot:*\`.
3. Postgres finds the rows through the index on \`products.document\`.
4. A product's rank is the text rank, times its weight.

\`\`\`sql
SELECT id, name,
       ts_rank(document, query) * weight AS rank
FROM   products, to_tsquery('simple', $1) AS query
WHERE  document @@ query AND in_stock
ORDER  BY rank DESC, id
LIMIT  24 OFFSET $2;
\`\`\`

## What the weight is made of

| Part | Weight | Where it comes from |
| :--- | :---: | :--- |
| Sold in the last 30 days | 1.0 – 1.5 | \`sales_by_product\`, nightly |
| Has a picture | 1.1 | \`products.image_count\` |
| Few left | 0.8 | \`stock\`, at once |

The three are multiplied:

\`\`\`ts
export function weightOf(product: Product): number {
  const popular = 1 + Math.min(product.soldLast30Days, 50) / 100;
  const pictured = product.imageCount > 0 ? 1.1 : 1;
  const scarce = product.stock < 3 ? 0.8 : 1;
  return popular * pictured * scarce;
}
\`\`\`

## Worth knowing

- **Paging by offset** skips products when one sells out between two pages. Nobody has complained yet.
- Words of fewer than three letters match a *lot*: \`a\` returns 3,112 products.
- The stemmer is off on purpose (\`'simple'\`): with it, *potting soil* found *pots* first.`;

/** A question about the code: an answer to read, without a change. */
export const search: SampleSession = {
  title: 'How does the search rank products?',
  write: (transcript) => {
    transcript
      .user(
        'Can you explain how search results are ordered here? I have never looked at that part.',
      )
      .think('An explanation, not a change. I should read all of it before I say anything.')
      .search(
        'ts_rank',
        { path: 'src/search/query.ts', line: 18 },
        { path: 'db/migrations/0031_search.sql', line: 4 },
      )
      .read('src/search/query.ts', 'export const searchSql = `SELECT id, name, …`;', 16)
      .read('src/search/weight.ts', 'export function weightOf(product: Product): number { … }', 3)
      .tool({
        title: 'Think about what a reader needs first',
        kind: 'think',
        content: [textContent('The query, then the weight, then the surprises.')],
      })
      .say(explanation)
      .usage(27_300);
  },
};
