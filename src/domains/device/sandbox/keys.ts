import { z } from 'zod';
import { limits } from '../../../core/limits.ts';
import { addMonths } from '../../../core/schedule.ts';
import { PlatformError } from '../../../sandbox/answer.ts';
import { isoTime } from '../../../sandbox/clock.ts';
import { controlCall, type HandlersOf } from '../../../sandbox/domain.ts';
import type { keys } from '../keys.ts';
import type { DeviceKeyDocument } from './documents.ts';

/** Generates keys. A key is derived from its id, so the world stores none. */
export const keyHandlers: HandlersOf<typeof keys> = {
  generateDeviceKey({ body, merchant }, world) {
    const [{ organizationId } = { organizationId: '' }] = body.keyInformation; // exactly one, by the contract
    if (organizationId !== merchant.id)
      throw new PlatformError(404, 'NOT_FOUND', 'There is no merchant ID like this one.', {
        source: 'keyInformation[0].organizationId',
      });
    const { id, expiresAt } = world.put('deviceKey', {
      ...{ id: world.uuid('device key'), merchantId: merchant.id, createdAt: world.now },
      expiresAt: addMonths(world.now, limits.deviceKeyMonths),
    });
    const generated = {
      ...{ organizationId, externalOrganizationId: organizationId, keyId: id, status: 'ACTIVE' },
      ...{ key: world.derive(`device key/${id}`).toString('base64'), expirationDate: isoTime(expiresAt) },
    };
    const answer = { submitTimeUtc: isoTime(world.now), status: 'ACCEPTED', keyInformation: [generated] };
    return { status: 201, entity: id, body: answer };
  },
};

/** What the merchant portal shows of keys: that they exist, and never a key. */
export const keyControl = controlCall('GET /sandbox/device-keys', z.strictObject({}), ({ world }) => ({
  keys: world.list('deviceKey').map(({ id, merchantId, createdAt, expiresAt }: DeviceKeyDocument) => ({
    ...{ keyId: id, organizationId: merchantId, created: isoTime(createdAt), expires: isoTime(expiresAt) },
  })),
}));
