import { limits } from '../../core/limits.ts';
import type { Answer } from '../../engine/answer.ts';
import { recordDecision } from '../../engine/approval-service.ts';
import type { Engine } from '../../engine/engine.ts';
import { type ReservedFile, reserveFile } from '../../files/reserve.ts';
import type { Caller } from '../../ledger/ledger.ts';
import type { ObservationRow } from '../../ledger/rows.ts';
import { BadConfiguration, checkedFile } from '../bad-configuration.ts';
import type { Common } from '../options.ts';
import { NotDone, oneLine, say, sayJson, show } from '../output.ts';
import { configured, personHere, withPurser } from '../session.ts';
import { confirmed, hasTerminal } from '../terminal.ts';

interface Chosen extends Common {
  readonly to: string;
  readonly organization?: string;
}

/** A generated key, as the ledger knows it. */
interface Generated {
  readonly handle: string;
  readonly keyId: string;
  readonly expires: string;
}

const generatedOf = ({ handle, body }: Pick<ObservationRow, 'handle' | 'body'>): Generated => ({
  handle,
  keyId: String(body.keyId),
  expires: oneLine(String(body.expires)),
});

/**
 * `purser keys generate`: generates a secret key for acceptance devices, once a person has approved it, and writes it to a new file. The
 * file is made first: a key that can't be written would exist, and nobody would have it (KY-01).
 */
export async function generateKey({ to, organization: named, ...options }: Chosen): Promise<number> {
  const configuration = await configured(options);
  if (!configuration.hasOperatorCalls)
    throw new BadConfiguration(
      'Keys are generated with the profile `operator` only: run this command with PURSER_PROFILE=operator.',
    );
  const file = checkedFile(() => reserveFile('deviceKey', to, limits.secretFileBytes));
  try {
    return await withPurser(configuration, async ({ engine }) => {
      const organization = named ?? engine.parts.settings.merchant.id;
      const caller: Caller = { tenant: configuration.tenant, principal: 'operator', role: 'operator' };
      const waiting = await collectEarlier(engine, caller, organization, file);
      const key = waiting ?? (await generateNew(engine, caller, organization, file));
      if (options.json) sayJson({ organization, keyId: key.keyId, expires: key.expires, file: to });
      else
        say(
          `${waiting === undefined ? 'The key' : 'No key was generated. One that an earlier run did not collect,'} ${key.keyId} of ${organization}, is in ${to}. It is valid until ${key.expires}. Move it to the app that takes payments, and delete the file: neither Purser nor the platform shows the key again.`,
        );
      return 0;
    });
  } finally {
    file.release();
  }
}

/** Has a key generated, and writes it to the file. */
async function generateNew(
  engine: Engine,
  caller: Caller,
  organization: string,
  file: ReservedFile,
): Promise<Generated> {
  const call = () => engine.call('generate_device_key', { organization }, caller);
  const first = await call();
  const answer = first.outcome === 'needs_approval' ? await approvedHere(engine, first, call) : first;
  if (answer.outcome === 'unknown') throw new NotDone(lost(answer, organization));
  if (answer.outcome !== 'done') throw new NotDone(`No key was generated. ${answer.said}`);
  const row = await engine.parts.ledger.read(caller.tenant, (tx) => tx.observations.find(String(answer.data?.key)));
  if (row === undefined) throw new Error('The key is in the ledger: its answer names it.');
  const generated = generatedOf(row);
  if (!(await collect(engine, caller, generated, file)))
    throw new NotDone(
      `The key ${generated.keyId} was generated, but another run of this command has collected it. Look for its file.`,
    );
  return generated;
}

/** Has the person at this terminal approve the call. Without a terminal it waits for "purser approvals". */
async function approvedHere(engine: Engine, { approval }: Answer, call: () => Promise<Answer>): Promise<Answer> {
  const { id = '', text = '' } = approval ?? {};
  if (!hasTerminal())
    throw new NotDone(
      `Nothing was sent: a person must approve it. Run "purser approvals approve ${id}", then this command again.`,
    );
  show(text);
  if (!(await confirmed('Generate this key, once?')))
    throw new NotDone(`Nothing was sent. The approval ${id} goes on waiting; "purser approvals deny ${id}" ends it.`);
  const decided = await recordDecision(engine.parts, id, 'approve', personHere(engine.parts.tenant));
  if (!decided.ok) throw new NotDone(`Nothing was sent. ${decided.because}`);
  return call();
}

/** Writes a key that an earlier run generated, and that the vault still has, to the file. */
async function collectEarlier(
  engine: Engine,
  caller: Caller,
  organization: string,
  file: ReservedFile,
): Promise<Generated | undefined> {
  const ranges = [{ key: 'organization', value: organization }];
  const { rows } = await engine.parts.ledger.read(caller.tenant, (tx) =>
    tx.observations.listBy({ kind: 'deviceKey', ranges }, { limit: limits.pageRows }),
  );
  for (const generated of rows.map(generatedOf)) {
    if (await collect(engine, caller, generated, file)) return generated;
  }
  return undefined;
}

/** Takes a key out of the vault and writes it to the file. Returns false if the vault doesn't have it. */
async function collect(
  engine: Engine,
  { tenant }: Caller,
  { handle, keyId }: Generated,
  file: ReservedFile,
): Promise<boolean> {
  const secret = await engine.redeem(tenant, handle, 'operator');
  if (secret === undefined) return false;
  const { key } = secret as { readonly key: string }; // as the contract's sealing has it
  try {
    file.fill(`${key}\n`);
  } catch (error) {
    throw new NotDone(
      `The key ${keyId} was generated, but could not be written, so nobody has it: revoke it in the merchant portal (Payment Configuration, Key Management) and generate another. ${error instanceof Error ? error.message : ''}`,
      { cause: error },
    );
  }
  return true;
}

/** A key may exist that nobody has. Nothing of it is in any answer, so only the portal can tell. */
const lost = ({ operation = '' }: Answer, organization: string): string =>
  `The request was sent, and no usable answer came. A key of ${organization} may exist that nobody has. Look in the merchant portal (Payment Configuration, Key Management) and revoke a key that was made just now. Then run "purser operations resolve ${operation}" with --happened or --did-not-happen, and generate another.`;
