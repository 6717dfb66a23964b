/**
 * A program for `node -e` that imitates a test run: in color (unless `NO_COLOR` is set), printing
 * a line every `milliseconds`. A single line without double quotes, so that no shell can
 * mangle it.
 */
export function testRun(milliseconds: number): string {
  return [
    `const plain = Boolean(process.env.NO_COLOR);`,
    `const paint = (code, text) => plain ? text : '\\u001b[' + code + 'm' + text + '\\u001b[0m';`,
    `const tests = ['an empty cart costs nothing', 'adds the lines up', 'takes the discount off once',`,
    `'rounds at the end of a line', 'keeps the rates apart', 'ships for free from 50.00',`,
    `'never goes below zero', 'writes the total into the order'];`,
    `console.log(paint(1, 'cart'));`,
    `const next = (index) => { if (index < tests.length) {`,
    `console.log('  ' + paint(32, '\\u2713') + ' ' + paint(90, tests[index]));`,
    `setTimeout(next, ${milliseconds}, index + 1); } else {`,
    `console.log('\\n  ' + paint(32, tests.length + ' passing') + paint(90, ' (2s)')); } };`,
    `next(0);`,
  ].join(' ');
}
