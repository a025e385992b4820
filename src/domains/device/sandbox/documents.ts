import type { Document } from '../../../sandbox/documents.ts';

// The documents of devices. Moments are milliseconds of the virtual clock.

declare module '../../../sandbox/documents.ts' {
  interface Kinds {
    readonly deviceKey: DeviceKeyDocument;
  }
}

/** A key that devices sign in with. The key itself is derived from the world's seed and shown once. */
export interface DeviceKeyDocument extends Document {
  readonly merchantId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}
