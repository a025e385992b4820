import { recordDecision } from '../../../src/engine/approval-service.ts';
import type { Caller } from '../../../src/ledger/ledger.ts';
import { agentCaller, plainSpec } from '../world/settings.ts';
import { openTestHarness, type World } from '../world/world.ts';
import type { Mechanisms } from './lines.ts';

// What agents of one merchant have of each other's calls and files, which no story of one agent comes to.

const one = agentCaller;
const other: Caller = { ...agentCaller, principal: 'colleague' };
const tea = { name: 'Tea', every: 1, unit: 'month', amount: '10.00', currency: 'GBP' };
const month = { from: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z' };

/** What becomes of calls that are made at the same time, and how many took effect. */
async function together(world: World, calls: readonly (readonly [who: Caller, reference: string])[]): Promise<string> {
  const before = (await world.snapshot()).effects.length;
  const answers = await Promise.all(
    calls.map(([who, reference]) => world.engine.call('create_plan', { ...tea, reference }, who)),
  );
  const told = answers.map(({ outcome, replayed }) => (replayed === true ? `${outcome} before` : outcome));
  const plans = new Set(answers.flatMap(({ data }) => data?.plan ?? [])).size;
  return `${told.join(', ')}: ${plans} plans, ${(await world.snapshot()).effects.length - before} took effect`;
}

/** A file of an agent. */
async function fileOf({ engine, control }: World, who: Caller): Promise<string> {
  const pay = () =>
    engine.call(
      'authorize_payment',
      { price: { amount: '10.00', currency: 'GBP' }, card: 'card_ada', reference: 'o1' },
      who,
    );
  const { approval } = await pay();
  const person = { tenant: who.tenant, approver: 'pat', channel: 'cli' } as const;
  await recordDecision(engine.parts, approval?.id ?? '', 'approve', person);
  await pay();
  const asked = {
    name: 'January',
    definition: 'TransactionRequestClass',
    fields: ['Request.RequestID'],
    format: 'csv',
  };
  await engine.call('request_report', { ...asked, ...month }, who);
  await control('POST', 'clock', { advance: 'PT10M' });
  const { data } = await engine.call('list_reports', { ...month, by: 'range' }, who);
  const [made] = (data?.items ?? []) as readonly { readonly report: string }[]; // by the tool's shape
  return (await engine.call('download_report', { report: made?.report }, who)).file?.handle ?? '';
}

export const agentsMechanisms: Mechanisms = {
  'agents beside each other': async () => {
    const harness = await openTestHarness({
      fixture: () => {
        throw new Error('The plain world has no fixture.');
      },
      version: '0',
    });
    try {
      const world = await harness.open(plainSpec);
      const { engine } = world;
      const calls = [
        [
          'the same call twice at once, by one',
          await together(world, [
            [one, 'a'],
            [one, 'a'],
          ]),
        ],
        [
          'the same call at once, by two',
          await together(world, [
            [one, 'b'],
            [other, 'b'],
          ]),
        ],
        [
          'two calls at once, by one',
          await together(world, [
            [one, 'c'],
            [one, 'd'],
          ]),
        ],
      ] as const;
      const file = await fileOf(world, one);
      const read = async (who: Caller) =>
        (await engine.filePage(who, file, 1)) === undefined ? 'nothing' : 'its text';
      const listed = async (who: Caller) => `${(await engine.files(who)).length} listed`;
      return [
        ...calls,
        ['a file, by whose it is', [await read(one), await listed(one)]],
        ['a file, by another', [await read(other), await listed(other)]],
      ];
    } finally {
      await harness.close();
    }
  },
};
