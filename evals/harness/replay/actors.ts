import type { Answer } from '../../../src/engine/answer.ts';
import { recordDecision } from '../../../src/engine/approval-service.ts';
import { unfreeze } from '../../../src/engine/freeze.ts';
import { handleFor } from '../../../src/engine/handles.ts';
import type { EngineParts } from '../../../src/engine/parts.ts';
import type { DecisionResult } from '../../../src/engine/person.ts';
import { registerReceipt, registerShopper } from '../../../src/engine/register.ts';
import { settleUnknown } from '../../../src/engine/settle-unknown.ts';
import type { Snapshot } from '../../../src/sandbox/index.ts';
import type { Transition } from '../coverage/transition.ts';
import { subscriptionTransitions } from '../coverage/transitions-billing.ts';
import { conversionTransitions } from '../coverage/transitions-conversion.ts';
import { deviceTransitions } from '../coverage/transitions-device.ts';
import { member } from '../scenario/captures.ts';
import { isOwnFault, type OwnFault, toolsByOperation } from '../scenario/catalogue.ts';
import type { ActorStep, Step, Values } from '../scenario/schema.ts';
import { bodyOf } from '../world/collection.ts';
import { agentCaller } from '../world/settings.ts';
import type { World } from '../world/world.ts';
import { approveBinding, asApp, enterCode, made, usePasskey } from './authentications.ts';
import { choose } from './choices.ts';
import { expiredInvoices, pay, poisonInvoice, poisonSettings, review } from './invoices.ts';
import { generateKey, refundWithoutOriginal } from './operator-calls.ts';

// Everyone in a story but the agent. References in steps are already resolved.

/** The result of a step, with text for the transcript. */
export interface StepResult {
  readonly text: string;
  readonly worked: boolean;
  /** The transitions that it caused at the platform. */
  readonly moved?: readonly Transition[];
  /** What Purser answered, where somebody called a tool. */
  readonly answer?: Answer;
  /** What somebody read on a page of Purser before. */
  readonly page?: readonly string[];
  /** What stood on a page of Purser that tells the same in every story. */
  readonly shown?: readonly string[];
}

const { tenant } = agentCaller;
const person = { tenant, approver: 'pat', channel: 'cli' } as const;

/** Plays an actor's step. */
export async function act(world: World, step: ActorStep): Promise<StepResult> {
  const { parts } = world.engine;
  if ('approves' in step) return decided('approves', await recordDecision(parts, step.approves, 'approve', person));
  if ('denies' in step) return decided('denies', await recordDecision(parts, step.denies, 'deny', person));
  if ('answers' in step) return { text: reacts[step.answers], worked: world.react(step.answers) };
  if ('settles' in step) {
    const finding = { happened: step.happened, note: 'looked it up at the platform' };
    return decided('settles', await settleUnknown(parts, step.settles, finding, person));
  }
  if ('resumes' in step) return decided('resumes', await unfreeze(parts, step.resumes, person));
  if ('recovers' in step) {
    await world.engine.recover();
    return { text: 'Purser looks up what became of calls without an answer.', worked: true };
  }
  if ('posts' in step) {
    const posted = await registerReceipt(parts, tenant, step.posts);
    return posted.ok
      ? { text: 'The payment system of the merchant posts a receipt.', worked: true }
      : { text: `The receipt is not taken: ${posted.faults[0]?.because}`, worked: false };
  }
  if ('registers' in step) {
    const registered = await registerShopper(parts, tenant, step.registers);
    if (registered.ok) return { text: 'The app of the merchant registers a shopper.', worked: true };
    const [found] = registered.faults;
    const text = `The session is refused by ${found?.rule}: ${found?.field}. ${found?.because}`;
    // A refusal by another rule than expected counts as a failed step.
    return { text, worked: step.refused !== undefined && step.refused !== found?.rule };
  }
  if ('tries' in step) return colleague(world, step);
  if ('redeems' in step) {
    const secret = await world.engine.redeem(tenant, step.redeems);
    return { text: 'The payment system of the merchant redeems the credentials.', worked: secret !== undefined };
  }
  if ('calls' in step)
    return made(`The app calls ${step.calls}`, await asApp(world, step.calls, step.args), step.refused);
  if ('generates' in step) return generateKey(world, step);
  if ('refunds' in step) return refundWithoutOriginal(world, step);
  if ('enters' in step) return enterCode(world, step);
  if ('authenticates' in step) return usePasskey(world, step);
  if ('chooses' in step) return choose(world, step);
  if ('binds' in step) return approveBinding(world, step.binds);
  if ('converts' in step) {
    await world.control('POST', 'conversion', step.converts);
    return { text: 'The platform offers conversions in another way.', worked: true };
  }
  if ('fails' in step) {
    const { state } = (await world.control('POST', 'reports/fail', { name: step.fails })) as { state?: string }; // an error has none
    return { text: 'The platform can not make a report.', worked: state !== undefined };
  }
  if ('corrects' in step) {
    await world.control('POST', 'account-changes', step.corrects);
    return { text: 'A bank corrects an account.', worked: true };
  }
  if ('readies' in step) {
    await world.atReader('reader', step.readies);
    return { text: 'Somebody of the merchant sets the card reader.', worked: true };
  }
  if ('taps' in step) {
    await world.atReader('reader/taps', step.taps);
    return { text: 'Somebody acts at the card reader.', worked: true };
  }
  if ('disputes' in step) return dispute(world, step.disputes);
  if ('subscribes' in step) {
    await world.control('POST', 'webhooks', step.subscribes);
    world.events.begin();
    return { text: 'Somebody of the merchant subscribes to events at the platform.', worked: true };
  }
  if ('delivers' in step) return taken('The platform delivers an event again', await world.events.again());
  if ('tells' in step) return taken('The platform delivers an event', await world.events.tell(step.tells, false));
  if ('forges' in step) {
    const statuses = await world.events.tell(step.forges, true);
    return { text: `A stranger delivers an event: ${statuses.join(', ')}.`, worked: !statuses.includes(200) };
  }
  if ('pays' in step) return pay(world, step);
  if ('reviews' in step) return review(world, step);
  return verify(world, step.verifies, step.succeeds);
}

