import type { Client } from '../client/client.ts';
import type { ReaderTransport } from '../core/reader.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { SecretStore } from '../ledger/secret-store.ts';
import type { AnchorStore, VerifiedPosition } from '../ledger/verification.ts';
import type { EngineSettings, Ports } from './settings.ts';
import type { Tool } from './tool.ts';

/** What an engine is made of. */
export interface EngineParts {
  /** The one tenant that it serves: `client` signs with this tenant's credentials. */
  readonly tenant: string;
  /** Every tool there is: what was begun with one must be brought to its end whoever is offered it now. */
  readonly tools: readonly Tool[];
  /** Those that callers have; all where nothing is said. */
  readonly offered?: readonly Tool[];
  readonly client: Client;
  /** The card reader, where there is one. */
  readonly reader?: ReaderTransport | undefined;
  readonly ledger: Ledger;
  readonly vault: SecretStore;
  readonly settings: EngineSettings;
  readonly ports: Ports;
  /** Keeps a row of the audit chain outside of the ledger. */
  readonly anchor?: AnchorStore | undefined;
  /** How far an earlier start had verified the audit chain, where nobody can have written since. */
  readonly verifiedBefore?: VerifiedPosition | undefined;
}
