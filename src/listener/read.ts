/** A body that ended before its end: its sender is gone, and hears no answer. */
export class UnfinishedBody extends Error {
  override readonly name = 'UnfinishedBody';
}

/**
 * The bytes of a body. Null if there are more than allowed; the rest stays unread. Throws `UnfinishedBody` where the connection breaks
 * meanwhile.
 */
export async function readBody(request: Request, mostBytes: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const stated = request.headers.get('content-length');
  if (Number(stated ?? 0) > mostBytes) return null;
  const bytes = await readWhole(request, stated, mostBytes).catch((cause: unknown) => {
    throw new UnfinishedBody('The body was not received to its end.', { cause });
  });
  return bytes !== null && bytes.length > mostBytes ? null : bytes;
}

/** The HTTP parser passes on no more bytes than a length that was stated. */
const readWhole = async (request: Request, stated: string | null, mostBytes: number) =>
  stated === null ? readChunks(request, mostBytes) : new Uint8Array(await request.arrayBuffer());

/** What a text says as JSON; undefined if it is empty or not JSON, because the parser's message would quote it. */
export function jsonIn(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readChunks(request: Request, mostBytes: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = request.body?.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    length += part.value.length;
    if (length > mostBytes) return null;
    chunks.push(part.value);
  }
  return Buffer.concat(chunks);
}
