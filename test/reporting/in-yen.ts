import type { Platform } from '../../src/client/platform.ts';

/** A platform whose reports state every sum in yen, which has no decimals. */
export const inYen =
  (real: Platform): Platform =>
  async (request) => {
    const answer = await real(request);
    if (!new URL(request.url).pathname.startsWith('/reporting/')) return answer;
    const text = (await answer.text()).replaceAll('"USD"', '"JPY"');
    return new Response(text, { status: answer.status, headers: answer.headers });
  };
