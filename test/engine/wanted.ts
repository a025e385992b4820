import { type Card, isTainted, type Model, type Purchase, type Wanted } from './model.ts';

// The calls that the model-based test makes: what each does to the platform, and to what Purser knows.

export const enroll = (card: Card): Wanted => ({
  tool: 'enroll_card',
  key: card.handle,
  named: false,
  args: card.handle,
  subject: card.handle,
  repeatable: 'never',
  spends: 0,
  legal: () => true,
  needs: () => false,
  reads: () => '',
  apply: () => {
    card.verified ||= !card.asksCustomer && !card.enrolled;
    card.enrolled = true;
    return true;
  },
  learn: () => {
    card.known = card.verified || card.known === 'ACTIVE' ? 'ACTIVE' : 'PENDING';
  },
  learnLate: () => {
    card.known = card.known === 'ACTIVE' ? 'ACTIVE' : 'PENDING';
  },
});

export function initiate(it: Model, card: Card, reference: string, limit: number): Wanted {
  const purchase: Purchase = {
    reference,
    card: card.handle,
    handle: '',
    state: 'ACTIVE',
    limit,
    releases: 0,
    allowed: 1,
    lastReleased: undefined,
    under: 'first',
    receipt: undefined,
    really: 'ACTIVE',
    mandate: 'first',
    mandates: new Set(['first']),
    released: 0,
  };
  return {
    tool: 'initiate_purchase',
    key: reference,
    named: true,
    args: `${card.handle} ${limit}`,
    subject: '',
    repeatable: 'never',
    spends: 0,
    legal: () => card.known === 'ACTIVE',
    needs: () => true,
    reads: () => '',
    apply: () => true,
    learn: () => {
      it.purchases.push(purchase);
    },
    learnLate: () => {},
  };
}

export function update(it: Model, purchase: Purchase, limit: number): Wanted {
  const mandate = `update-${it.updates++}`;
  const widens = () => limit > purchase.limit;
  return {
    tool: 'update_purchase',
    key: purchase.handle,
    named: false,
    args: `${purchase.handle} ${limit}`,
    subject: purchase.handle,
    repeatable: 'for half an hour',
    spends: 0,
    legal: () => purchase.state === 'ACTIVE',
    needs: () => isTainted(it) || widens(),
    // A person reads what may be spent until now, beside what shall be.
    reads: () => String(purchase.limit),
    apply: () => {
      const isFresh = !purchase.mandates.has(mandate) || purchase.mandate === mandate;
      if (purchase.really !== 'ACTIVE' || !isFresh) return false;
      purchase.mandates.add(mandate);
      purchase.mandate = mandate;
      return true;
    },
    learn: () => {
      if (widens()) purchase.allowed = purchase.releases + 1;
      purchase.limit = limit;
      purchase.under = mandate;
    },
    learnLate: () => {
      purchase.limit = limit;
      purchase.under = mandate;
    },
  };
}

export const cancel = (purchase: Purchase): Wanted => ({
  tool: 'cancel_purchase',
  key: purchase.handle,
  named: false,
  args: purchase.handle,
  subject: purchase.handle,
  repeatable: 'always',
  spends: 0,
  legal: () => purchase.state === 'ACTIVE',
  needs: () => false,
  reads: () => '',
  apply: () => {
    if (purchase.really !== 'ACTIVE') return false;
    purchase.really = 'CANCELLED';
    return true;
  },
  learn: () => {
    purchase.state = 'CANCELLED';
  },
  learnLate: () => {
    purchase.state = 'CANCELLED';
  },
});

export const retrieve = (it: Model, purchase: Purchase, reference: string, pence: number): Wanted => ({
  tool: 'retrieve_credentials',
  key: reference,
  named: true,
  args: `${purchase.handle} ${pence}`,
  subject: purchase.handle,
  repeatable: 'never',
  spends: pence,
  legal: () => purchase.state === 'ACTIVE' && pence > 0 && pence <= purchase.limit,
  needs: () => isTainted(it) || purchase.releases >= purchase.allowed,
  // A person says yes to a release under the mandate that there is, not under the one that an update puts in its place.
  reads: () => `${purchase.releases} under ${purchase.under}`,
  apply: () => {
    if (purchase.really !== 'ACTIVE') return false;
    purchase.released++;
    return true;
  },
  learn: () => {
    purchase.releases++;
    purchase.allowed = Math.max(purchase.allowed, purchase.releases);
    purchase.lastReleased = pence;
  },
  learnLate: () => {
    purchase.releases++;
  },
});

export const confirm = (purchase: Purchase): Wanted => ({
  tool: 'confirm_transaction',
  key: purchase.receipt === undefined ? `none of ${purchase.handle}` : `receipt-${purchase.receipt.id}`,
  named: true,
  args: purchase.handle,
  subject: purchase.handle,
  repeatable: 'never',
  spends: 0,
  legal: () =>
    purchase.state === 'ACTIVE' &&
    purchase.releases > 0 &&
    purchase.receipt?.approved === true &&
    purchase.receipt.pence === purchase.lastReleased,
  needs: () => false,
  reads: () => '',
  apply: () => {
    if (purchase.really !== 'ACTIVE') return false;
    purchase.really = 'COMPLETED';
    return true;
  },
  learn: () => {
    purchase.state = 'COMPLETED';
  },
  learnLate: () => {
    purchase.state = 'COMPLETED';
  },
});
