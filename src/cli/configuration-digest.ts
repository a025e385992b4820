import type { Json, JsonObject } from '../core/canonical-json.ts';
import { canonicalJson, sha256 } from '../core/canonical-json.ts';
import { Secret } from '../core/secret.ts';
import type { Configuration } from './configuration.ts';
import { termsSentence } from './terms-sentence.ts';

/**
 * The SHA-256 of all settings, so the audit shows which configuration each start used. A secret counts only as present
 * or absent. The file's location and one-time start options don't count.
 */
export function configurationDigest({ file: _, ignored: __, ...configuration }: Configuration): string {
  const { initAnchor: ___, initAccount: ____, ...decides } = configuration;
  return sha256(canonicalJson(withoutSecrets(decides)));
}

const shortCharacters = 12;

/** The digest shortened for people. */
export const shortDigest = (configuration: Configuration): string =>
  configurationDigest(configuration).slice(0, shortCharacters);

/** The audit entry of a start. */
export const startRecord = (configuration: Configuration): JsonObject => ({
  configuration: configurationDigest(configuration),
  environment: configuration.environment,
  file: configuration.file ?? null,
  limits: withoutSecrets(configuration.limits),
  mandates: withoutSecrets(configuration.mandates),
});

/** The stderr line of a start. */
export function startLine(configuration: Configuration): string {
  const { environment, file, ignored, limits, mandates } = configuration;
  return [
    `starting with configuration ${shortDigest(configuration)}, ${environment}, ${file ?? 'no file'}.`,
    ...(limits.length === 0 ? ['No limits.'] : limits.map((terms) => `Limit ${termsSentence(terms)}.`)),
    ...(mandates.length === 0 ? ['No mandates.'] : mandates.map((terms) => `Mandate ${termsSentence(terms)}.`)),
    ...(ignored === undefined ? [] : [ignoredSentence(ignored)]),
  ].join(' ');
}

/** The notice about an ignored configuration file. */
export const ignoredSentence = ({ found, usual }: NonNullable<Configuration['ignored']>): string =>
  `${found} is ignored: name it with --config, or move it to ${usual}.`;

function withoutSecrets(value: unknown): Json {
  if (value instanceof Secret) return true;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) =>
        member === undefined ? [] : [[name, withoutSecrets(member)] as const],
      ),
    );
  return value as Json; // settings are text, numbers and booleans
}
