import type { KindsOf, Thing } from '../../core/thing.ts';

// What is known of devices and of their keys.

export interface DeviceThings {
  readonly deviceKey?: Thing<DeviceKeyFacts>;
}

export const kinds = {
  deviceKey: {
    platformId: 'keyId',
    foundBy: ['list_operations'],
    shownBy: 'get_operation',
    approvalBinds: 'nothing',
    search: {
      keys: ({ body, createdAt }) => [{ key: 'organization', value: String(body.organization ?? ''), at: createdAt }],
    },
    secret: { member: 'secret', redeemedBy: 'operator' },
  },
} as const satisfies KindsOf<DeviceThings>;

/** A generated key, without the key itself. Its state is the platform's. */
export interface DeviceKeyFacts {
  /** The platform's id. */
  readonly keyId: string;
  /** The merchant ID that it is for. */
  readonly organization: string;
  /** When the platform ends it, as the platform wrote it. */
  readonly expires: string;
  /** When the vault deletes it, in milliseconds since the epoch. */
  readonly expiresAt: number;
}
