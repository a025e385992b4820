import type { JsonObject } from '../../../src/core/canonical-json.ts';
import { limits } from '../../../src/core/limits.ts';
import { operation as operationMachine } from '../../../src/core/own-machines.ts';
import type { KindSpec, Thing } from '../../../src/core/thing.ts';
import type { Facts, Things } from '../../../src/domains/facts.ts';
import { guards, kindTable } from '../../../src/domains/index.ts';
import { recordDecision } from '../../../src/engine/approval-service.ts';
import { keepAuthored } from '../../../src/engine/authorship.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { isOwn } from '../../../src/engine/own-texts.ts';
import { registerShopper } from '../../../src/engine/register.ts';
import type { OperationRow } from '../../../src/ledger/rows.ts';
import { agentCaller } from '../world/settings.ts';
import type { TestHarness } from '../world/world.ts';
import type { Lines, Mechanisms } from './lines.ts';
import { asAgent, inWorlds, onPlain, plain } from './prepared-worlds.ts';
import { start } from './thing-bodies.ts';
import { args, factsOf, platformTools, thingsOf, tried } from './tool-facts.ts';

// What guards, answers and approvals make of the state that a thing or a call is in, and of whose it is.

const { tenant } = agentCaller;

/** The states that a thing of a kind may be in. */
const statesOf = (kind: string): readonly string[] => [
  ...new Set(
    platformTools.flatMap(({ definition, observe: { looksAt, moves } }) => [
      ...(looksAt?.kind === kind ? looksAt.machine.states : []),
      ...(moves?.kind === kind ? (definition.moves?.machine.states ?? []) : []),
    ]),
  ),
  ...(more[kind] ?? []),
];
/** States that no machine has: the platform says them of what it makes. */
const more: { readonly [kind: string]: readonly string[] | undefined } = {
  report: ['COMPLETED', 'PENDING', 'QUEUED', 'RUNNING', 'ERROR', 'NO_DATA', 'RERUN', 'OTHER'],
};

/** The guards whose verdict depends on the state of a thing, and the states in which each holds. */
const guardsByState: Mechanisms[string] = () => {
  const known = factsOf('all', args);
  return guards.flatMap((guard) =>
    Object.entries(known.things).flatMap(([kind, thing]) => {
      const holdsIn = (state: string) =>
        tried(() => guard.holds({ ...known, things: { ...known.things, [kind]: { ...thing, state } } as Things }));
      const states = statesOf(kind);
      const [held, broken] = [true, false].map((verdict) => states.filter((it) => holdsIn(it) === verdict));
      if (held === undefined || broken === undefined || held.length === 0 || broken.length === 0) return [];
      return [[`${guard.id} of ${guard.on.join(' ')}, by ${kind}`, { holds: held, refuses: broken }] as const];
    }),
  );
};

const mandate = { limit: { amount: '40.00', currency: 'GBP' }, until: '2026-02-01T00:00:00Z', description: 'Strings' };

/** Who sees a purchase and its operation, by whose they are. */
const owners = (harness: TestHarness): Promise<Lines> =>
  onPlain(harness, (again) =>
    again(plain, async (engine) => {
      const as = (principal: string, tool: string, given: object) =>
        engine.call(tool, given, { ...agentCaller, principal });
      const lines: [string, unknown][] = [];
      await as('agent_b', 'enroll_card', { card: 'card_ada' });
      const asked = await as('agent_b', 'initiate_purchase', { card: 'card_ada', reference: 'order-1', ...mandate });
      await recordDecision(engine.parts, asked.approval?.id ?? '', 'approve', {
        tenant,
        approver: 'pat',
        channel: 'cli',
      });
      const made = await as('agent_b', 'initiate_purchase', { card: 'card_ada', reference: 'order-1', ...mandate });
      const { instruction } = made.data ?? {};
      for (const principal of ['agent_b', 'agent', 'agent_bc', 'AGENT_B', 'other']) {
        const looked = [
          await as(principal, 'get_purchase', { instruction }),
          await as(principal, 'get_operation', { operation: made.operation }),
          await as(principal, 'list_operations', {}),
        ];
        const items = (looked.at(-1)?.data?.items ?? []) as readonly unknown[];
        lines.push([
          principal,
          [...looked.map(({ outcome, error }) => error?.code ?? outcome), `${items.length} operations`],
        ]);
      }
      return lines;
    }),
  );

