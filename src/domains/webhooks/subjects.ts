import type { Kind } from '../facts.ts';
import { webhookProducts } from './events.ts';

/** What an event is about: a kind of thing, and the members of its data of which one holds the platform's id. */
export interface EventSubject {
  readonly kind: Kind;
  readonly idAt: readonly string[];
}

/** What the events of a product are about. Events of any other product are listed, and nothing is read for them. */
// biome-ignore format: a table
const subjects = {
  tokenManagement:   { kind: 'card',         idAt: ['instrumentIdentifierId', 'paymentInstrumentId', 'tokenId', 'id'] },
  recurringBilling:  { kind: 'subscription', idAt: ['subscriptionId', 'id'] },
  customerInvoicing: { kind: 'invoice',      idAt: ['id', 'invoiceId'] },
} as const satisfies { readonly [P in keyof typeof webhookProducts]?: EventSubject };

const byType: ReadonlyMap<string, EventSubject> = new Map(
  (Object.keys(subjects) as (keyof typeof subjects)[]) // the keys of the table
    .flatMap((product) => webhookProducts[product].eventTypes.map((type) => [type, subjects[product]] as const)),
);

/** The types of events that say what they are about. */
export const knownEventTypes: readonly string[] = [...byType.keys()];

/** What events of a type are about; undefined where that is not known. */
export const subjectOf = (eventType: string): EventSubject | undefined => byType.get(eventType);
