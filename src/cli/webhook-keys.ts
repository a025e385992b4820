import { Secret } from '../core/secret.ts';
import { readText } from '../files/read.ts';
import { BadConfiguration, checkedFile } from './bad-configuration.ts';
import type { Settings } from './file.ts';

/** A key that deliveries of events are signed with. */
export interface WebhookKey {
  readonly keyId: string;
  /** Base64 text, as the platform gives it. */
  readonly key: Secret<string>;
  /** The file that it came from, where it came from one. */
  readonly file: string | undefined;
}

/** The keys of the environment, which has them in one text, and those of the file. */
export function webhookKeysOf(given: string | undefined, settings: Settings['webhooks']): readonly WebhookKey[] {
  const filed = (settings?.keys ?? []).map(({ keyId, keyFile }) => {
    const text = checkedFile(() => readText('webhookKey', keyFile)).trim();
    return keyOf(keyId, text, keyFile, `the webhook key file ${keyFile}`);
  });
  const all = [...(given === undefined ? [] : listed(given)), ...filed];
  const twice = all.find(({ keyId }, at) => all.findIndex((other) => other.keyId === keyId) < at);
  if (twice === undefined) return all;
  throw new BadConfiguration(`The webhook key ${twice.keyId} is given twice: leave one out.`);
}

/** `<key id>=<Base64>`, with commas between them. */
const listed = (text: string): readonly WebhookKey[] =>
  text.split(',').map((entry) => {
    const [, keyId, key] = /^\s*([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})=(.*)$/i.exec(entry) ?? [];
    if (keyId === undefined || key === undefined)
      throw new BadConfiguration(
        'PURSER_WEBHOOK_KEYS must be `<key id>=<key in Base64>`, with commas between several; a key id is a UUID.',
      );
    return keyOf(keyId, key.trim(), undefined, 'PURSER_WEBHOOK_KEYS');
  });

/** Fewer bytes can be guessed. Own choice. */
const leastBytes = 16;

function keyOf(keyId: string, text: string, file: string | undefined, where: string): WebhookKey {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text || bytes.length < leastBytes)
    throw new BadConfiguration(
      `What ${where} gives for the key ${keyId} is no Base64 of at least ${leastBytes} bytes: copy the key as the platform showed it.`,
    );
  return { keyId: keyId.toLowerCase(), key: new Secret(text), file };
}
