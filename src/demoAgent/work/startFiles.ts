/** What the files contain before the agent changes them for the first time. */
const notes = `# Notes about the shop

## Opening hours

Monday to Friday: 9 to 18
Saturday: 10 to 16
Sunday: closed

## Delivery

Parcels leave once a day, at noon.
Plants travel in paper, never in plastic.
Winter: no delivery below five degrees.

## Returns

Two weeks, except for cut flowers.
Refund: to the card that was used.
`;

const prices = `Fern 4.50
Ivy 3.20
Monstera 18.00
Orchid 12.90
Pot, small 2.10
Pot, large 6.40
Soil, 10 litres 5.00
`;

const todo = `# To do

Next: count the pots
Then: order soil
Later: paint the door
`;

const partNames = Array.from(
  { length: 10 },
  (_, index) => `parts/part-${String(index + 1).padStart(2, '0')}.md`,
);

const parts = partNames.map((name, index): [string, string] => [
  name,
  [
    `# Part ${index + 1} of the handbook`,
    '',
    'Summary: not written yet',
    '',
    ...Array.from({ length: 12 }, (_, at) => `Rule ${at + 1} of part ${index + 1}.`),
    '',
    'State: draft',
    '',
  ].join('\n'),
]);

const all: ReadonlyMap<string, string> = new Map([
  ['notes.md', notes],
  ['prices.txt', prices],
  ['todo.md', todo],
  ...parts,
]);

export { all as startFiles, partNames };
