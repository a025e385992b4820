/** An error response. It never repeats what the caller sent. */
export interface HttpFault {
  readonly code: string;
  readonly message: string;
  readonly field?: string | undefined;
  readonly rule?: string | undefined;
}

/** A JSON response. */
export const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

/** An error response in JSON. */
export const fault = (status: number, error: HttpFault, headers: Readonly<Record<string, string>> = {}): Response =>
  json(status, { error }, headers);

export const notFound = (what = 'There is nothing here.'): Response => fault(404, { code: 'NOT_FOUND', message: what });
