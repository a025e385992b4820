import type { Signer } from '../../../src/client/signing.ts';
import type { Sandbox, Snapshot } from '../../../src/sandbox/index.ts';
import type { Varied } from '../replay/run.ts';
import type { Variation } from '../replay/variations.ts';
import type { Sent } from './wire.ts';

// What the platform would have said to requests that Purser doesn't send.

/** A request in the place of one that was sent. */
export interface Instead extends Variation {
  readonly sent: Pick<Sent, 'method' | 'path'> & {
    /** Its path and query, where they differ from those that were sent. */
    readonly asked?: string;
  };
}

const host = 'https://sandbox.purser.test';

/** The platform's answers to requests, each made at an earlier moment. Then the platform is as it was. */
export async function answersAt(
  { handle, world }: Sandbox,
  then: Snapshot,
  requests: readonly Instead[],
  signer: Signer,
): Promise<readonly Varied[]> {
  const now = await world.snapshot();
  const found: Varied[] = [];
  let isThen = false;
  for (const { sent, what, body } of requests) {
    if (!isThen) await world.restore(then);
    const answer = await handle(await signed(sent, body === undefined ? undefined : JSON.stringify(body), signer));
    isThen = !answer.ok || sent.method === 'GET'; // a refusal and a read leave everything as it was
    const text = await answer.text();
    const says = answer.ok ? (sent.method === 'GET' ? countsIn(text) : []) : codesIn(text);
    found.push({ line: `${sent.method} ${sent.path}`, what, status: answer.status, says });
  }
  await world.restore(now);
  return found;
}

async function signed(
  { method, path, asked = path }: Instead['sent'],
  body: string | undefined,
  signer: Signer,
): Promise<Request> {
  const url = host + asked;
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const signature = await signer({ method, url, headers, ...(body === undefined ? {} : { body }) });
  return new Request(url, { method, ...(body === undefined ? {} : { body }), headers: signature });
}

/** How many elements each list of an answer has. */
const countsIn = (text: string): readonly string[] =>
  /^[{[]/.test(text)
    ? Object.entries(JSON.parse(text) as object).flatMap(([name, value]) =>
        Array.isArray(value) ? [`${value.length} ${name}`] : [],
      )
    : [];

/** Codes and fields of an error, without its sentences. */
function codesIn(text: string): readonly string[] {
  const codes: string[] = [];
  try {
    JSON.parse(text, (_, value: unknown) => {
      if (typeof value === 'string' && !/\s|^\d{4}-|^https?:/.test(value)) codes.push(value);
      return value;
    });
  } catch {
    codes.push('not JSON');
  }
  return [...new Set(codes)];
}
