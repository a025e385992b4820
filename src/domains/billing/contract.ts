import { z } from 'zod';
import { customer, digits, model, server, text, under } from '../../core/fields.ts';
import { anySuccess, operation } from '../../core/operation.ts';
import { billingError } from './errors.ts';
import { plan, subscription } from './machines.ts';
import {
  billingCycles,
  billingPeriod,
  boolean,
  changedPeriod,
  changedTerms,
  clientReferenceInformation,
  codeAnswer,
  cyclesToSkip,
  deletedAnswer,
  filters,
  followOnAnswer,
  overrides,
  paging,
  paymentsAnswer,
  planAmounts,
  planAnswer,
  planCode,
  planDone,
  planPaging,
  planStatus,
  plansAnswer,
  skippedAnswer,
  someAmounts,
  subscriptionAnswer,
  subscriptionCode,
  subscriptionCreated,
  subscriptionDone,
  subscriptionInformation,
  subscriptionStatus,
  subscriptionsAnswer,
} from './shapes.ts';

// Recurring billing: document 2, "Endpoints". Calls that the document leaves open follow public models of the
// platform's clients. If a call is documented with two methods, the sandbox accepts both (D-24).

const planPath = { id: 'plan.planId' } as const;
const subscriptionPath = { id: 'subscription.subscriptionId' } as const;
/** Of a call whose answer is about the plan or the subscription in its address: about another it is none (EN-08). */
const byId = { asksFor: { by: 'id', namedAs: ['id'] } } as const;
const onePlan = { path: planPath, ...byId } as const;
const oneSubscription = { path: subscriptionPath, ...byId } as const;
const { planId: _, ...namedOnly } = subscriptionInformation().shape;

/** Document 2 calls these statuses successful, and assigns none to a call. The sandbox answers those of public models (D-150). */
const successes = [200, 201];
/** Document 2 calls 202 accepted, which isn't done: it is a success only of calls that public models answer with it (D-150). */
const acceptances = [200, 201, 202];

