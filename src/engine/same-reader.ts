import type { ReaderTransport } from '../core/reader.ts';
import type { OperationRow } from '../ledger/rows.ts';
import { laneOf } from './lanes.ts';
import { operationOf, type PlatformTool } from './tool.ts';

// Several counters can share a ledger, each with its reader and its process. What an app says of its calls counts for those that were sent
// to its reader: the app of another counter runs none of them, and that proves nothing.

type Readers = Pick<ReaderTransport, 'serialNumbers'> | undefined;

/** The serial numbers of the connected readers, for a call that is sent to one. */
export const readersOf = (tool: PlatformTool, reader: Readers): readonly string[] =>
  laneOf(operationOf(tool)) === 'reader' ? (reader?.serialNumbers() ?? []) : [];

/** Whether the connected readers are those that a call was sent to. An app that says no serial number can't be told from another one. */
export function isSameReader({ request }: Pick<OperationRow, 'request'>, reader: Readers): boolean {
  const asked = request?.readers;
  if (!Array.isArray(asked)) return true;
  const connected = new Set<unknown>(reader?.serialNumbers());
  return asked.some((it) => connected.has(it));
}
