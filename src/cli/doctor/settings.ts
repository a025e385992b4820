import { everyTool } from '../../../tools/index.ts';
import { iframeKeys } from '../../domains/passkey/guards.ts';
import { isCallableBy } from '../../engine/callers.ts';
import { movesMoney } from '../../engine/terms.ts';
import type { Configuration } from '../configuration.ts';
import { refuseInapplicable, refuseUnknownNames, toolsOf } from '../selected-tools.ts';
import { accountsOf } from '../tenants.ts';
import { termsSentence } from '../terms-sentence.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** Checks what the configuration means. Its required settings were checked when it was read. */
export const checkSettings = (configuration: Configuration, now: number): readonly Finding[] => [
  environment(configuration),
  credentials(configuration),
  passkey(configuration),
  iframeKey(now),
  webhooks(configuration),
  approvals(configuration),
  approvalPage(configuration),
  accounts(configuration),
  offered(configuration),
  releases(configuration),
  ...unlimited(configuration),
  ...configuration.limits.map((terms) => ok('limit', termsSentence(terms))),
  ...configuration.mandates.map((terms) => ok('mandate', termsSentence(terms))),
  ...rules(configuration),
];

const environment = ({ environment: name, sandboxUrl, baseUrl, limits }: Configuration): Finding =>
  name === 'live' && limits.length === 0
    ? warn('environment', `live, at ${baseUrl}`, 'Real money moves: set `limits`.')
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
        'not set up, so every purchase is refused (AP-05)',
        'Set `passkey` with the ids from the account manager.',
      );

/** The keys of the iframe expire for every merchant at once (PK-13). */
function iframeKey(now: number): Finding {
  const about = 'passkey iframe';
  if (iframeKeys(now) === 'expired')
    return fail(about, 'its keys expired in September 2027 (PK-13)', 'Get new ones from the account manager.');
  return iframeKeys(now) === 'expiring'
    ? warn(about, 'its keys expire in September 2027 (PK-13)', 'Get new ones from the account manager.')
    : ok(about, 'its keys are valid until September 2027');
}

/** Whether deliveries of events are taken, and by how many keys. A key that can't be read keeps Purser from starting. */
function webhooks(configuration: Configuration): Finding {
  const { tenant, tenants, webhookKeys } = configuration;
  const keys = (tenants?.[tenant]?.webhookKeys ?? webhookKeys).length;
  if (keys === 0 && configuration.environment === 'sandbox') return ok('webhooks', "the sandbox's own key");
  return keys === 0
    ? ok('webhooks', 'no key, so that no delivery is taken; set webhooks.keys')
    : ok('webhooks', `${keys} ${keys === 1 ? 'key' : 'keys'}; deliveries are taken at POST /webhooks/platform`);
}

/** Where released credentials are kept until the payment system redeems them. */
const releases = ({ vaultKey, databaseUrl }: Configuration): Finding =>
  vaultKey !== undefined
    ? ok('released', 'sealed in the ledger')
    : databaseUrl === undefined
      ? ok('released', 'in memory, until the process ends; set `vaultKeyFile` to seal them in the ledger')
      : warn(
          'released',
          'in the memory of the process that released them, so no other replica can redeem them',
          'Give every replica the same `vaultKeyFile`.',
        );

/** The channels that count. Whoever controls the agent's host can answer its forms. */
function approvals({ environment: name, channels }: Configuration): Finding {
  const says = channels.length === 0 ? 'nobody can approve' : `decided through ${channels.join(', ')}`;
  const byHost = channels.includes('form-over-http') || (name === 'live' && channels.includes('form'));
  return byHost
    ? warn(
        'approvals',
        says,
        "Whoever controls the agent's host can approve: remove the form from `approvals.channels`.",
      )
    : ok('approvals', says);
}

/** Where links to the approval page point. */
const approvalPage = ({ publicUrl, port }: Configuration): Finding =>
  publicUrl === undefined
    ? ok('approval page', `only on this machine, at port ${port}; set http.publicUrl behind a proxy`)
    : ok('approval page', `${publicUrl}/approve/…`);

/** The accounts of the tenants. Purser does not start if two tenants share one. */
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

/** The selected tools. Purser does not start if an unknown tool is named. */
function offered(configuration: Configuration): Finding {
  try {
    refuseUnknownNames(configuration);
    refuseInapplicable(configuration);
  } catch (error) {
    return fail('tools', "names or terms that can't be used", error instanceof Error ? error.message : 'Correct them.');
  }
  const { toolsets, isReadOnly } = configuration.choice;
  const many = toolsOf(configuration).length;
  return ok('tools', `${many} of ${toolsets.join(', ')}${isReadOnly ? ', read-only tools only' : ''}`);
}

/** Tools that move money beside the operator's limits: an agent may use one in place of another. */
function unlimited(configuration: Configuration): readonly Finding[] {
  const { limits } = configuration;
  const named = new Set(limits.flatMap((terms) => terms.tools));
  const offered = new Set(toolsOf(configuration).map(({ name }) => name));
  // What the app and the customer call is always offered.
  const callable = everyTool.filter((tool) => offered.has(tool.name) || !isCallableBy(tool, 'agent'));
  const money = callable.filter(movesMoney).map(({ name }) => name);
  const missing = money.filter((name) => !named.has(name));
  if (limits.length === 0 || missing.length === 0 || missing.length === money.length) return [];
  return [
    warn('limits', `none applies to ${missing.join(', ')}`, 'These move money too: name them in a limit as well.'),
  ];
}

const rules = ({ levels }: Configuration): readonly Finding[] =>
  Object.entries(levels)
    .filter(([, level]) => level !== 'refuse')
    .map(([id, level]) => warn('rules', `${id} is "${level}"`, 'Remove it from `rules` to enforce it.'));
