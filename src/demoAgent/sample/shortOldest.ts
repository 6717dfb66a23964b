import type { ShortSession } from './shortSession';

/** The oldest sessions: one question and one answer each, as [title, question, answer]. */
const conversations: readonly (readonly [title: string, ask: string, reply: string])[] = [
  [
    'Regex for Dutch postcodes',
    'A pattern for Dutch postcodes?',
    '`/^[1-9]\\d{3} ?[A-Z]{2}$/`, and not SA, SD or SS at the end.',
  ],
  [
    'Color contrast of the footer',
    'Is the gray in the footer dark enough?',
    'No: 3.9 : 1. With `#5f665f` it is 5.8 : 1 and looks nearly the same.',
  ],
  [
    'git: undo the last commit but keep the changes',
    'How do I undo my last commit?',
    '`git reset --soft HEAD~1`. The changes stay, ready to be committed again.',
  ],
  [
    'Loop over a Map in order of its keys',
    'How do I sort a Map by key?',
    '`for (const [key, value] of [...map].sort(([a], [b]) => a.localeCompare(b)))`',
  ],
  [
    'Why is this test skipped?',
    'One test of the invoice is skipped. Since when, and why?',
    'Since the move to the new tax rates, "for now". It passes: I switched it on.',
  ],
  [
    'Text for the 404 page',
    'A friendly text for the 404 page?',
    '> **Nothing grows here.** The page has moved, or never was. Try the search, or go back to the greenhouse.',
  ],
  [
    'Timezone of the server',
    'In which time zone does the server run?',
    'UTC. The reports convert; the nightly mails do not, which is why they say "yesterday" after one in the morning.',
  ],
  [
    'Order numbers without gaps?',
    'Do order numbers have to be without gaps?',
    'Invoice numbers do. Order numbers may have gaps, and ours do: 0.8 %.',
  ],
  [
    'Kleinunternehmer-Hinweis auf Rechnungen',
    'Müssen wir den Hinweis noch drucken?',
    'Seit ihr Umsatzsteuer ausweist, nicht mehr. Er steht noch in der Vorlage der Gutschrift.',
  ],
  [
    'Let editors write in Markdown',
    'Can the care guides be Markdown?',
    'Yes. I would allow headings, lists, links and pictures, and no HTML.',
  ],
  [
    'Lint rule against console.log',
    'Forbid console.log, please.',
    'On. Four were left, one of them with a customer’s address in it.',
  ],
  [
    'Speed of the checkout in numbers',
    'How fast is the checkout, really?',
    'Half of the visitors wait 1.2 s, one in twenty 4.8 s. The slow ones are on the train.',
  ],
  [
    'Make buttons say what they do',
    '"OK" and "Cancel" everywhere. Better words?',
    '*Order now*, *Delete address*, *Keep shopping*. 31 buttons changed, 2 stayed: they were fine.',
  ],
  [
    'Ideas for the empty cart',
    'What could we show in an empty cart?',
    'What they looked at last, and one way back. No jokes: it is the third time today for somebody.',
  ],
  [
    'JSON or form data for uploads?',
    'Should pictures be uploaded as JSON?',
    'Form data: base64 makes them a third larger, and the server has to hold all of it.',
  ],
  [
    'Semver of our API',
    'Is a new field a breaking change?',
    'A new field in an answer is not. A new *required* one in a request is.',
  ],
  [
    'Find the N+1 query',
    'The category page makes 61 queries.',
    'One for the list and two for each of 30 products. With a join there are two in all.',
  ],
  [
    'Name of the month in Greek',
    'Ιούλιος ή Ιουλίου;',
    'Μέσα σε ημερομηνία: «7 **Ιουλίου**». Μόνος του: «**Ιούλιος**». Το `Intl` ξέρει και τα δύο.',
  ],
  [
    'Test data must not reach customers',
    'A test mail went to a real customer. Never again!',
    'Outside of production mails now go to one address only, whatever the order says.',
  ],
  [
    'Which browsers do our customers use?',
    'Which browsers do we have to support?',
    'Safari 41 %, Chrome 38 %, Firefox 11 %, Edge 8 %. All of them at most two years old.',
  ],
  [
    'Shell: rename many files',
    'Rename all *.jpeg to *.jpg.',
    '```bash\nfor file in *.jpeg; do mv -- "$file" "${file%.jpeg}.jpg"; done\n```',
  ],
  [
    'Sort sizes: S, M, L, XL',
    'Sizes are sorted L, M, S, XL.',
    'They were sorted as words. They have a rank now; *one size* comes last.',
  ],
  [
    'Return form without a printer',
    'Who still has a printer?',
    'A code on the phone, which the parcel shop scans. The carrier’s API has had it for a year.',
  ],
  [
    'Second factor for the back office',
    'Add a second factor for the back office.',
    'One-time codes from an app, ten codes on paper, and no SMS.',
  ],
  [
    'Is `==` ever right?',
    'Is there ever a reason for == ?',
    '`x == null`, to mean *null or undefined*. Everything else: `===`.',
  ],
  [
    'Move the logo 3 px down',
    'The logo is too high.',
    'It is the picture that has 6 px of nothing below. I cut those off instead.',
  ],
  [
    'Docker on the new laptop',
    'docker compose up says "permission denied".',
    'You are not in the group `docker` yet: `sudo usermod -aG docker $USER`, then log in again.',
  ],
  [
    'Who may see refunds?',
    'Which roles can see refunds?',
    'Everybody with *orders*. Support needs that; the warehouse has it by accident.',
  ],
  [
    'Line endings, once and for all',
    'Half of the files have CRLF.',
    '`* text=auto eol=lf` in `.gitattributes`, then one commit that touches 214 files and changes nothing.',
  ],
  [
    'How do I mock the clock?',
    'The test depends on today’s date.',
    'Hand the clock in: `isExpired(coupon, now)`. Then there is nothing to mock.',
  ],
  [
    'Cheaper shipping to Austria',
    'Parcels to Austria are 4 euros too dear.',
    'The zone table has Austria among *rest of the world*. It belongs to zone 2.',
  ],
  [
    'First look at the code',
    'What is this project?',
    'A shop for plants: a server in TypeScript, a database, pages drawn on the server. 41,000 lines, of which 13,000 are tests. Begin with `src/server.ts`.',
  ],
];

export const shortOldest: readonly ShortSession[] = conversations.map(([title, ask, reply]) => ({
  title,
  ask,
  reply,
}));