/** What is said and comes next of an operation, by its state. */
const operations = (harness: TestHarness): Promise<Lines> =>
  onPlain(harness, async (again) => {
    const lines: [string, unknown][] = [];
    for (const state of operationMachine.existing)
      lines.push([
        state,
        await again(plain, async (engine) => {
          const { operation = '' } = await asAgent(engine, 'enroll_card', { card: 'card_ada' });
          await engine.parts.ledger.transaction(tenant, async (tx) => {
            const row = (await tx.operations.find(operation)) as OperationRow;
            return tx.operations.update(row, { state });
          });
          const { next, said } = await asAgent(engine, 'get_operation', { operation });
          return [next, said.split(/[;,.]/)[0]];
        }),
      ]);
    return lines;
  });

/** What comes of an approved call once the app has registered another session of the shopper. */
const sessions = (harness: TestHarness): Promise<Lines> =>
  onPlain(harness, async (again) => {
    const device = { ipAddress: '198.51.100.7' };
    const changes: readonly (readonly [what: string, given?: JsonObject])[] = [
      ['nothing'],
      ['the same session', {}],
      ['another device', { deviceInformation: device }],
      ['another name', { displayName: 'Ada Other' }],
    ];
    const lines: [string, unknown][] = [];
    for (const [what, given] of changes)
      lines.push([
        what,
        await again(plain, async (engine) => {
          await asAgent(engine, 'enroll_card', { card: 'card_ada' });
          const wish = { card: 'card_ada', reference: 'order-1', ...mandate };
          const asked = await asAgent(engine, 'initiate_purchase', wish);
          const person = { tenant, approver: 'pat', channel: 'cli' } as const;
          await recordDecision(engine.parts, asked.approval?.id ?? '', 'approve', person);
          const taken = given === undefined ? 'nothing' : await registered(engine, given);
          const { outcome, error } = await asAgent(engine, 'initiate_purchase', wish);
          return [taken, outcome, error?.code ?? 'no error'];
        }),
      ]);
    return lines;
  });

/** Registers what is known of the shopper, with this in its place. */
async function registered({ parts }: Engine, given: JsonObject): Promise<unknown> {
  const row = await parts.ledger.transaction(tenant, (tx) => tx.observations.find('shopper_ada'));
  const merged = Object.fromEntries(
    Object.entries(given).map(([name, it]) => {
      const before = row?.body[name];
      return [name, typeof before === 'object' && typeof it === 'object' ? { ...before, ...it } : it];
    }),
  );
  const end = await registerShopper(parts, tenant, { handle: 'shopper_ada', ...row?.body, ...merged });
  return end.ok ? 'registered' : end.faults;
}

/** Until when a purchase lets what was released for it be redeemed. */
const redeemable: Mechanisms[string] = () =>
  Object.entries(kindTable).flatMap(([kind, { secret }]: [string, KindSpec]): Lines => {
    const { releasedFor } = secret ?? {};
    if (releasedFor === undefined) return [];
    const things = thingsOf('all') as Readonly<Record<string, Thing>>;
    const [it, released] = [things[releasedFor.kind], things[kind]];
    const until = Number(it?.body.until) * 1_000;
    return statesOf(releasedFor.kind).map((state) => {
      const held = [-1, 0, 1].map((later) => {
        const allows = it && released && releasedFor.allows({ state, body: it.body }, released, until + later);
        return allows ? 'may be redeemed' : 'is gone';
      });
      return [`${kind}, ${releasedFor.kind} ${state}: a millisecond before its end, at it and after it`, held];
    });
  });

