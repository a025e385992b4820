import { olderSentence } from './anchor.ts';
import { compose, type Replacements, type Running } from './compose.ts';
import type { Configuration } from './configuration.ts';
import { startRecord } from './configuration-digest.ts';
import { tell } from './output.ts';

/** Starts a Purser that serves agents, and records its configuration in the audit. */
export async function started(configuration: Configuration, replace: Replacements = {}): Promise<Running> {
  const running = await compose(configuration, replace);
  try {
    const { ledger, ports } = running.engine.parts;
    const older = await olderSentence(configuration, running.ledger);
    if (older !== undefined) tell(older);
    await ledger.transaction(configuration.tenant, (tx) =>
      tx.audit.append({ event: 'started', body: startRecord(configuration), at: ports.clock.now() }),
    );
    return running;
  } catch (error) {
    await running.close();
    throw error;
  }
}
