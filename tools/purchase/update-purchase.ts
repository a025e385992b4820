import type { Facts } from '../../src/domains/facts.ts';
import { waitingFor } from '../../src/domains/purchase/machines.ts';
import { orderings } from '../../src/engine/approval-scope.ts';
import type { ToolSpec } from '../../src/engine/tool.ts';
import { handle, undescribed } from '../../src/engine/tool-arguments.ts';
import { purchaseEntity, verifyFirst } from './instruction.ts';
import { approvalText, before, forOneMerchant, mandateArgs, spendOf, terms } from './mandate.ts';
import { purchaseShown, showPurchase } from './output.ts';

/** The part of an update's body that changes the terms. */
interface UpdateSent {
  readonly mandates: readonly {
    readonly mandateId: string;
    readonly description: string;
    readonly declineThreshold: { readonly amount: string; readonly currencyCode: string };
    readonly effectiveUntilTime: string;
    readonly preferredMerchantName?: string;
    readonly recurringPaymentInformation?: { readonly occurrence: string };
  }[];
}

/** The terms that a confirmed update set. */
const termsSent = ({ mandates: [mandate] }: UpdateSent) =>
  mandate === undefined
    ? {}
    : {
        mandateId: mandate.mandateId,
        description: mandate.description,
        limit: mandate.declineThreshold.amount,
        currency: mandate.declineThreshold.currencyCode,
        until: mandate.effectiveUntilTime,
        merchant: mandate.preferredMerchantName ?? '',
        every: mandate.recurringPaymentInformation?.occurrence ?? '',
      };

const mandateCurrency = 'mandates[].declineThreshold.currencyCode';
/** Changes that need no new approval. Any other difference does. */
const narrowerMandate = {
  'mandates[].declineThreshold.amount': orderings.lessMoney(mandateCurrency),
  'mandates[].effectiveUntilTime': orderings.less,
  'mandates[].quantity': orderings.less,
  'mandates[].recurringPaymentInformation.occurrence': orderings.withdrawn,
};

/** The limit counted by an earlier call; undefined if it was in another currency. */
const countedBefore = ({ things, args }: Facts): string | undefined => {
  const limit = args.limit as { currency: string }; // by the tool's shape
  const was = things.instruction?.body;
  return was?.currency === limit.currency ? was.limit : undefined;
};

export const updatePurchase: ToolSpec<'updatePurchase'> = {
  description:
    'Replace the terms of an open purchase, as in initiate_purchase, when the customer changes them. A person approves it again unless it only reduces them.',
  sharesArguments: {
    tool: 'initiate_purchase',
    otherwise:
      'Replace the terms of an open purchase when the customer changes them. A person approves it again unless it only reduces them.',
  },
  input: {
    args: () => ({ instruction: handle('instruction', 'Purchase to change.'), ...undescribed(mandateArgs()) }),
    carryOver: forOneMerchant,
  },
  policy: {
    lockKey: ({ things }) => things.instruction?.handle ?? '',
    // The limit was counted at initiation; only an increase is added.
    spend: (facts) => ({ ...spendOf(facts), counted: countedBefore(facts) }),
    approval: {
      needed: () => false,
      within: { approved: ({ things }) => things.instruction?.body.agreed ?? undefined, narrower: narrowerMandate },
      title: () => 'Allow the agent to change the purchase',
      before,
      text: approvalText,
    },
  },
  observe: {
    moves: { kind: 'instruction', entity: purchaseEntity },
    observations: (facts, _, { state, authored, approved }) => [
      {
        kind: 'instruction',
        body: {
          ...terms(facts),
          agreed: authored,
          waiting: waitingFor(state, 'update'),
          // Approving a changed mandate approves one release under it.
          ...(approved ? { releasesApproved: (facts.things.instruction?.body.releases ?? 0) + 1 } : {}),
        },
      },
    ],
  },
  present: {
    messages: { ACTIVE: 'The purchase is updated.', PENDING: verifyFirst },
    outputSchema: purchaseShown,
    toOutput: showPurchase,
  },
  reconcile: {
    // Sent bodies match the contract.
    confirmed: (_, { body }, authored) => [
      { kind: 'instruction', body: { ...termsSent(body as unknown as UpdateSent), agreed: authored } },
    ],
  },
};
