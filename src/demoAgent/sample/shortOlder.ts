import type { ShortSession } from './shortSession';

/** Short sessions of earlier months, newest first. */
export const shortOlder: readonly ShortSession[] = [
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
    title: 'Retry failed mails',
    ask: 'When the mail server is down, mails are lost.',
    edit: [
      'src/email/send.ts',
      'await smtp.send(mail);',
      "await queue.add('mail', mail, { attempts: 8, backoff: 'exponential' });",
    ],
    reply: 'Mails go through the queue now: eight attempts within a day, then a line in the log.',
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
    title: 'Is our password hashing still fine?',
    ask: 'We use bcrypt with cost 10. Is that still good enough?',
    read: ['src/account/password.ts', 3],
    reply:
      'It is not broken, but 12 is what I would choose now. Hash again at the next login, then nobody notices.',
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
    title: '¿Por qué falla el test de impuestos en enero?',
    ask: 'El test de impuestos falla solo en enero. ¿Por qué?',
    read: ['src/invoice/tax.test.ts', 31],
    edit: [
      'src/invoice/tax.test.ts',
      'const year = new Date().getFullYear() - 1;',
      'const year = 2024;',
    ],
    reply:
      'El test usaba el año anterior, y en enero ese año tenía otra tasa. Ahora el año está escrito.',
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
    title: 'Newsletter: unsubscribe in one click',
    ask: 'Mail providers demand a one-click unsubscribe.',
    edit: [
      'src/email/newsletter.ts',
      'headers: {}',
      "headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }",
    ],
    reply: 'Header and route are there. The link in the text stays, for people.',
  },
  {
    title: 'Postgres 14 → 16',
    ask: 'What do we have to look at before the database upgrade?',
    run: ['pg_upgrade --check', '*Clusters are compatible*'],
    reply:
      'The check is clean. Plan for twenty minutes, and run `ANALYZE` at the end or every query is slow at first.',
  },
  {
    title: 'Plural forms in Polish',
    ask: '"5 plików", "2 pliki": our translations only know one and many.',
    edit: [
      'src/i18n/plural.ts',
      "n === 1 ? 'one' : 'other'",
      'new Intl.PluralRules(locale).select(n)',
    ],
    reply:
      '`Intl.PluralRules` knows all languages. Polish needs three forms; the files have room for them now.',
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
    title: 'Fix the "Sale" badge in Safari',
    ask: 'In Safari the badge lies behind the picture.',
    edit: [
      'styles/product.css',
      '.badge { z-index: 1; }',
      '.card { isolation: isolate; }\n.badge { z-index: 1; }',
    ],
    reply: 'The picture had a layer of its own there. `isolation` settles it for all browsers.',
  },
  {
    title: 'Estimate: subscriptions for plant food',
    ask: 'Roughly, how big is a subscription feature?',
    reply:
      'Three weeks: one for the billing dates, one for failed payments, one for *pause, skip, cancel*. The last is the one that people judge you by.',
  },
  {
    title: 'CORS for the configurator',
    ask: 'The pot configurator on its own domain gets no answer from the API.',
    edit: [
      'src/server.ts',
      'cors(false)',
      "cors({ origin: 'https://pots.example.com', credentials: true })",
    ],
    reply: 'One origin, named. Not `*`, since it sends the cart cookie.',
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
    title: 'Mock the bank in tests',
    ask: 'The tests call the sandbox of the bank, which is down every other day.',
    edit: [
      'test/fakeBank.ts',
      null,
      'export class FakeBank implements PaymentProvider { /* answers from a table */ }\n',
    ],
    reply:
      'A fake bank with the eleven answers that the real one gives. One test a night still asks the sandbox.',
  },
  {
    title: 'Weights in grams, please',
    ask: 'Some weights are in kg, some in g. Make them all grams.',
    edit: [
      'db/migrations/0044_grams.sql',
      null,
      'UPDATE products SET weight = weight * 1000 WHERE weight < 40;\n',
    ],
    reply:
      'Nothing we sell weighs under 40 g or over 40 kg, so the two can be told apart. 812 rows.',
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
    title: 'Coupon codes that people can type',
    ask: 'Codes like 0OIl1 are impossible to type.',
    edit: [
      'src/coupons/code.ts',
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
      'ACDEFGHJKMNPQRTUVWXY34679',
    ],
    reply: 'Twenty-five characters that nobody mixes up, in two groups of four: `FERN-7K3M`.',
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
];
