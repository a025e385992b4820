import { machine } from '../../../core/machine.ts';

// What the sandbox does with subscriptions and deliveries. Document 1 shows no state of either; public models of the platform's
// clients name the states (D-71). No tool of Purser's moves one, so these tables are the sandbox's own.

/** A webhook subscription, as far as its machine looks at it. */
export interface WebhookState {
  readonly state: string;
  /** Whether the platform itself has switched it off, because nobody took its deliveries. */
  readonly suspended: boolean;
}

export const webhook = machine('webhook', {
  source: 'document 1',
  rows: [],
  // biome-ignore format: a table
  assumed: [
    ['none',     'create',     '',                              'INACTIVE', 'it delivers nothing yet'],
    ['INACTIVE', 'activate',   '',                              'ACTIVE',   'what was held is delivered'],
    ['ACTIVE',   'activate',   '',                              'ACTIVE',   ''],
    ['ACTIVE',   'deactivate', '',                              'INACTIVE', 'what was not delivered is dropped'],
    ['INACTIVE', 'deactivate', '',                              'INACTIVE', 'what was held is dropped'],
    ['ACTIVE',   'suspend',    '',                              'INACTIVE', 'events are held until it is healthy'],
    ['INACTIVE', 'resume',     'suspended by the platform',     'ACTIVE',   'what was held is delivered'],
  ],
  conditions: { 'suspended by the platform': (it: WebhookState) => it.suspended },
  breach: {},
  actors: { create: 'person', activate: 'person', deactivate: 'person', suspend: 'platform', resume: 'platform' },
});

/** The delivery of one event to one subscription, as far as its machine looks at it. */
export interface DeliveryState {
  readonly state: string;
  /** Whether its subscription is suspended. */
  readonly held: boolean;
  /** Whether the retry policy has another attempt. */
  readonly retries: boolean;
  /** Whether its subscription is suspended when no attempt is left. */
  readonly suspends: boolean;
}

export const delivery = machine('delivery', {
  source: 'document 1',
  rows: [],
  // biome-ignore format: a table
  assumed: [
    ['none',      'create', 'the subscription is suspended',                 'SUSPENDED', 'it is held'],
    ['none',      'create', '',                                              'PENDING',   ''],
    ['PENDING',   'accept', '',                                              'DELIVERED', ''],
    ['PENDING',   'refuse', 'the retry policy has another attempt',          'PENDING',   ''],
    ['PENDING',   'refuse', 'deactivateFlag suspends the subscription',      'SUSPENDED', 'it is held'],
    ['PENDING',   'refuse', '',                                              'FAILED',    'it is given up'],
    ['PENDING',   'hold',   '',                                              'SUSPENDED', ''],
    ['SUSPENDED', 'resume', '',                                              'PENDING',   'the retry policy begins again'],
    ['PENDING',   'drop',   '',                                              'DROPPED',   ''],
    ['SUSPENDED', 'drop',   '',                                              'DROPPED',   ''],
  ],
  conditions: {
    'the subscription is suspended': (it: DeliveryState) => it.held,
    'the retry policy has another attempt': (it: DeliveryState) => it.retries,
    'deactivateFlag suspends the subscription': (it: DeliveryState) => it.suspends,
  },
  breach: {},
  actors: {
    ...{ create: 'platform', accept: 'platform', refuse: 'platform' },
    ...{ hold: 'platform', resume: 'platform', drop: 'platform' },
  },
});
