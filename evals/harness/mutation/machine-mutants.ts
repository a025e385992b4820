import type { RuleId } from '../../../src/core/rules.ts';
import { contract } from '../../../src/domains/index.ts';
import { type PlatformTool, toolName } from '../../../src/engine/tool.ts';
import { isBeyond } from '../coverage/transitions.ts';
import type { Alter } from '../world/world.ts';
import type { Mutant, Seen } from './mutant.ts';
import { mutant, onTools } from './mutant.ts';

/** Other conditions of a machine's rows, so that only the state decides. */
const open: { readonly [machine: string]: object | undefined } = { invoice: { paid: false, expired: false } };

/** Machines whose clock triggers Purser evaluates itself. Other things are read from the platform before each call. */
const timed: readonly string[] = ['instruction'];

/** Tools that trigger a transition of an existing thing, with the refusing rule and a state that allows and one that forbids it. */
const pulling = Object.entries(contract).flatMap(([name, { moves }]) => {
  if (moves === undefined) return [];
  const { machine, trigger } = moves;
  const from = [...machine.rows, ...machine.assumed].filter((row) => row[1] === trigger).map(([state]) => state);
  const possible = from.find((state) => state !== 'none');
  const impossible = machine.states.find((state) => state !== 'none' && !from.includes(state));
  const rule = machine.breach[trigger] as RuleId | undefined; // as the machine's table has it
  return possible === undefined || impossible === undefined || rule === undefined || machine.name === 'card'
    ? []
    : [{ name: toolName(name), ...moves, rule, possible, impossible }];
});

/** Mutants that show a machine a wrong state or time. */
export const machineMutants: readonly Mutant[] = pulling.flatMap(
  ({ name, machine, trigger, rule, possible, impossible }) => {
    const entityOf = (change: (it: { readonly state: string }) => object): Alter =>
      onTools(
        ({ observe }) =>
          observe.moves === undefined
            ? {}
            : { observe: { ...observe, moves: { ...observe.moves, entity: secondLook(observe.moves, change) } } },
        name,
      );
    const at = (shift: (now: number) => number): Alter =>
      onTools(({ observe }) => {
        const { moves } = observe;
        if (moves === undefined) return {};
        const entity: Look = (things, now, ...more) => moves.entity(things, shift(now), ...more);
        return { observe: { ...observe, moves: { ...moves, entity } } };
      }, name);
    const touched = ({ tools }: Seen): boolean => tools.has(name);
    return [
      // Every state looks as if it allowed the trigger.
      mutant(
        rule,
        name,
        'ignore state',
        entityOf((it) => (machine.move(it, trigger).ok ? it : { ...it, ...open[machine.name], state: possible })),
        touched,
      ),
      mutant(
        rule,
        name,
        'negate',
        entityOf((it) =>
          machine.move(it, trigger).ok
            ? { ...it, state: impossible }
            : { ...it, ...open[machine.name], state: possible },
        ),
        touched,
      ),
      // A final state looks as if it could be left.
      ...Object.entries(machine.final)
        .filter(([state]) => !isBeyond(machine.name, state))
        .map(([state, final]) =>
          mutant(
            final as RuleId, // as the machine's table has it
            `${name} ${state}`,
            'ignore state',
            entityOf((it) => (it.state === state ? { ...it, ...open[machine.name], state: possible } : it)),
            touched,
          ),
        ),
      ...(trigger === 'confirm' || !timed.includes(machine.name)
        ? []
        : [
            mutant(
              rule,
              name,
              'ignore time',
              at(() => 0),
              touched,
            ),
            mutant(
              rule,
              name,
              'boundary +1',
              at((now) => now + 1_000),
              touched,
            ),
            mutant(
              rule,
              name,
              'boundary -1',
              at((now) => now - 1_000),
              touched,
            ),
          ]),
    ];
  },
);

type Moves = NonNullable<PlatformTool['observe']['moves']>;
type Look = Moves['entity'];

/**
 * Changes the entity that decides a call. The engine reads the entity once before, to let time pass, and once after, to record
 * the answer; both see the real one.
 */
function secondLook({ kind, entity }: Moves, change: (it: { readonly state: string }) => object): Look {
  const looked = new WeakSet<object>();
  return (things, now, answer, args) => {
    const it = entity(things, now, answer, args);
    const body = things[kind]?.body;
    if (body === undefined || answer !== undefined) return it;
    if (looked.has(body)) return change(it) as typeof it; // the same entity in another state
    looked.add(body);
    return it;
  };
}
