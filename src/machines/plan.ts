import { machine } from './machine.ts';

/** A stored payment plan, as far as its machine looks at it. */
export interface Plan {
  readonly state: string;
  /** Whether it was created as a draft. */
  readonly draft: boolean;
  /** Whether a subscription was ever created with it, or moved to it. */
  readonly assigned: boolean;
}

/** Document 2, "Plan"; decisions D-11 to D-13. A one-time plan lives inside its subscription and has no states. */
export const plan = machine('plan', {
  source: 'document 2',
  // biome-ignore format: a table
  rows: [
    ['DRAFT',    'activate',   'never assigned to a subscription', 'ACTIVE',   'usable for new subscriptions'],
    ['DRAFT',    'delete',     'standard plan',                    'deleted',  'removed from the system'],
    ['ACTIVE',   'deactivate', '',                                 'INACTIVE', 'existing subscriptions keep billing until completed or cancelled'],
    ['ACTIVE',   'delete',     'never assigned to a subscription', 'deleted',  'removed'],
    ['INACTIVE', 'activate',   'listed as allowed',                'ACTIVE',   ''],
    ['INACTIVE', 'delete',     'never assigned to a subscription', 'deleted',  'removed'],
  ],
  // biome-ignore format: a table
  assumed: [
    ['none',     'create',     'created as a draft',               'DRAFT',    'can be amended in every field; no subscription can use it yet'],
    ['none',     'create',     '',                                 'ACTIVE',   'usable for new subscriptions (D-11)'],
    ['DRAFT',    'amend',      '',                                 'DRAFT',    'all plan information may change'],
    ['ACTIVE',   'amend',      '',                                 'ACTIVE',   'some plan information may change (D-01)'],
  ],
  conditions: {
    'never assigned to a subscription': (it: Plan) => !it.assigned,
    // A plan that has a state is a standard one.
    'standard plan': (_: Plan) => true,
    // D-12: the document lists the move, and asks nothing of the plan.
    'listed as allowed': (_: Plan) => true,
    'created as a draft': (it: Plan) => it.draft,
  },
  breach: { create: 'PL-02', amend: 'PL-06', activate: 'PL-09', deactivate: 'PL-09', delete: 'PL-10' },
  final: { deleted: 'PL-10' },
  order: { usual: ['create', 'activate', 'amend', 'deactivate'], givesUp: ['delete'] },
});
