import { paint, type SampleTranscript } from '../sampleTranscript';
import type { SampleSession } from '../shortSession';

const areas = ['account', 'basket', 'catalog', 'checkout', 'email', 'gift', 'help', 'invoice'];
const parts = ['Header', 'List', 'Row', 'Form', 'Summary', 'Empty', 'Banner', 'Dialog', 'Footer'];
const fields = ['title', 'name', 'total', 'label', 'address', 'amount', 'image', 'note'];

const remarks = [
  'has a loop over rows; a `map` with a key does the same.',
  'formats a date in the template. I moved that into the component, where it can be tested.',
  'escapes its text by hand. JSX does that by itself, so the helper goes.',
  'is included from two places, both in the same folder.',
  'had a class that no style sheet knows. I left it out.',
  'is nearly the one before it; both now share their button.',
];

/** Templates to migrate; each one takes 13 updates, about 2,000 in total. */
const templates = 150;

/** A very long session, for the look of a long transcript. */
export const migration: SampleSession = {
  title: 'Move all 150 templates from Handlebars to JSX',
  write: (transcript) => {
    transcript
      .user(
        'Please move all templates in `views/` to JSX, one by one, with a test run after each. Stop ' +
          'when something looks different in the browser.',
      )
      .say('150 templates. I go through them in order and tell you where one is special.');
    for (let index = 0; index < templates; index++) {
      moveTemplate(transcript, index);
    }
    transcript.say(
      'All **150** templates are JSX now, and every test passes.\n\n' +
        '- `views/` is empty, and `handlebars` is gone from `package.json`.\n' +
        '- 23 helpers were not needed any more.\n' +
        '- No page looks different: I compared all 61 screenshots.\n\n' +
        'I would merge this on a quiet day and keep the old folder on a branch for a week.',
    );
    transcript.usage(188_000);
  },
};

function moveTemplate(transcript: SampleTranscript, index: number): void {
  const area = pick(areas, Math.floor(index / parts.length));
  const part = pick(parts, index);
  const field = pick(fields, index * 3);
  const round = Math.floor(index / (areas.length * parts.length));
  const name = `${part}${round === 0 ? '' : round + 1}`;
  const from = `views/${area}/${name.toLowerCase()}.hbs`;
  const to = `src/views/${area}/${name}.tsx`;
  const old = `<section class="${area}">\n  <h2>{{${field}}}</h2>\n  {{#each rows}}<p>{{this}}</p>{{/each}}\n</section>`;
  const jsx = `export function ${name}({ ${field}, rows }: ${name}Props) {\n  return (\n    <section class="${area}">\n      <h2>{${field}}</h2>\n      {rows.map((row) => <p key={row}>{row}</p>)}\n    </section>\n  );\n}`;
  transcript
    .think(`Next is \`${from}\`. It shows \`${field}\`, so its props need that.`)
    .read(from, old)
    .search(`${area}/${name.toLowerCase()}`, {
      path: `src/pages/${area}.ts`,
      line: 10 + (index % 60),
    })
    .edit(to, null, jsx)
    .tool({
      title: `Delete ${from}`,
      kind: 'delete',
      name: 'delete_file',
      files: [{ path: from }],
    })
    .run(`npx mocha src/views/${area}`, `  ${paint('green', `${3 + (index % 9)} passing`)}\r\n`)
    .say(`**${index + 1} of ${templates}** · \`${to}\` ${pick(remarks, index)}`)
    .usage(20_000 + index * 1_200);
  if (index === 90) {
    transcript.compact(
      'Templates are moved one by one, each with a test run. Props are named after what the template ' +
        'shows. Helpers that only escape or format text go. Nothing may look different.',
    );
  }
  if (index % 20 === 19) {
    transcript.user(pick(['Looks good, go on.', 'Fine. Next.', 'Thanks, keep going!'], index / 20));
  }
}

function pick(list: readonly string[], index: number): string {
  return list[Math.floor(index) % list.length] ?? '';
}
