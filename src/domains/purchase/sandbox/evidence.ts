import type { z } from 'zod';
import type { BodyOf } from '../../../sandbox/answer.ts';
import type { purchase } from '../contract.ts';
import type { confirmationByTransaction } from '../shapes.ts';
import type { Confirmation } from './documents.ts';

/** The fields of an `assuranceData` entry that the platform evaluates. */
interface Assurance {
  readonly verificationMethod?: string | undefined;
  readonly verificationResults?: string | undefined;
  readonly verificationEvents?: readonly string[] | undefined;
}

// Codes of the platform's public models.
const verifiedResult = '01';
const enrollmentEvent = '02';
const passkeyMethod = '23';

/** Whether the cardholder was verified for the enrollment of the card (D-04). */
export const provesEnrollment = ({ verificationResults, verificationEvents = [] }: Assurance): boolean =>
  verificationResults === verifiedResult && verificationEvents.includes(enrollmentEvent);

/** Whether the customer authenticated with a passkey. */
export const provesPasskey = ({ verificationMethod, verificationResults }: Assurance): boolean =>
  verificationMethod === passkeyMethod && verificationResults === verifiedResult;

type ByTransaction = z.output<ReturnType<typeof confirmationByTransaction>>;
type ByEvent = BodyOf<typeof purchase.confirmTransaction>;

/** The further bodies of the agent operations. */
export interface ConfirmationForms {
  readonly confirmTransaction: ByTransaction;
}

/** The events of a confirmation, in either of its two forms. */
export function eventsOf(body: ByEvent | ByTransaction, now: number): readonly Confirmation[] {
  return isByTransaction(body)
    ? body.transactionData.map(({ clientReferenceInformation, type = 'PURCHASE' }) => ({
        reference: clientReferenceInformation.code,
        transactionType: type,
        // This form has no status: a reported transaction was processed.
        transactionStatus: 'APPROVED',
        at: now,
      }))
    : body.confirmationData.map(({ clientReferenceInformation, processorInformation }) => ({
        reference: clientReferenceInformation.code,
        transactionType: processorInformation.transactionType,
        transactionStatus: processorInformation.transactionStatus,
        at: now,
      }));
}

const isByTransaction = (body: ByEvent | ByTransaction): body is ByTransaction => Array.isArray(body.transactionData);
