import type { OpenAI } from 'openai';
import { reveal } from '../../../src/core/secret.ts';
import { MissingPackage, type ModelOptions } from './model.ts';

/** A client of the OpenAI SDK. It retries nothing itself, so that all APIs are retried alike. */
export async function openaiClient({ baseUrl, key, timeoutMilliseconds }: ModelOptions): Promise<OpenAI> {
  const { OpenAI } = await import('openai').catch((error: unknown) => {
    throw new MissingPackage('openai', error);
  });
  return new OpenAI({
    apiKey: reveal(key),
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
    maxRetries: 0,
    timeout: timeoutMilliseconds,
  });
}
