/** The bytes of a body. Null if there are more than allowed; the rest stays unread. */
export async function readBody(request: Request, mostBytes: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(request.headers.get('content-length') ?? 0) > mostBytes) return null;
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