/** The customer's bank takes back a payment. */
async function dispute(world: World, capture: string): Promise<StepResult> {
  const [row] = await world.ledger.rows('select body from observations where handle = ?', [capture]);
  const { amount } = (await world.control('POST', 'chargebacks', {
    transaction: String(bodyOf(row?.body).captureId),
  })) as { amount?: string }; // an error has none
  return { text: `The bank takes back ${amount ?? 'nothing'}.`, worked: amount !== undefined };
}

/** What Purser answered to deliveries; there must be one, and each must be taken. */
const taken = (what: string, statuses: readonly number[]): StepResult => ({
  text: `${what}: ${statuses.join(', ')}.`,
  worked: statuses.length > 0 && statuses.every((status) => status === 200),
});

/** Another agent of the merchant calls a tool. A refusal by another rule than expected counts as worked. */
async function colleague(
  world: World,
  { tries, args, refused }: Extract<ActorStep, { actor: 'colleague' }>,
): Promise<StepResult> {
  return made(
    `A colleague calls ${tries}`,
    await world.engine.call(tries, args, { tenant, principal: 'colleague' }),
    refused,
  );
}

const reacts = {
  approve: 'The user of the host will approve what is asked next.',
  deny: 'The user of the host will deny what is asked next.',
  close: 'The user of the host will close what is asked next.',
} as const;

const decided = (verb: string, it: DecisionResult): StepResult => ({
  text: it.ok ? `A person ${verb} it.` : `A person ${verb} it, but: ${it.because}`,
  worked: it.ok,
});

/** The cardholder verifies a card or a purchase at the platform. */
async function verify(world: World, handle: string, succeeds: boolean): Promise<StepResult> {
  const [row] = await world.ledger.rows('select kind, body from observations where handle = ?', [handle]);
  const body = bodyOf(row?.body);
  const isCard = row?.kind === 'card';
  const [kind, id] = isCard ? ['card', body.instrumentIdentifierId] : ['instruction', body.instructionId];
  const from = await stateAtPlatform(world, kind, String(id));
  try {
    const said = await world.control('POST', `${kind}s/${id}/verify`, isCard ? { succeeds } : {});
    const to = String(member(said, 'status'));
    const text = `The customer ${succeeds ? 'verifies' : 'fails to verify'} identity.`;
    return { text, worked: true, ...(succeeds ? { moved: [{ machine: kind, from, trigger: 'verify', to }] } : {}) };
  } catch (error) {
    return { text: `The customer can't verify: ${error instanceof Error ? error.message : ''}`, worked: false };
  }
}

async function stateAtPlatform(world: World, kind: string, id: string): Promise<string> {
  const { documents } = await snapshotOf(world);
  const found = documents.find((it) => it.kind === kind && it.body.id === id);
  return String(member(found?.body, 'state') ?? 'none');
}

// As the control API has it.
const snapshotOf = async (world: World): Promise<Snapshot> => (await world.control('GET', 'snapshot')) as Snapshot;

/** Advances the clock of Purser and the platform. */
export async function advance(world: World, duration: string): Promise<StepResult> {
  const before = await snapshotOf(world);
  await world.control('POST', 'clock', { advance: duration });
  const after = await snapshotOf(world);
  const moved = [
    ...subscriptionTransitions(before, after),
    ...expiredInvoices(before, after),
    ...conversionTransitions(before, after),
    ...deviceTransitions(before, after),
  ];
  return { text: `${duration} passes.`, worked: true, moved };
}

