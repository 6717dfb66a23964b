import type { ShortSession } from './shortSession';

/** Short sessions of the past weeks, newest first. */
export const shortRecent: readonly ShortSession[] = [
  {
    title: 'Name for the new loyalty programme',
    ask: 'We want a loyalty programme. Ideas for a name? It should sound like plants, not like airlines.',
    reply:
      'Three that say what they are:\n\n- **Ring by Ring**: a ring for every order, as a tree grows\n- **Perennials**: for those who come back every year\n- **The Greenhouse**: you get in, and it is warmer there',
  },
  {
    title: 'Add a "back in stock" mail',
    ask: 'Customers should be able to leave their e-mail address on a sold-out product.',
    read: ['src/catalog/stock.ts', 27],
    edit: [
      'src/catalog/stock.ts',
      'await stock.set(productId, count);',
      "await stock.set(productId, count);\nif (count > 0) {\n  await queue.add('backInStock', { productId });\n}",
    ],
    reply:
      'When the stock of a product rises above zero, a job writes to everyone who waits for it, **once**. The form on the page comes next, if you like the texts.',
  },
  {
    title: 'Focus ring is invisible on the green buttons',
    ask: 'A tester with keyboard says that she cannot see where she is on the checkout page.',
    edit: [
      'styles/buttons.css',
      'button:focus { outline: none; }',
      'button:focus-visible {\n  outline: 2px solid var(--ink);\n  outline-offset: 2px;\n}',
    ],
    reply:
      'The ring was switched off for mouse users, and for everyone else with them. Now it shows for the keyboard only, dark on green, 7.4 : 1.',
  },
  {
    title: 'Write release notes for 4.12',
    ask: 'Write the release notes for version 4.12 from the commits since 4.11, for customers.',
    run: ['git log --oneline v4.11..v4.12', '14 commits'],
    reply:
      '## What is new in 4.12\n\n- You can pay by instant transfer.\n- The cart remembers what you put in for 30 days.\n- Pictures are sharp on every screen.\n\nFixed: a coupon could be used twice when two tabs were open.',
  },
  {
    title: 'Why is `npm ci` so slow on the build server?',
    ask: 'npm ci takes four minutes on the build server and twenty seconds here. Why?',
    run: ['npm config get cache', '/tmp/npm-cache-7f3a'],
    reply:
      'The cache is a new folder in every build, so everything is downloaded again. Set `npm_config_cache` to a folder that stays, and it takes about half a minute.',
  },
  {
    title: 'Flaky test: "sends the order once"',
    ask: 'This test fails about every tenth time. Please find out why.',
    read: ['src/orders/send.test.ts', 63],
    edit: [
      'src/orders/send.test.ts',
      'await sleep(50);\nassert.equal(sent.length, 1);',
      "await once(queue, 'idle');\nassert.equal(sent.length, 1);",
    ],
    reply: 'It slept for 50 ms and hoped. It waits for the queue now. 500 runs, no failure.',
  },
  {
    title: 'Free shipping from 50: which total counts?',
    ask: 'Does free shipping count before or after the discount? Support asks every week.',
    read: ['src/shipping/rate.ts', 18],
    reply:
      'After the discount, with tax, without gift cards. I put that into the FAQ in one sentence.',
  },
  {
    title: 'Split the settings page',
    ask: 'The settings page has 900 lines. Split it into one file per section, please.',
    edit: [
      'src/ui/settings/Settings.tsx',
      '// 900 lines',
      'export function Settings() {\n  return (\n    <>\n      <ShopSection />\n      <TaxSection />\n      <ShippingSection />\n      <MailSection />\n    </>\n  );\n}',
    ],
    reply:
      'Four sections, four files, none over 260 lines. No behavior changed; the tests are the same.',
  },
  {
    title: 'Upgrade to Node 22',
    ask: 'What would it take to go from Node 20 to 22?',
    run: ['npx mocha', '412 passing (6s)'],
    reply:
      'Little: `engines`, the build image, and one place that used `punycode`. All tests pass on 22. Memory of the server falls by about 8 %.',
  },
  {
    title: 'Warenkorb leert sich nach dem Login',
    ask: 'Wenn ich mich im Warenkorb anmelde, ist er danach leer. Woran liegt das?',
    read: ['src/cart/session.ts', 44],
    edit: [
      'src/cart/session.ts',
      'session.cart = account.cart;',
      'session.cart = merge(account.cart, session.cart);',
    ],
    reply:
      'Beim Anmelden ersetzte der gespeicherte Warenkorb den gerade gefüllten. Jetzt werden beide vereint; was doppelt ist, zählt einmal mit der größeren Menge.',
  },
  {
    title: 'Rate limit for the login',
    ask: 'Somebody is trying passwords. Please limit the login to a few attempts.',
    edit: [
      'src/account/login.ts',
      null,
      'export const loginLimit = rateLimit({ perAddress: 20, perAccount: 5, windowMinutes: 15 });\n',
    ],
    reply:
      'Five attempts per account and twenty per address in a quarter of an hour. The answer is the same for a wrong password and for too many attempts, so nobody learns which accounts exist.',
  },
  {
    title: 'Delete the unused feature flags',
    ask: 'Which feature flags does nobody use any more? Delete them.',
    run: [
      'rg -o "flag\\(\'[a-z-]+\'\\)" src | sort | uniq -c',
      "   3 flag('gift-wrap')\r\n   1 flag('new-search')",
    ],
    reply:
      'Eleven of thirteen flags were never asked for. Gone, with 340 lines that could not run.',
  },
  {
    title: 'Make the product page faster on phones',
    ask: 'The product page takes four seconds on a phone. What is the cheapest improvement?',
    run: ['npx size-limit', 'product.js  412 kB  (limit 200 kB)'],
    reply:
      'The date library: 212 kB for one *"delivered on Tuesday"*. `Intl.DateTimeFormat` does the same and is in the browser already. That alone saves 1.1 s.',
  },
  {
    title: 'Gift cards: can one be used in two orders?',
    ask: 'If a gift card covers more than the order, what happens to the rest?',
    read: ['src/payments/giftCard.ts', 52],
    reply:
      'It stays on the card. But two orders at the same moment can both use it: the balance is read and written in two steps. Shall I put that into one statement?',
  },
  {
    title: 'Explain this regular expression',
    ask: 'What does this do? `^(?=.*\\d)(?!.*(.)\\1{2}).{10,}$`',
    reply:
      'A password check: at least ten characters, at least one digit, no character three times in a row. Passphrases fail it for want of a digit; length alone would be the better rule.',
  },
  {
    title: 'Dark mode for the shop',
    ask: 'How much work is a dark mode?',
    run: [
      "rg -c '#[0-9a-f]{3,6}' styles | sort -t: -k2 -nr | head -3",
      'styles/product.css:41\r\nstyles/cart.css:29\r\nstyles/base.css:22',
    ],
    reply:
      'The colors are the work: 131 of them are written out. With some twenty variables it is two days, and a third one for the pictures with white backgrounds.',
  },
  {
    title: 'Index for the orders page',
    ask: 'The orders page of the back office takes nine seconds. Here is the plan of the query.',
    edit: [
      'db/migrations/0047_orders_by_day.sql',
      null,
      'CREATE INDEX CONCURRENTLY orders_by_day ON orders (placed_on DESC, id DESC);\n',
    ],
    run: [
      'psql -f explain.sql',
      ' Index Scan using orders_by_day on orders  (actual time=0.04..1.9 rows=50)',
    ],
    reply:
      'It sorted 1.4 million rows to show fifty. With the index it reads fifty: 9.2 s before, 2 ms now.',
  },
  {
    title: 'お届け日の表示がずれる',
    ask: '日本のお客様から、お届け日が一日ずれて表示されると連絡がありました。',
    read: ['src/shipping/deliveryDate.ts', 9],
    edit: [
      'src/shipping/deliveryDate.ts',
      'return date.toISOString().slice(0, 10);',
      "return formatDate(date, { timeZone: customer.timeZone, dateStyle: 'medium' });",
    ],
    reply: '日付が UTC で表示されていました。お客様のタイムゾーンで表示するように直しました。',
  },
  {
    title: 'Log requests without personal data',
    ask: 'Our logs contain e-mail addresses. They should not.',
    edit: [
      'src/server.ts',
      'log.info(request.url);',
      'log.info({ path: request.path, status: response.status, ms: elapsed });',
    ],
    reply:
      'The path without its query, the status, the time. Old logs: delete them after seven days.',
  },
  {
    title: 'Review: pull request "Coupons can expire"',
    ask: 'Please review the branch coupons-expire.',
    run: [
      'git diff --stat main...coupons-expire',
      ' 6 files changed, 141 insertions(+), 12 deletions(-)',
    ],
    reply:
      'Good to merge after one change.\n\n1. **`coupon.ts:31`** compares local time with UTC: a coupon dies up to two hours early.\n2. `expiresAt` could be indexed, but 200 rows do not need it.\n\nThe tests are clear, especially the one about the leap day.',
  },
  {
    title: 'Turn the README into something a new colleague can follow',
    ask: 'A new colleague starts on Monday. Is the README any good?',
    read: ['README.md', 1],
    edit: [
      'README.md',
      '## Setup\n\nSee wiki.',
      '## Start in five minutes\n\n1. `npm ci`\n2. `docker compose up -d db`\n3. `npm run seed`\n4. `npm run dev`, then open the address that it prints',
    ],
    reply:
      'I followed it in an empty folder: it lacked the database and the seed. Both are in now.',
  },
  {
    title: 'Which customers ordered twice lately?',
    ask: 'I need a list of customers with at least two orders in the last three months, for the thank-you letter.',
    reply:
      "```sql\nSELECT customer_id, count(*) AS orders\nFROM orders\nWHERE placed_on >= now() - interval '3 months' AND state <> 'cancelled'\nGROUP BY customer_id\nHAVING count(*) >= 2\nORDER BY orders DESC;\n```\n\n1,284 customers on the copy of Sunday.",
  },
  {
    title: 'CSV export with umlauts in Excel',
    ask: 'When accounting opens the export in Excel, "Müller" becomes "MÃ¼ller".',
    edit: [
      'src/export/csv.ts',
      'response.write(rows);',
      "response.write('\\uFEFF'); // Excel takes a file for UTF-8 only with this mark\nresponse.write(rows);",
    ],
    reply: 'Excel guesses. A mark at the start of the file tells it: Müller is Müller again.',
  },
  {
    title: 'Pin the base image',
    ask: 'The build broke over night although nobody changed anything.',
    edit: ['Dockerfile', 'FROM node:22', 'FROM node:22.11.0-bookworm-slim'],
    reply:
      '`node:22` moved to a new Debian. Pinned; the weekly job that proposes updates keeps it fresh.',
  },
  {
    title: 'Cookie banner: do we even need one?',
    ask: 'Do we need the cookie banner at all?',
    run: ["rg -n 'cookie' src --stats", '4 matches'],
    reply:
      'Two cookies: the session and the cart. Both are needed for what the person asked for, and neither goes to anyone else. I am no lawyer, but ask yours: probably not.',
  },
  {
    title: 'Storybook for the buttons only',
    ask: 'Can we have a page that shows all our buttons in all states?',
    edit: [
      'src/ui/Button.stories.tsx',
      null,
      "export const All = () => <Gallery of={Button} states={['idle', 'busy', 'disabled']} />;\n",
    ],
    reply: 'One page, 18 buttons. It already shows that *busy* and *disabled* look the same.',
  },
  {
    title: 'Cancel an order within an hour',
    ask: 'Customers should be able to cancel an order themselves during the first hour.',
    read: ['src/orders/state.ts', 12],
    reply:
      'The states allow it, as long as packing has not begun. I suggest: one hour **or** until packing, whichever is first, so that the warehouse never searches for a parcel that is not there.',
  },
  {
    title: 'Round corners everywhere, but the same',
    ask: 'We have radii of 3, 4, 5, 6 and 8 pixels. Make it one.',
    run: [
      "rg -o 'border-radius: \\d+px' styles | cut -d: -f3 | sort | uniq -c",
      '  12  3px\r\n  31  4px\r\n   4  5px\r\n  19  6px\r\n   2  8px',
    ],
    reply:
      'Sixty-eight places use `var(--radius)` now, which is 4 px. Change one line to change your mind.',
  },
  {
    title: 'Type errors after updating the compiler',
    ask: 'After the update of TypeScript there are 38 errors. Where do I begin?',
    run: ['npx tsc --noEmit', 'Found 38 errors in 9 files.'],
    reply:
      'Thirty-one come from one line: `catch (error)` is `unknown` now. Begin with `src/errors.ts`.',
  },
  {
    title: 'Search finds nothing for "monstera "',
    ask: 'With a blank at the end, the search finds nothing.',
    edit: [
      'src/search/normalize.ts',
      'return text.toLowerCase();',
      'return text.trim().toLowerCase();',
    ],
    reply: 'The blank became an empty word, which nothing begins with. Trimmed, with a test.',
  },
  {
    title: 'Backup restore, tried for real',
    ask: 'Has anybody ever restored one of our backups? Let us do that.',
    run: ['pg_restore --jobs 4 --dbname restore_test latest.dump', 'completed in 11m 40s'],
    reply:
      'It works: 11 minutes 40, all 1.4 million orders, the counts agree. Write that down and repeat it in autumn.',
  },
  {
    title: 'Keyboard shortcuts in the back office',
    ask: 'The warehouse wants to mark an order as packed without the mouse.',
    edit: [
      'src/backoffice/shortcuts.ts',
      null,
      "export const shortcuts = { p: 'markPacked', n: 'nextOrder', '?': 'showHelp' };\n",
    ],
    reply:
      '`p` packs and goes on to the next, `?` shows the list. They are off while somebody types.',
  },
  {
    title: 'Sitemap with pictures',
    ask: 'Our pictures do not turn up in image search.',
    edit: [
      'src/seo/sitemap.ts',
      'lines.push(urlOf(product));',
      'lines.push(urlOf(product), ...product.images.map(imageOf));',
    ],
    reply: 'The sitemap lists every picture with its caption now. Give it two weeks.',
  },
  {
    title: 'What does the cron job at 4:15 do?',
    ask: 'There is a job at 4:15 every night that nobody remembers.',
    run: ['crontab -l', '15 4 * * * /srv/fernway/bin/tidy'],
    reply:
      'It deletes carts older than 90 days. Useful, but it has failed since May: the disk it writes its log to is gone.',
  },
];
