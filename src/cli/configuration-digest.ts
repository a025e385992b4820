import type { Json, JsonObject } from '../core/canonical-json.ts';
import { canonicalJson, sha256 } from '../core/canonical-json.ts';
import { Secret } from '../core/secret.ts';
import type { Configuration } from './config.ts';
import { termsSentence } from './terms-sentence.ts';

/**
 * The SHA-256 of everything that a configuration decides, so that a start with other settings can be told from the last one.
 * A secret counts as given or not. Where the file is does not count, only
 * what Purser makes of it; nor does what a single start is told to do first.
 */
export function configurationDigest({ file: _, ignored: __, initAnchor: ___, ...decides }: Configuration): string {
  return sha256(canonicalJson(withoutSecrets(decides)));
}

const shortCharacters = 12;

/** As people compare it. */
export const shortDigest = (configuration: Configuration): string =>
  configurationDigest(configuration).slice(0, shortCharacters);

/** What a start writes into the audit. */
export const startRecord = (configuration: Configuration): JsonObject => ({
  configuration: configurationDigest(configuration),
  environment: configuration.environment,
  file: configuration.file ?? null,
  limits: withoutSecrets(configuration.limits),
  mandates: withoutSecrets(configuration.mandates),
});

/** What a start says on stderr, in one line. */
export function startLine(configuration: Configuration): string {
  const { environment, file, ignored, limits, mandates } = configuration;
  return [
    `starting with configuration ${shortDigest(configuration)}, ${environment}, ${file ?? 'no file'}.`,
    ...(limits.length === 0 ? ['No limits.'] : limits.map((terms) => `Limit ${termsSentence(terms)}.`)),
    ...(mandates.length === 0 ? ['No mandates.'] : mandates.map((terms) => `Mandate ${termsSentence(terms)}.`)),
    ...(ignored === undefined ? [] : [ignoredSentence(ignored)]),
  ].join(' ');
}

/** What a command says about a configuration file that nobody named. */
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