export const billing = {
  createPlan: operation({
    call: 'POST /rbs/v1/plans',
    title: 'Create a plan',
    about: 'Stores a billing schedule that many subscriptions can use.',
    effect: 'write',
    recovery: 'readBack',
    shape: 'PL-02',
    body: () =>
      z.looseObject({
        planInformation: z.looseObject({
          code: planCode.optional(),
          name: under('PL-02', customer(model(text))),
          description: customer(model(text)).optional(),
          status: model(planStatus.exclude(['INACTIVE'])).optional(),
          billingPeriod: billingPeriod(),
          billingCycles: billingCycles().optional(),
        }),
        orderInformation: z.looseObject({ amountDetails: z.looseObject(planAmounts()) }),
      }),
    output: () => ({ 201: planDone() }),
    successes,
    error: billingError,
    moves: plan.on('create'),
  }),

  listPlans: operation({
    call: 'GET /rbs/v1/plans',
    title: 'List plans',
    about: 'Lists the stored plans, filtered by name, code or status.',
    effect: 'read',
    recovery: 'repeat',
    shape: 'PL-12',
    query: () =>
      z.looseObject({
        filters: filters.optional(),
        name: model(text).optional(),
        code: planCode.optional(),
        status: model(planStatus).optional(),
        ...planPaging(),
      }),
    output: () => ({ 200: plansAnswer() }),
    error: billingError,
  }),

  getPlan: operation({
    call: 'GET /rbs/v1/plans/{id}',
    title: 'Retrieve a plan',
    about: 'Returns the current state of a plan.',
    effect: 'read',
    recovery: 'repeat',
    shape: 'EN-09',
    ...onePlan,
    output: () => ({ 200: planAnswer() }),
    error: billingError,
  }),

  getPlanCode: operation({
    call: 'GET /rbs/v1/plans/code',
    title: 'Retrieve the next plan code',
    about: 'Returns the code after the last specified one.',
    effect: 'read',
    recovery: 'repeat',
    shape: 'EN-09',
    output: () => ({ 200: codeAnswer() }),
    error: billingError,
  }),

  amendPlan: operation({
    call: 'PATCH /rbs/v1/plans/{id}',
    title: 'Amend a plan',
    about: 'Changes a plan for new subscriptions, or also for existing ones.',
    effect: 'money',
    recovery: 'repeat',
    shape: 'EN-09',
    ...onePlan,
    body: () =>
      z.looseObject({
        planInformation: z
          .looseObject({
            code: planCode.optional(),
            name: customer(model(text)).optional(),
            description: customer(model(text)).optional(),
            status: model(planStatus).optional(),
            billingPeriod: changedPeriod().optional(),
            billingCycles: billingCycles().optional(),
          })
          .optional(),
        processingInformation: z
          .looseObject({
            subscriptionBillingOptions: z
              .looseObject({ applyTo: under('PL-08', model(z.enum(['ALL', 'NEW']))).optional() })
              .optional(),
          })
          .optional(),
        orderInformation: z
          .looseObject({
            amountDetails: z.looseObject(someAmounts()).optional(),
          })
          .optional(),
      }),
    output: () => ({ 200: planDone() }),
    successes,
    error: billingError,
    moves: plan.on('amend'),
  }),

  activatePlan: operation({
    call: 'POST /rbs/v1/plans/{id}/activate',
    also: ['PATCH /rbs/v1/plans/{id}/activate'],
    title: 'Activate a plan',
    about: 'Makes a draft or an inactive plan usable for new subscriptions.',
    effect: 'write',
    recovery: 'readBack',
    shape: 'EN-09',
    ...onePlan,
    output: () => ({ 200: planDone() }),
    successes,
    error: billingError,
    moves: plan.on('activate'),
  }),

  deactivatePlan: operation({
    call: 'POST /rbs/v1/plans/{id}/deactivate',
    also: ['PATCH /rbs/v1/plans/{id}/deactivate'],
    title: 'Deactivate a plan',
    about: 'Closes a plan to new subscriptions; existing ones continue.',
    effect: 'write',
    recovery: 'readBack',
    shape: 'EN-09',
    ...onePlan,
    output: () => ({ 200: planDone() }),
    successes,
    error: billingError,
    moves: plan.on('deactivate'),
  }),

  deletePlan: operation({
    call: 'DELETE /rbs/v1/plans/{id}',
    title: 'Delete a plan',
    about: 'Removes a plan that never had a subscription.',
    effect: 'write',
    recovery: 'repeat',
    shape: 'EN-09',
    path: planPath,
    output: () => ({ 200: deletedAnswer() }),
    successes,
    error: billingError,
    moves: plan.on('delete'),
  }),

  createSubscription: operation({
    call: 'POST /rbs/v1/subscriptions',
    title: 'Create a subscription',
    about: "Charges a customer's token by a stored plan, or by a plan in the request itself.",
    effect: 'money',
    recovery: 'readBack',
    shape: 'SB-01',
    body: () =>
      z.looseObject({
        clientReferenceInformation: clientReferenceInformation().optional(),
        subscriptionInformation: subscriptionInformation(),
        ...overrides(),
        paymentInformation: z.looseObject({
          customer: z.looseObject({ id: under('SB-01', server(text, 'card.customerId')) }),
        }),
      }),
    output: () => ({ 201: subscriptionCreated() }),
    successes,
    error: billingError,
    moves: subscription.on('create'),
  }),

  listSubscriptions: operation({
    call: 'GET /rbs/v1/subscriptions',
    title: 'List subscriptions',
    about: 'Lists subscriptions, filtered by code, status, customer or reference.',
    effect: 'read',
    recovery: 'repeat',
    shape: 'EN-09',
    query: () =>
      z.looseObject({
        filters: filters.optional(),
        code: subscriptionCode.optional(),
        status: model(subscriptionStatus).optional(),
        customerId: server(text, 'card.customerId').optional(),
        clientReferenceInformationCode: server(text, 'reference').optional(),
        ...paging(),
      }),
    output: () => ({ 200: subscriptionsAnswer() }),
    error: billingError,
  }),

  getSubscription: operation({
    call: 'GET /rbs/v1/subscriptions/{id}',
    title: 'Retrieve a subscription',
    about: 'Returns the current state of a subscription, and what reactivating it would collect.',
    effect: 'read',
    recovery: 'repeat',
    shape: 'EN-09',
    ...oneSubscription,
    output: () => ({ 200: subscriptionAnswer() }),
    error: billingError,
  }),

  getSubscriptionCode: operation({
    call: 'GET /rbs/v1/subscriptions/code',
    title: 'Retrieve the next subscription code',
    about: 'Returns the code after the last specified one.',
    effect: 'read',
    recovery: 'repeat',
    shape: 'EN-09',
    output: () => ({ 200: codeAnswer() }),
    error: billingError,
  }),

  updateSubscription: operation({
    call: 'PATCH /rbs/v1/subscriptions/{id}',
    title: 'Update a subscription',
    about: "Changes a subscription's name, price, end or plan.",
    effect: 'money',
    recovery: 'readBack',
    shape: 'EN-09',
    ...oneSubscription,
    body: () =>
      z.looseObject({
        clientReferenceInformation: clientReferenceInformation().optional(),
        subscriptionInformation: z
          .looseObject({
            code: subscriptionCode.optional(),
            planId: server(text, 'plan.planId').optional(),
            name: subscriptionInformation().shape.name.optional(),
            startDate: subscriptionInformation().shape.startDate.optional(),
          })
          .optional(),
        ...changedTerms(),
      }),
    output: () => ({ 200: subscriptionDone('cancel', 'suspend', 'activate') }),
    successes,
    error: billingError,
    moves: subscription.on('update'),
  }),

  cancelSubscription: operation({
    call: 'POST /rbs/v1/subscriptions/{id}/cancel',
    title: 'Cancel a subscription',
    about: 'Ends a subscription for good; nothing more is charged.',
    effect: 'write',
    recovery: 'repeat',
    shape: 'EN-09',
    ...oneSubscription,
    output: () => ({ 202: subscriptionDone() }),
    successes: acceptances,
    error: billingError,
    moves: subscription.on('cancel'),
  }),

  suspendSubscription: operation({
    call: 'POST /rbs/v1/subscriptions/{id}/suspend',
    title: 'Suspend a subscription',
    about: 'Stops charging until the subscription is reactivated.',
    effect: 'write',
    recovery: 'readBack',
    shape: 'EN-09',
    ...oneSubscription,
    output: () => ({ 202: subscriptionDone() }),
    successes: acceptances,
    error: billingError,
    moves: subscription.on('suspend'),
  }),

  reactivateSubscription: operation({
    call: 'POST /rbs/v1/subscriptions/{id}/activate',
    title: 'Reactivate a subscription',
    about: 'Charges a suspended subscription again from its next cycle on, and its missed payments if requested.',
    effect: 'money',
    recovery: 'readBack',
    shape: 'EN-09',
    ...oneSubscription,
    query: () => z.looseObject({ processMissedPayments: model(boolean).optional() }),
    output: () => ({ 200: subscriptionDone() }),
    successes,
    error: billingError,
    moves: subscription.on('reactivate'),
  }),

  listSubscriptionPayments: operation({
    call: 'GET /rbs/v1/subscriptions/{id}/payments',
    title: 'List payments of a subscription',
    about: 'Lists paid, failed and scheduled payments.',
    effect: 'read',
    recovery: 'repeat',
    shape: 'EN-09',
    path: subscriptionPath,
    query: () => z.looseObject({ ...paging(), scheduledPaymentsCount: model(digits).optional() }),
    output: () => ({ 200: paymentsAnswer() }),
    error: billingError,
  }),

  skipSubscriptionPayments: operation({
    call: 'PUT /rbs/v1/subscriptions/{id}/payments',
    also: ['POST /rbs/v1/subscriptions/{id}/payments'],
    title: 'Skip or restore payments',
    about: 'Sets which scheduled billing cycles are skipped; all others are charged.',
    effect: 'write',
    recovery: 'repeat',
    shape: 'SB-14',
    path: subscriptionPath,
    body: () => z.looseObject({ billingCyclesToSkip: cyclesToSkip }),
    output: () => anySuccess(skippedAnswer()),
    error: billingError,
  }),

  getFollowOn: operation({
    call: 'GET /rbs/v1/subscriptions/follow-ons/{requestId}',
    title: 'Retrieve a payment to follow on',
    about: 'Returns the customer of a payment, for a subscription that follows it.',
    effect: 'read',
    recovery: 'repeat',
    shape: 'EN-09',
    path: { requestId: 'args.payment' },
    output: () => ({ 200: followOnAnswer() }),
    error: billingError,
  }),

  createFollowOnSubscription: operation({
    call: 'POST /rbs/v1/subscriptions/follow-ons/{requestId}',
    title: 'Create a subscription from a payment',
    about: 'Creates a subscription that charges the customer of an earlier payment.',
    effect: 'money',
    recovery: 'readBack',
    shape: 'SB-01',
    path: { requestId: 'followOn.requestId' },
    body: () =>
      z.looseObject({
        clientReferenceInformation: clientReferenceInformation().optional(),
        subscriptionInformation: z.looseObject({ ...namedOnly, planId: server(text, 'plan.planId').optional() }),
        ...overrides(),
      }),
    output: () => ({ 201: subscriptionCreated() }),
    successes,
    error: billingError,
    moves: subscription.on('create'),
  }),
} as const;
