import { auditMechanisms } from './audit-mechanisms.ts';
import { databaseMechanisms } from './database-mechanisms.ts';
import { decisionMechanisms } from './decision-mechanisms.ts';
import type { Mechanisms } from './lines.ts';
import { openedFileMechanisms } from './opened-file-mechanisms.ts';
import { proofMechanisms } from './proof-mechanisms.ts';
import { refusalMechanisms } from './refusal-mechanisms.ts';
import { registrationMechanisms } from './registration-mechanisms.ts';

/** What holds where rows were edited, files are broken, and persons decide. */
export const safeguardMechanisms: Mechanisms = {
  ...auditMechanisms,
  ...proofMechanisms,
  ...databaseMechanisms,
  ...refusalMechanisms,
  ...registrationMechanisms,
  ...decisionMechanisms,
  ...openedFileMechanisms,
};