/** Whether the text of an approval is taken for the merchant's own, by the name of the plan that it quotes. */
const quotingTexts = (harness: TestHarness): Promise<Lines> =>
  onPlain(harness, (again) =>
    again(plain, async ({ parts }) => {
      const tool = platformTools.find(({ name }) => name === 'amend_plan');
      if (tool === undefined) return [];
      const { billingCodeCharacters: most } = limits;
      const names = ['Tea', 'Green tea', 'TEA-1', '2026-01-15', 'a'.repeat(most), 'a'.repeat(most + 1), 'Té'];
      const lines: [string, unknown][] = [];
      for (const name of names) {
        const known = factsOf('all', {});
        const things = { ...known.things, plan: { ...known.things.plan, body: { ...known.things.plan?.body, name } } };
        const call = { tool, facts: { ...known, things }, caller: agentCaller, now: start };
        const text = `Approve ${name}`;
        const own = await parts.ledger.transaction(tenant, async (tx) => {
          await keepAuthored(tx, call as unknown as Parameters<typeof keepAuthored>[1], [], text); // all that is asked of it
          return isOwn(tx, text);
        });
        lines.push([
          name.replace(/a{9,}/, (run) => `${run.length} letters`),
          own ? "is the merchant's" : 'quotes others',
        ]);
      }
      return lines;
    }),
  );

/** What a person reads of a new subscription, by its start and its surcharge. */
const subscriptionTexts: Mechanisms[string] = () => {
  const [tool] = platformTools.filter(({ name }) => name === 'create_subscription');
  const starts = ['2026-01-15T00:00:00Z', '2026-01-15T23:00:00Z', '2026-01-16T00:00:00Z', '2026-01-14T23:59:59Z'];
  const given: readonly object[] = [
    ...starts.map((start) => ({ start })),
    { start: starts[2], surcharge: '2.00' },
    { start: starts[2], surcharge: '2.00', surcharge_label: 'Gift wrap' },
    { start: starts[2], surcharge_label: 'Gift wrap' },
  ];
  return given.flatMap((more) =>
    ['Delivery', undefined].map((surchargeLabel) => {
      const known = factsOf('all', { name: 'Tea', ...more });
      const { plan } = known.things;
      const terms = { surcharge: '1.00', surchargeLabel };
      const things = { ...known.things, plan: { ...plan, body: { ...plan?.body, ...terms } } } as Things;
      const facts: Facts = { ...known, things };
      const lines = tried(() => tool?.policy.approval?.text?.(facts)) ?? ['needs more'];
      return [
        `${JSON.stringify(more).replaceAll('"', '')}, of a plan with ${surchargeLabel ?? 'no label'}`,
        lines,
      ] as const;
    }),
  );
};

/** When the hold of a transaction ends by what is known of it, where the reader doesn't say. */
const holds: Mechanisms[string] = () => {
  const [tool] = platformTools.filter(({ name }) => name === 'lookup_device_transaction');
  if (tool === undefined) return [];
  const known = factsOf('all', { reference: 'order-1' });
  const { devicePayment, ...things } = known.things;
  const body = {
    ...{
      identifier: devicePayment?.body.identifier,
      status: 'APPROVED',
      type: 'CHARGE',
      amount: 12.5,
      currency: 'GBP',
    },
  };
  const day = 86_400_000;
  return [undefined, 0, -day, -40 * day].map((before) => {
    const thing = { ...devicePayment, createdAt: known.now + (before ?? 0) };
    const facts = { ...known, things: before === undefined ? things : { ...things, devicePayment: thing } } as Facts;
    const seen = endOfObservation(() => tool.observe.observations(facts, { status: 200, body } as never, {} as never));
    return [before === undefined ? 'not known' : `made ${-before / day} days before`, seen] as const;
  });
};

const endOfObservation = (make: () => unknown): unknown => tried(make) ?? 'needs more';

export const stateMechanisms: Mechanisms = {
  ...inWorlds({
    'who sees what is whose': owners,
    'an operation by its state': operations,
    'an approval once the session is another': sessions,
    'whose the text of an approval is, by what it quotes': quotingTexts,
  }),
  'guards by the state of a thing': guardsByState,
  'until when released credentials may be redeemed': redeemable,
  'what a person reads of a new subscription': subscriptionTexts,
  'the hold of a transaction, by when it was made': holds,
};
