import { z } from 'zod';
import { entered, platform, secret, text, under, word } from '../../core/fields.ts';
import { limits } from '../../core/limits.ts';
import { once } from '../../core/once.ts';
import { operation, type Sealing } from '../../core/operation.ts';
import { keyError } from './errors.ts';

/** A generated key as the platform returns it, once. */
const generatedKey = once(() =>
  z.looseObject({
    organizationId: platform(text),
    externalOrganizationId: platform(text).optional(),
    /** The document doesn't show its form; a space or a line end would not survive a file. */
    key: secret(platform(z.string().regex(/^[\x21-\x7e]{1,8192}$/, 'must be printable text without spaces'))),
    keyId: platform(z.string().regex(/^[\w-]{1,128}$/, 'must be an id')),
    status: platform(word),
    expirationDate: platform(text),
  }),
);

const generated = once(() =>
  z.looseObject({
    submitTimeUtc: platform(text),
    status: platform(word),
    keyInformation: z.array(generatedKey()).length(1),
  }),
);

/** The key goes into the vault, until the operator's command has written it to a file. */
const sealing: Sealing = {
  lifetimeSeconds: limits.deviceKeySeconds,
  async open(answer) {
    const [found] = generated().safeParse(answer).data?.keyInformation ?? [];
    if (found === undefined) return { unreadable: ['keyInformation'] };
    const { key, ...shown } = found;
    return { shown: { keyId: shown.keyId, status: shown.status, expires: shown.expirationDate }, secret: { key } };
  },
};

/** Secret keys of acceptance devices: document 3, "Key generation". */
export const keys = {
  generateDeviceKey: operation({
    call: 'POST /kms/v2/keys-sym-pos',
    title: 'Generate a secret key for devices',
    about: 'Generates the secret key with which acceptance devices of a merchant ID sign in. It is shown once.',
    effect: 'write',
    recovery: 'park',
    callers: ['operator'],
    shape: 'KY-01',
    body: () =>
      z.looseObject({
        keyInformation: z.array(z.looseObject({ organizationId: under('KY-01', entered(text)) })).length(1),
      }),
    // The document shows no HTTP status.
    output: () => ({ 200: generated(), 201: generated() }),
    error: keyError,
    sealing,
  }),
} as const;
