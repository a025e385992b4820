import type { KindsOf, Thing } from '../../core/thing.ts';
import { isOnHold } from './machines.ts';

// What the ledger knows of the card reader, of its transactions and of the keys of devices. Amounts are decimal text.

export interface DeviceThings {
  readonly cardReader?: Thing<DeviceFacts>;
  readonly devicePayment?: Thing<TransactionFacts>;
  readonly deviceKey?: Thing<DeviceKeyFacts>;
}

export const kinds = {
  cardReader: { platformId: 'reader', foundBy: ['device_status'], shownBy: 'device_status' },
  devicePayment: {
    words: 'device transaction',
    platformId: 'identifier',
    neverChanges: ['reference', 'currency'],
    foundBy: ['list_device_transactions'],
    shownBy: 'lookup_device_transaction',
    search: {
      keys: ({ state, body, createdAt }) => [
        { key: 'all', value: '', at: createdAt },
        { key: 'reference', value: String(body.reference ?? ''), at: createdAt },
        // Time ends a hold.
        { key: 'state', value: state, at: isOnHold(state) ? Number(body.expiresAt ?? createdAt) : createdAt },
      ],
    },
  },
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

export interface DeviceFacts {
  /** The tenant's id: each tenant has one reader. */
  readonly reader: string;
  /** Answered by its last enrollment. */
  readonly deviceId?: string | undefined;
  // What its app reported when it last connected.
  readonly environment?: string | undefined;
  readonly serialNumber?: string | undefined;
  readonly handsetGeneration?: number | undefined;
  readonly osVersion?: string | undefined;
  /** `YYYY-MM-DD`. */
  readonly osReleasedOn?: string | undefined;
  readonly sdkVersion?: string | undefined;
  /** Whether the education screens were shown since the last enrollment. */
  readonly educationShown?: boolean | undefined;
}

export interface TransactionFacts {
  /** The platform's id. */
  readonly identifier: string;
  /** The platform's word for its status. */
  readonly status: string;
  /** The merchant's reference: its customIdentifier. */
  readonly reference: string;
  /** Handle of the device. */
  readonly cardReader: string;
  readonly type: 'charge' | 'credit';
  readonly currency: string;
  /** What is charged or held, with the tip and every increment. */
  readonly total: string;
  readonly tip?: string | undefined;
  /** The most that the approvals of the charge and its increments allow; absent where Purser didn't make the charge. */
  readonly approved?: string | undefined;
  /** Of these, what its increments were approved for. */
  readonly incremented?: string | undefined;
  readonly preauthorizes: boolean;
  readonly captured: string;
  readonly refunded: string;
  /** When it was charged, held or paid, as far as Purser knows, in milliseconds. A stored row of an older build may lack it. */
  readonly begunAt?: number | undefined;
  /** When its pre-authorization expires, in milliseconds. */
  readonly expiresAt?: number | undefined;
  /** The platform's text for the customer. */
  readonly receiptText?: string | undefined;
}

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
