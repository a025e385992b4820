import { day as dayMilliseconds } from '../../../core/schedule.ts';
import { type Answer, invalid, PlatformError } from '../../../sandbox/answer.ts';
import { isoTime } from '../../../sandbox/clock.ts';
import type { Merchant } from '../../../sandbox/documents.ts';
import type { World } from '../../../sandbox/world.ts';
import type { NewKey } from '../management.ts';
import type { WebhookDocument, WebhookKeyDocument } from './documents.ts';

/** The type of the keys that sign; keys of other types are for addresses that ask the platform to sign in, which none of the sandbox's do. */
const signing = 'sharedSecret';

/** Days for which a key is good, where nobody says. */
const usualDays = '365';

/** Creates a key, or stores the merchant's own. Throws the platform's 400. */
export function keyMade(world: World, merchant: Merchant, body: NewKey): Answer {
  const { clientReferenceInformation, clientRequestAction = 'CREATE', keyInformation = {} } = body;
  const { organizationId = merchant.id, tenant = merchant.id, provider, clientKeyId } = keyInformation;
  if (organizationId !== merchant.id)
    throw invalid('keyInformation.organizationId', 'The organization is not that of the credentials.');
  const made = stored[clientRequestAction](world, merchant, keyInformation);
  const days = Number(keyInformation.expiryDuration ?? usualDays);
  const told = {
    ...(provider === undefined ? {} : { provider }),
    ...{ tenant, organizationId },
    ...(clientKeyId === undefined ? {} : { clientKeyId }),
    ...{ keyId: made.id, key: made.key, keyType: made.keyType, status: 'Active' },
    expirationDate: isoTime(world.now + days * dayMilliseconds),
  };
  const code = clientReferenceInformation?.code;
  const echo = code === undefined ? {} : { clientReferenceInformation: { code } };
  const answer = { submitTimeUtc: isoTime(world.now), status: 'SUCCESS', ...echo, keyInformation: told };
  return { status: 201, entity: made.id, body: answer };
}

type Asked = NonNullable<NewKey['keyInformation']>;

const stored: {
  readonly [A in NonNullable<NewKey['clientRequestAction']>]: (
    world: World,
    merchant: Merchant,
    asked: Asked,
  ) => WebhookKeyDocument;
} = {
  CREATE: (world, merchant, asked) => {
    const id = world.uuid('delivery key');
    return put(world, merchant, asked, id, world.derive(`delivery key/${id}`).toString('base64'));
  },
  STORE: (world, merchant, asked) => {
    const source = 'keyInformation.key';
    if (asked.key === undefined) throw new PlatformError(400, 'MISSING_FIELD', `${source} is missing.`, { source });
    return put(world, merchant, asked, world.uuid('delivery key'), asked.key);
  },
};

const put = (world: World, merchant: Merchant, { keyType = signing }: Asked, id: string, key: string) =>
  world.put('webhookKey', { id, merchantId: merchant.id, seq: world.count('delivery key'), keyType, key });

/** What signs the deliveries of a subscription: the newest key of its merchant, or else one of its own (D-140). */
export function keyOf(world: World, it: WebhookDocument): { readonly keyId: string; readonly key: string } {
  const [newest] = world
    .list('webhookKey')
    .filter(({ merchantId, keyType }) => merchantId === it.merchantId && keyType === signing)
    .toSorted((one, other) => other.seq - one.seq);
  return newest === undefined ? it : { keyId: newest.id, key: newest.key };
}
