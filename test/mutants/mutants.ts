import { billingMutants } from './billing.ts';
import { borders } from './borders.ts';
import { callMutants } from './calls.ts';
import { conversionMutants } from './conversion.ts';
import { covers } from './covers.ts';
import { deviceMutants } from './device.ts';
import { faceMutants } from './faces.ts';
import { fileMutants } from './files.ts';
import { growth } from './growth.ts';
import { integrity } from './integrity.ts';
import { ledgerMutants } from './ledger.ts';
import { limitMutants } from './limits.ts';
import { moneyMutants } from './money.ts';
import { passkeyMutants } from './passkey.ts';
import { readerMutants } from './reader.ts';
import { reportingMutants } from './reporting.ts';
import { sandboxMutants } from './sandbox.ts';
import { screening } from './screening.ts';
import { secretMutants } from './secrets.ts';
import { serverMutants } from './servers.ts';
import { startingMutants } from './starting.ts';
import { streams } from './streams.ts';
import { taintMutants } from './taint.ts';
import { webhookMutants } from './webhooks.ts';
import { who } from './who.ts';

/**
 * Bugs that a careful person could write, one place each. `npm run mutants` puts one after the other into a copy of the
 * project and demands that the test named here fails. A promise whose mutant survives is not tested.
 */
export interface Mutant {
  readonly id: string;
  readonly title: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** `test file › pattern of test names`, the pattern being a regular expression. */
  readonly caughtBy: string;
}

export const mutants: readonly Mutant[] = [
  ...screening,
  ...growth,
  ...taintMutants,
  ...secretMutants,
  ...passkeyMutants,
  ...conversionMutants,
  ...integrity,
  ...callMutants,
  ...sandboxMutants,
  ...faceMutants,
  ...ledgerMutants,
  ...fileMutants,
  ...limitMutants,
  ...borders,
  ...covers,
  ...who,
  ...streams,
  ...webhookMutants,
  ...moneyMutants,
  ...reportingMutants,
  ...deviceMutants,
  ...readerMutants,
  ...serverMutants,
  ...startingMutants,
  ...billingMutants,
];
