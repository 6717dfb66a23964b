import { fc } from '../../../../support/properties';

/** The files of a story; each text can be moved to a second path, and back. The last one isn't text. */
const texts = ['a', 'b'] as const;
export const binary = 'c';
export const names = [...texts, ...texts.map((name) => `${name}2`), binary];

const name = fc.constantFrom(...texts);
const at = fc.nat({ max: 9 });
const of = fc.constantFrom('all', 'files', 'turn', 'lines');

/** What can happen. Lines of the agent begin with `agent`, and those of the user are marked, each once. */
export const act = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant('agent'), name, at, count: fc.nat(3) }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constantFrom('user', 'secret'), name, at }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constantFrom('keep', 'undo'), of, name, at }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constantFrom(
        ...(['turn', 'restore', 'unrestore', 'reload', 'rewrite', 'delete', 'move'] as const),
        ...(['agentBinary', 'userBinary', 'userDeletes'] as const),
      ),
      name,
      at,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constantFrom('elsewhere', 'beforeEdit', 'beforeDecision'),
      own: fc.constantFrom('keep', 'undo'),
      decision: fc.record({ type: fc.constantFrom('keep', 'undo'), of, name, at }),
      name,
      at,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('crash'),
      what: fc.constantFrom('undo', 'restore', 'unrestore', 'keep', 'step'),
      /** Where in the work: files that are changed before it, and whether the next one is cut off. */
      files: fc.nat(3),
      isTorn: fc.boolean(),
      /** What is done about it; each may be interrupted again. */
      then: fc.array(fc.record({ isOn: fc.boolean(), files: fc.nat(3) }), { maxLength: 2 }),
      isOn: fc.boolean(),
      name,
      at,
    }),
  },
);
export type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;
