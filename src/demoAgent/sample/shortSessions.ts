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
    title: 'Make the product page faster on phones',
    ask: 'The product page takes four seconds on a phone. What is the cheapest improvement?',
    run: ['npx size-limit', 'product.js  412 kB  (limit 200 kB)'],
    reply:
      'The date library: 212 kB for one *"delivered on Tuesday"*. `Intl.DateTimeFormat` does the same and is in the browser already. That alone saves 1.1 s.',
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
    title: 'Remove moment.js',
    ask: 'Replace moment with something smaller.',
    run: ['npm uninstall moment', 'removed 1 package'],
    reply: 'Twenty-six places; `Intl` does twenty-four, and two needed a function of six lines.',
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
    title: 'Draw the order states',
    ask: 'Can you draw me how an order moves from state to state?',
    read: ['src/orders/state.ts', 1],
    reply:
      '```text\nnew ──▶ paid ──▶ packed ──▶ shipped ──▶ done\n │        │         │\n └────────┴──▶ cancelled    returned ◀── done\n```',
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
    title: 'Delivery slots across midnight',
    ask: 'A slot from 22 to 1 o’clock is shown as negative.',
    edit: ['src/shipping/slot.ts', 'return end - start;', 'return (end - start + 24) % 24;'],
    reply: 'Three hours now, not minus twenty-one.',
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
    title: 'App crashes on old Android phones',
    ask: 'Crashes on Android 9, only there.',
    otherFolder: 'fernway-mobile',
    reply: '`Intl.PluralRules` is missing there. With the polyfill, 0.4 % fewer crashes.',
  },
  {
    title: 'Is `==` ever right?',
    ask: 'Is there ever a reason for == ?',
    reply: '`x == null`, to mean *null or undefined*. Everything else: `===`.',
  },
  {
    title: 'First look at the code',
    ask: 'What is this project?',
    reply:
      'A shop for plants: a server in TypeScript, a database, pages drawn on the server. 41,000 lines, of which 13,000 are tests. Begin with `src/server.ts`.',
  },
];
