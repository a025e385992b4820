import type { Configuration } from '../config.ts';
import { refuseStrangers, refuseUnfit, toolsOf } from '../selected-tools.ts';
import { accountsOf } from '../tenants.ts';
import { termsSentence } from '../terms-sentence.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** What the configuration means. It could be read, so nothing that a start needs is missing. */
export const checkSettings = (configuration: Configuration): readonly Finding[] => [
  environment(configuration),
  credentials(configuration),
  passkey(configuration),
  approvals(configuration),
  approvalPage(configuration),
  accounts(configuration),
  offered(configuration),
  releases(configuration),
  ...configuration.limits.map((terms) => ok('limit', termsSentence(terms))),
  ...configuration.mandates.map((terms) => ok('mandate', termsSentence(terms))),
  ...rules(configuration),
];

const environment = ({ environment: name, sandboxUrl, baseUrl, limits }: Configuration): Finding =>
  name === 'live' && limits.length === 0
    ? warn('environment', `live, at ${baseUrl}`, 'Real money moves: set `limits` for what may go out.')
    : name === 'live'
      ? ok('environment', `live, at ${baseUrl}: real money moves`)
      : ok('environment', name === 'test' ? `test, at ${baseUrl}` : `sandbox, ${sandboxUrl ?? 'embedded'}`);

function credentials({ environment: name, credentials: given }: Configuration): Finding {
  if (name === 'sandbox')
    return ok(
      'credentials',
      given === undefined ? "the sandbox's own" : "the sandbox's own; the given ones are not used",
    );
  return ok('credentials', 'merchant id, key id and shared secret are given');
}

const passkey = ({ environment: name, passkey: given }: Configuration): Finding =>
  given !== undefined || name === 'sandbox'
    ? ok('passkey service', 'set up')
    : warn(
        'passkey service',
        'not set up, so that every purchase is refused (AP-05)',
        'Set `passkey` with the ids from the account manager.',
      );

/** Where released credentials are kept until the payment system redeems them. */
const releases = ({ vaultKey, databaseUrl }: Configuration): Finding =>
  vaultKey !== undefined
    ? ok('released', 'sealed in the ledger')
    : databaseUrl === undefined
      ? ok('released', 'in memory, until the process ends; sealed in the ledger with vaultKeyFile')
      : warn(
          'released',
          'in memory of the process that released them: no other replica can redeem them',
          'Give every replica the same `vaultKeyFile`.',
        );

/** Which channels count. A form of the agent's host can be answered by whoever controls that host. */
function approvals({ environment: name, channels }: Configuration): Finding {
  const says = channels.length === 0 ? 'nobody can approve' : `count by ${channels.join(', ')}`;
  const byHost = channels.includes('form-over-http') || (name === 'live' && channels.includes('form'));
  return byHost
    ? warn(
        'approvals',
        says,
        "Whoever controls the agent's end can approve: take the form out of `approvals.channels`.",
      )
    : ok('approvals', says);
}

/** Where links to the approval page lead. */
const approvalPage = ({ publicUrl, port }: Configuration): Finding =>
  publicUrl === undefined
    ? ok('approval page', `on this machine alone, at port ${port}; set http.publicUrl behind a proxy`)
    : ok('approval page', `${publicUrl}/approve/…`);

/** Whose accounts there are. Two tenants with one keep Purser from starting. */
function accounts(configuration: Configuration): Finding {
  try {
    return ok(
      'tenants',
      accountsOf(configuration)
        .map(({ tenant }) => tenant)
        .join(', '),
    );
  } catch (error) {
    return fail('tenants', "can't be served", error instanceof Error ? error.message : 'Correct them.');
  }
}

/** What agents get. A tool that does not exist, named somewhere, keeps Purser from starting. */
function offered(configuration: Configuration): Finding {
  try {
    refuseStrangers(configuration);
    refuseUnfit(configuration);
  } catch (error) {
    return fail('tools', 'named wrongly', error instanceof Error ? error.message : 'Correct them.');
  }
  const { toolsets, isReadOnly } = configuration.choice;
  const many = toolsOf(configuration).length;
  return ok('tools', `${many} of ${toolsets.join(', ')}${isReadOnly ? ', those alone that change nothing' : ''}`);
}

const rules = ({ levels }: Configuration): readonly Finding[] =>
  Object.entries(levels)
    .filter(([, level]) => level !== 'refuse')
    .map(([id, level]) => warn('rules', `${id} is "${level}"`, 'Leave it out of `rules` to have it enforced.'));
