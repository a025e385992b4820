import { continuation } from '../../src/engine/approval-text.ts';

/** The lines of an approval text, with those that were wrapped put together. */
export const approvalLines = (text = ''): readonly string[] => text.replaceAll(`\n${continuation}`, '').split('\n');
