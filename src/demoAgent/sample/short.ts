import type { ShortSession } from './shortSession';

/** Short sessions, newest first. */
export const short: readonly ShortSession[] = [
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
    title: 'Free shipping from 50: which total counts?',
    ask: 'Does free shipping count before or after the discount? Support asks every week.',
    read: ['src/shipping/rate.ts', 18],
    reply:
      'After the discount, with tax, without gift cards. I put that into the FAQ in one sentence.',
  },
  {
    title: 'Upgrade to Node 22',
    ask: 'What would it take to go from Node 20 to 22?',
    run: ['npx mocha', '412 passing (6s)'],
    reply:
      'Little: `engines`, the build image, and one place that used `punycode`. All tests pass on 22. Memory of the server falls by about 8 %.',
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
    title: 'Which customers ordered twice lately?',
    ask: 'I need a list of customers with at least two orders in the last three months, for the thank-you letter.',
    reply:
      "```sql\nSELECT customer_id, count(*) AS orders\nFROM orders\nWHERE placed_on >= now() - interval '3 months' AND state <> 'cancelled'\nGROUP BY customer_id\nHAVING count(*) >= 2\nORDER BY orders DESC;\n```\n\n1,284 customers on the copy of Sunday.",
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
    title: 'Cancel an order within an hour',
    ask: 'Customers should be able to cancel an order themselves during the first hour.',
    read: ['src/orders/state.ts', 12],
    reply:
      'The states allow it, as long as packing has not begun. I suggest: one hour **or** until packing, whichever is first, so that the warehouse never searches for a parcel that is not there.',
  },
  {
    title: 'Type errors after updating the compiler',
    ask: 'After the update of TypeScript there are 38 errors. Where do I begin?',
    run: ['npx tsc --noEmit', 'Found 38 errors in 9 files.'],
    reply:
      'Thirty-one come from one line: `catch (error)` is `unknown` now. Begin with `src/errors.ts`.',
  },
  {
    title: 'Backup restore, tried for real',
    ask: 'Has anybody ever restored one of our backups? Let us do that.',
    run: ['pg_restore --jobs 4 --dbname restore_test latest.dump', 'completed in 11m 40s'],
    reply:
      'It works: 11 minutes 40, all 1.4 million orders, the counts agree. Write that down and repeat it in autumn.',
  },
  {
    title: 'What does the cron job at 4:15 do?',
    ask: 'There is a job at 4:15 every night that nobody remembers.',
    run: ['crontab -l', '15 4 * * * /srv/fernway/bin/tidy'],
    reply:
      'It deletes carts older than 90 days. Useful, but it has failed since May: the disk it writes its log to is gone.',
  },
  {
    title:
      'Please go through every form of the shop (login, register, address, payment, newsletter, contact, returns, gift card) and check that each field has a label that screen readers can read, an autocomplete attribute, an error message next to it, and that Enter sends the form; then make a table of what is missing',
    ask: 'Please go through every form of the shop and check labels, autocomplete, errors and Enter.',
    reply:
      '| Form | Labels | Autocomplete | Errors | Enter |\n| :--- | :-: | :-: | :-: | :-: |\n| Login | ✓ | ✓ | ✓ | ✓ |\n| Address | ✓ | – | ✓ | ✓ |\n| Payment | ✓ | ✓ | ✓ | ✓ |\n| Newsletter | – | – | – | ✓ |\n| Returns | ✓ | – | – | – |\n\nThe newsletter has a placeholder instead of a label; returns need the most.',
  },
  {
    title: 'Rename "customer" to "buyer"? No.',
    ask: 'Marketing wants "buyer" everywhere. How many places would that touch?',
    run: ['rg -ic customer src | wc -l', '212'],
    reply:
      '212 files and eleven columns. I would change the 9 texts that people read, and nothing else.',
  },
  {
    title: 'Prices in Swiss francs',
    ask: 'Can we show prices in CHF for customers from Switzerland?',
    read: ['src/money/currency.ts', 5],
    reply:
      'To show them, yes: a rate per day and a rounding to five centimes. To *charge* them needs another account with the bank.',
  },
  {
    title: 'Remove moment.js',
    ask: 'Replace moment with something smaller.',
    run: ['npm uninstall moment', 'removed 1 package'],
    reply: 'Twenty-six places; `Intl` does twenty-four, and two needed a function of six lines.',
  },
  {
    title: 'Dead links in the care guides',
    ask: 'Check all links in the plant care guides.',
    run: ['node scripts/links.mjs content/care', '318 links, 7 dead'],
    reply:
      'Seven are dead; for five I found the new address. The two about orchids are gone for good.',
  },
  {
    title: 'Make a fixture of 50 orders',
    ask: 'I need fifty believable orders for the tests.',
    edit: ['test/fixtures/orders.ts', null, 'export const orders = seeded(42).orders(50);\n'],
    reply:
      'Fifty orders from one seed: the same every time, with refunds, gift cards and one from Réunion.',
  },
  {
    title: 'Warehouse labels print upside down',
    ask: 'Since the new printer arrived the labels are upside down.',
    edit: ['src/warehouse/label.ts', "zpl('^PON')", "zpl('^POI')"],
    reply: 'The new printer feeds from the other side. One letter: `^POI` turns the label.',
  },
  {
    title: 'Cache headers for pictures',
    ask: 'Browsers load all the pictures again on every visit.',
    edit: ['src/static.ts', 'serve(public)', "serve(public, { immutable: true, maxAge: '1y' })"],
    reply: 'Names contain a hash already, so a year is safe. The second visit loads 1.9 MB less.',
  },
  {
    title: 'Wish lists: public or private?',
    ask: 'Should wish lists be public by default?',
    reply:
      'Private. A person who wants to share can share in one click; a person who did not know can not take it back.',
  },
  {
    title: 'Compress API answers',
    ask: 'The product list is 800 kB of JSON.',
    edit: ['src/server.ts', 'app.use(json());', 'app.use(json());\napp.use(compression());'],
    reply: '800 kB become 74 kB. Half of the fields are never read, by the way.',
  },
  {
    title: 'Draw the order states',
    ask: 'Can you draw me how an order moves from state to state?',
    read: ['src/orders/state.ts', 1],
    reply:
      '```text\nnew ──▶ paid ──▶ packed ──▶ shipped ──▶ done\n │        │         │\n └────────┴──▶ cancelled    returned ◀── done\n```',
  },
  {
    title: 'Why do we have two HTTP clients?',
    ask: 'There is axios and there is fetch. Why?',
    run: ["rg -l 'axios' src | wc -l", '6'],
    reply:
      'Six old files use axios, for a retry that `fetchWithRetry()` does as well. An hour of work to have one.',
  },
  {
    title: 'Postgres 14 → 16',
    ask: 'What do we have to look at before the database upgrade?',
    run: ['pg_upgrade --check', '*Clusters are compatible*'],
    reply:
      'The check is clean. Plan for twenty minutes, and run `ANALYZE` at the end or every query is slow at first.',
  },
  {
    title: 'Two people edit one product',
    ask: 'When two of us edit a product, the second one wins silently.',
    edit: ['src/backoffice/save.ts', 'WHERE id = $1', 'WHERE id = $1 AND version = $2'],
    reply: 'The second one is told now, and sees both versions side by side.',
  },
  {
    title: 'Script to find unused CSS',
    ask: 'How much of our CSS does nobody use?',
    run: ['node scripts/unused-css.mjs', '1,204 of 3,377 rules unused'],
    reply: 'A third. 90 of those are set by scripts, so look before you delete.',
  },
  {
    title: 'Estimate: subscriptions for plant food',
    ask: 'Roughly, how big is a subscription feature?',
    reply:
      'Three weeks: one for the billing dates, one for failed payments, one for *pause, skip, cancel*. The last is the one that people judge you by.',
  },
  {
    title: 'Import 300 products from the old shop',
    ask: 'Import the products from legacy.csv, but show me first what would happen.',
    run: ['node scripts/import.mjs --dry-run legacy.csv', '287 new, 9 changed, 4 without a price'],
    reply:
      '287 are new, nine change a price. Four have no price; I would leave those out. Say *go* and I run it.',
  },
  {
    title: 'Delivery slots across midnight',
    ask: 'A slot from 22 to 1 o’clock is shown as negative.',
    edit: ['src/shipping/slot.ts', 'return end - start;', 'return (end - start + 24) % 24;'],
    reply: 'Three hours now, not minus twenty-one.',
  },
  {
    title: 'One log line per request',
    ask: 'There are six log lines per request. One would do.',
    read: ['src/log.ts', 14],
    reply: 'One line at the end, with all that the six said. The log shrinks to a fifth.',
  },
  {
    title: 'Can we drop Internet Explorer? 😅',
    ask: 'Is anyone still using Internet Explorer?',
    reply: 'Eleven visits in a year, nine of them ours. Drop it: 38 kB of polyfills go with it.',
  },
  {
    title: 'Explain the deploy script to me',
    ask: 'What does deploy.sh do, step by step?',
    read: ['ops/deploy.sh', 1],
    reply:
      '1. builds the image\n2. runs migrations, which only ever add\n3. starts the new version beside the old\n4. moves the traffic when it answers\n5. stops the old one after ten minutes',
  },
  {
    title: 'Terms page: keep old versions',
    ask: 'Legal wants to see which terms a customer agreed to.',
    edit: ['src/legal/terms.ts', 'agreed: true', 'agreedTo: terms.version'],
    reply: 'Orders keep the version now. Old ones get the version of their day.',
  },
  {
    title: 'Memory grows until restart',
    ask: 'The server needs a restart every three days, or it runs out of memory.',
    run: ['node --heapsnapshot-signal=SIGUSR2 dist/server.js', 'snapshot written'],
    reply:
      'A `Map` of sessions that are never removed: 40,000 after three days. They expire after an hour now.',
  },
  {
    title: 'Shorter product addresses',
    ask: 'Can the addresses be /p/fern instead of /catalog/product/view/2231?',
    reply:
      'Yes, with the old ones redirecting for good. Two products are called *Fern*: the second becomes `fern-2`.',
  },
  {
    title: 'Count stock with a scanner',
    ask: 'Could the warehouse count with the scanner of a phone?',
    reply:
      'The browser can read bar codes on Android, not yet on iPhones. Your hand scanners type like keyboards: that works today.',
  },
  {
    title: 'Set up the new terraform state',
    ask: 'Move the state from the laptop to the bucket.',
    otherFolder: 'fernway-infra',
    run: ['terraform init -migrate-state', 'Successfully configured the backend "s3"!'],
    reply:
      'The state is in the bucket, with a lock. Delete the copy on the laptop: it has passwords in it.',
  },
  {
    title: 'Alarm when certificates end',
    ask: 'Warn us three weeks before a certificate ends.',
    otherFolder: 'fernway-infra',
    reply: 'Nine certificates are watched. The one of the printer ends on Friday.',
  },
  {
    title: 'Push messages when an order ships',
    ask: 'Send a push message when an order has shipped.',
    otherFolder: 'fernway-mobile',
    read: ['app/notifications.ts', 8],
    reply:
      'The app asks for permission after the first order, not at the start: then people know what for.',
  },
  {
    title: 'App crashes on old Android phones',
    ask: 'Crashes on Android 9, only there.',
    otherFolder: 'fernway-mobile',
    reply: '`Intl.PluralRules` is missing there. With the polyfill, 0.4 % fewer crashes.',
  },
  {
    title: 'Regex for Dutch postcodes',
    ask: 'A pattern for Dutch postcodes?',
    reply: '`/^[1-9]\\d{3} ?[A-Z]{2}$/`, and not SA, SD or SS at the end.',
  },
  {
    title: 'Shell: rename many files',
    ask: 'Rename all *.jpeg to *.jpg.',
    reply: '```bash\nfor file in *.jpeg; do mv -- "$file" "${file%.jpeg}.jpg"; done\n```',
  },
  {
    title: 'Is `==` ever right?',
    ask: 'Is there ever a reason for == ?',
    reply: '`x == null`, to mean *null or undefined*. Everything else: `===`.',
  },
  {
    title: 'Name of the month in Greek',
    ask: 'Ιούλιος ή Ιουλίου;',
    reply:
      'Μέσα σε ημερομηνία: «7 **Ιουλίου**». Μόνος του: «**Ιούλιος**». Το `Intl` ξέρει και τα δύο.',
  },
  {
    title: 'How do I mock the clock?',
    ask: 'The test depends on today’s date.',
    reply: 'Hand the clock in: `isExpired(coupon, now)`. Then there is nothing to mock.',
  },
  {
    title: 'First look at the code',
    ask: 'What is this project?',
    reply:
      'A shop for plants: a server in TypeScript, a database, pages drawn on the server. 41,000 lines, of which 13,000 are tests. Begin with `src/server.ts`.',
  },
];
