import type { domains } from '../../src/domains/index.ts';
import { platformTools } from '../../src/engine/tool.ts';
import { cancelPurchase } from './cancel-purchase.ts';
import { confirmTransaction } from './confirm-transaction.ts';
import { enrollCard } from './enroll-card.ts';
import { initiatePurchase } from './initiate-purchase.ts';
import { retrieveCredentials } from './retrieve-credentials.ts';
import { updatePurchase } from './update-purchase.ts';

/** Cards and purchases, in the order in which agents see the tools. */
export const purchase = platformTools<keyof typeof domains.purchase.contract>({
  enrollCard,
  initiatePurchase,
  updatePurchase,
  cancelPurchase,
  retrieveCredentials,
  confirmTransaction,
});
