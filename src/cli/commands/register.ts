import { randomBytes } from 'node:crypto';
import { Secret } from '../../core/secret.ts';
import type { EngineParts } from '../../engine/parts.ts';
import { type Registered, registerReceipt, registerShopper } from '../../engine/register.ts';
import type { Fault } from '../../engine/registration-faults.ts';
import { readStdin, readText } from '../../files/read.ts';
import { IN_MEMORY } from '../../ledger/sqlite.ts';
import { openLedger } from '../../ledger/store.ts';
import { checkedFile } from '../bad-configuration.ts';
import type { Common } from '../options.ts';
import { NotDone, say, sayJson } from '../output.ts';
import { configured, demandLedger, withPurser } from '../session.ts';

/** `purser shoppers import FILE`: registers all sessions of the file, or none. */
export async function importShoppers(file: string, options: Common): Promise<number> {
  const configuration = await configured(options);
  const given = read(file);
  const sessions: readonly unknown[] = Array.isArray(given) ? given : [given];
  return withPurser(configuration, async ({ engine: { parts } }) => {
    await rehearse(parts, configuration.tenant, sessions);
    const registered = [];
    for (const session of sessions)
      registered.push(registeredIn(await registerShopper(parts, configuration.tenant, session), ''));
    if (options.json) sayJson({ shoppers: registered });
    else if (registered.length === 0) say('The list is empty, so nothing was registered.');
    else for (const { shopper, cards } of registered) say(`${shopper}: ${cards.join(', ') || 'no cards'}`);
    return 0;
  });
}

/** `purser receipts add FILE`. */
export async function addReceipt(file: string, options: Common): Promise<number> {
  const configuration = await configured(options);
  demandLedger(configuration);
  const given = read(file);
  return withPurser(configuration, async ({ engine: { parts } }) => {
    const { receipt } = registeredIn(await registerReceipt(parts, configuration.tenant, given), '');
    if (options.json) sayJson({ receipt });
    else say(`${receipt} is recorded.`);
    return 0;
  });
}

/** Registers the sessions in a temporary ledger first, so that an invalid one is found before any is stored. */
async function rehearse(parts: EngineParts, tenant: string, sessions: readonly unknown[]): Promise<void> {
  const ledger = await openLedger({ file: IN_MEMORY, key: new Secret(randomBytes(32)) });
  try {
    for (const [at, session] of sessions.entries())
      registeredIn(await registerShopper({ ...parts, ledger }, tenant, session), sessions.length > 1 ? `[${at}].` : '');
  } finally {
    await ledger.close();
  }
}

function registeredIn<Value>(registered: Registered<Value>, at: string): Value {
  if (registered.ok) return registered.value;
  const said = registered.faults.map(({ field, rule, because }: Fault) => `${at}${field} (${rule}): ${because}`);
  throw new NotDone(`Nothing was registered. ${said.join(' ')}`);
}

/** The JSON of a file, or of stdin for `-`. */
function read(file: string): unknown {
  const text = checkedFile(() => (file === '-' ? readStdin('registration') : readText('registration', file)));
  try {
    return JSON.parse(text);
  } catch {
    throw new NotDone(`${file === '-' ? 'The input' : file} is not JSON.`); // the parser's message would quote the text
  }
}