/** Injects a fault at the platform or inside Purser. */
export async function fault(
  world: World,
  { on, ...given }: Extract<Step, { fault: object }>['fault'],
): Promise<StepResult> {
  const text = `${given.kind} will happen on ${on}.`;
  const own = isOwnFault(given.kind) ? ownActs[given.kind] : undefined;
  if (own !== undefined) {
    await own(world, on === '*' ? on : toolsByOperation.operationOf(on));
    return { text, worked: true };
  }
  await world.control('POST', 'faults', { on: on === '*' ? on : toolsByOperation.operationOf(on), ...given });
  return { text, worked: true };
}

const ownActs: { readonly [F in OwnFault]: (world: World, operation: string) => unknown } = {
  'crash-before-sending': (world, operation) => world.crash('F2', operation),
  'crash-after-answer': (world, operation) => world.crash('F5', operation),
  'audit-broken': (world) => world.ledger.rows("update audit set event = 'edited' where seq = 1"),
  'ledger-older': (world) => world.restoreLedger(),
  'anchor-unwritable': (world) => world.anchor.breakDown(),
  'storage-full': (world) => world.files.fill(),
  'approval-forged': ({ engine }, operation) => forge(engine.parts, operation),
};

/** Forges an approval in the ledger, as someone with write access to its rows could. */
const forge = ({ ledger }: EngineParts, operation: string): Promise<void> =>
  ledger.transaction(tenant, async (tx) => {
    const { rows } = await tx.operations.list({ states: ['PROPOSED'] }, { limit: 100 });
    for (const row of rows.filter(({ name }) => name === operation)) {
      const asked = await tx.approvals.ofOperation(row.id);
      if (asked === undefined) continue;
      await tx.operations.update(row, { state: 'APPROVED' });
      await tx.approvals.update(asked, { state: 'APPROVED', approver: person.approver, channel: person.channel });
    }
  });

/** Puts hostile text where the agent will read it, the way such text would get there. */
export async function poison(world: World, place: string, text: string): Promise<StepResult> {
  const [kind = '', handle = '', member = ''] = place.split('.');
  await poisons[kind]?.(world, text, handle, member);
  return { text: `Hostile text is put in ${place}: ${text}`, worked: true };
}

const poisons: Readonly<Record<string, (world: World, text: string, handle: string, member: string) => unknown>> = {
  platform: (world, text) => world.wire.poison(text),
  merchant: (world, text) =>
    world.reconfigure((settings) => ({ ...settings, merchant: { ...settings.merchant, name: text } })),
  shopper: async (world, text, handle) => {
    const [row] = await world.ledger.rows('select body from observations where handle = ?', [handle]);
    const session = { handle, ...(bodyOf(row?.body) as Values), displayName: text };
    const registered = await registerShopper(world.engine.parts, tenant, session);
    if (!registered.ok) throw new Error(`The name was rejected: ${registered.faults[0]?.because}`);
  },
  // Any user of the platform can name a plan there.
  plan: async (world, text, handle, member) => {
    const all = await snapshotOf(world);
    const documents = all.documents.map((it) =>
      it.kind === 'plan' && handleFor('plan', it.body.id) === handle
        ? { ...it, body: { ...it.body, [member]: text } }
        : it,
    );
    await world.control('PUT', 'snapshot', { ...all, documents });
  },
  // The platform signs whatever its users have made an event say.
  event: (world, text, member) =>
    world.events.tell(
      member === 'type'
        ? { eventType: text, data: {} }
        : { eventType: 'invoicing.customer.invoice.paid', data: { id: text, note: text } },
      false,
    ),
  // A bank says the name of the account's owner.
  account: (world, text) =>
    world.control('POST', 'account-changes', { code: 'C04', accountNumber: '000123456789', consumerName: text }),
  // An issuer words the ways of a step-up.
  issuer: (world, text) => world.control('POST', 'issuer', { text }),
  reader: (world, text, member) => world.control('POST', 'reader', { [member]: text }),
  conversion: (world, text, member) => world.control('POST', 'conversion', { [member]: text }),
  // Any user of the platform can name a subscription there.
  webhook: async (world, text, member) => {
    const all = await snapshotOf(world);
    const documents = all.documents.map((it) => {
      const { terms } = it.body as { readonly terms?: Values }; // the sandbox's own documents
      return it.kind === 'webhook' ? { ...it, body: { ...it.body, terms: { ...terms, [member]: text } } } : it;
    });
    await world.control('PUT', 'snapshot', { ...all, documents });
  },
  invoice: poisonInvoice,
  settings: poisonSettings,
  purchase: (world, text, handle, member) =>
    world.engine.parts.ledger.transaction(tenant, async (tx) => {
      const row = await tx.observations.find(handle);
      if (row !== undefined)
        await tx.observations.update(row, { body: { ...row.body, [member]: text } }, row.updatedAt);
    }),
};
