import { capture, offer, refund } from '../../../src/domains/conversion/machines.ts';
import type { Snapshot } from '../../../src/sandbox/index.ts';
import type { Row } from '../world/ledger.ts';
import type { Transition } from './transition.ts';

// Transitions of offers, captures and refunds that no call of their own machine makes.

const batched = [capture.name, refund.name];

/** What time has done to captures, refunds and offers. An offer was chosen or not, which Purser alone knows. */
export function conversionTransitions(before: Snapshot, after: Snapshot): readonly Transition[] {
  const earlier = statesIn(before);
  return [...statesIn(after)].flatMap(([key, to]) => {
    const [machine = ''] = key.split(' ');
    const from = earlier.get(key);
    return from === 'PENDING' && to === 'TRANSMITTED' && batched.includes(machine)
      ? [{ machine, from, trigger: 'transmit', to }]
      : [];
  });
}

/** Captures and refunds that the platform made, and what became of offers: used, or expired in the state that Purser had them in. */
export function createdIn(platform: Snapshot, observations: readonly Row[]): readonly Transition[] {
  const states = statesIn(platform);
  const made = [...states].flatMap(([key, state]) => {
    const [machine = ''] = key.split(' ');
    const to = state === 'NOT_REFUNDED' ? state : 'PENDING';
    return batched.includes(machine) ? [{ machine, from: 'none', trigger: 'create', to }] : [];
  });
  const used = observations
    .filter(({ kind, state }) => kind === offer.name && state === 'USED')
    .map(() => ({ machine: offer.name, from: 'CHOSEN', trigger: 'authorize', to: 'USED' }));
  const expired = observations
    .filter(({ kind, body }) => kind === offer.name && states.get(`${offer.name} ${offerIdIn(body)}`) === 'EXPIRED')
    .map(({ state }) => ({ machine: offer.name, from: String(state), trigger: 'expire', to: 'EXPIRED' }));
  return [...made, ...used, ...expired];
}

const offerIdIn = (body: Row[string] | undefined): string =>
  String((JSON.parse(String(body ?? '{}')) as { readonly offerId?: unknown }).offerId ?? ''); // the ledger's own JSON

/** The state of every offer, capture and refund, by machine and id. */
const statesIn = ({ documents }: Snapshot): ReadonlyMap<string, string> =>
  new Map(
    documents
      .filter(({ kind }) => [offer.name, ...batched].includes(kind))
      .map(({ kind, body }) => [`${kind} ${body.id}`, String((body as { readonly state?: unknown }).state)]), // the sandbox's own documents
  );
