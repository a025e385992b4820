import { Secret } from '../core/secret.ts';
import { webhookProducts } from '../domains/webhooks/events.ts';
import { activate } from '../domains/webhooks/sandbox/deliveries.ts';
import { setStatus, subscribed } from '../domains/webhooks/sandbox/handlers.ts';
import { deliveryCall } from '../http/platform-events.ts';
import type { Sandbox } from '../sandbox/handler.ts';

/** The name of the subscription by which the embedded sandbox delivers to the server of its own process. */
const nameHere = 'purser serve';

/** Has the embedded sandbox deliver its events to the server of this process, which may have had another port before. */
export const subscribeHere = (sandbox: Sandbox, origin: string): Promise<void> =>
  sandbox.world.transaction((world) => {
    const webhookUrl = `${origin}${deliveryCall.split(' ')[1]}`;
    const known = world.list('webhook').find(({ terms }) => terms.name === nameHere);
    if (known !== undefined) {
      const moved = world.put('webhook', { ...known, terms: { ...known.terms, webhookUrl } });
      if (moved.suspended) activate(world, moved, 'resume');
      return;
    }
    const [merchant] = world.list('merchant');
    if (merchant === undefined) return;
    const products = (['tokenManagement', 'recurringBilling', 'customerInvoicing'] as const).map((productId) => ({
      productId,
      eventTypes: [...webhookProducts[productId].eventTypes],
    }));
    const terms = { name: nameHere, organizationId: merchant.id, products, webhookUrl };
    setStatus(world, subscribed(world, merchant, terms), 'ACTIVE');
  });

/** A key of a sandbox that signs deliveries: a merchant's, or that of one subscription. */
export const keyOfSandbox = (sandbox: Sandbox, keyId: string): Promise<Secret<string> | undefined> =>
  sandbox.world.transaction((world) => {
    const found = world.get('webhookKey', keyId) ?? world.list('webhook').find((it) => it.keyId === keyId);
    return found && new Secret(found.key);
  });
