import type { Client } from '../client/client.ts';
import type { FileStore } from '../core/file-answer.ts';
import type { ReaderTransport } from '../core/reader.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { SecretStore } from '../ledger/secret-store.ts';
import type { AnchorStore, VerifiedPosition } from '../ledger/verification.ts';
import type { EngineSettings, Ports } from './settings.ts';
import type { Tool } from './tool.ts';

/** The parts of an engine. */
export interface EngineParts {
  /** The tenant it serves: `client` signs with its credentials. */
  readonly tenant: string;
  /** All tools: operations begun with a tool are completed even if it is no longer offered. */
  readonly tools: readonly Tool[];
  /** The tools that callers have; by default all. */
  readonly offered?: readonly Tool[];
  readonly client: Client;
  /** The card reader, if there is one. */
  readonly reader?: ReaderTransport | undefined;
  /** The store for files in responses; calls that need it are refused without one. */
  readonly files?: FileStore | undefined;
  readonly ledger: Ledger;
  readonly vault: SecretStore;
  readonly settings: EngineSettings;
  readonly ports: Ports;
  /** Stores a row of the audit chain outside the ledger. */
  readonly anchor?: AnchorStore | undefined;
  /** The position verified by an earlier start, if nobody can have written since. */
  readonly verifiedBefore?: VerifiedPosition | undefined;
}
