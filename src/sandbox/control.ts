import type { z } from 'zod';
import { isOurOrigin } from '../listener/gate.ts';
import { readBody } from '../listener/read.ts';
import { PlatformError } from './answer.ts';
import { controlCallsOf } from './control-calls.ts';
import type { ControlRequest, SandboxDomains } from './domain.ts';
import type { WorldFile } from './file.ts';
import { jsonBody } from './json-body.ts';
import { router } from './routes.ts';
import { unmatched, type Wire, wire } from './wire.ts';

/** The most bytes of a control request; a snapshot is the longest. Own choice. */
const mostBytes = 67_108_864;

interface Controlled {
  readonly domains: SandboxDomains;
  readonly file: WorldFile;
  readonly settle: ControlRequest<unknown>['settle'];
}

/**
 * The control API of a sandbox: how tests, evals and people control it. Its requests are not signed, and pages of another
 * origin may not send them.
 */
export function controlApi({ domains, file, settle }: Controlled): (request: Request, url: URL) => Promise<Wire> {
  const route = router(controlCallsOf(domains).map((it) => [it.call, it] as const));
  return async (request, url) => {
    const found = route(request.method === 'HEAD' ? 'GET' : request.method, url.pathname);
    if (found.kind !== 'route') return unmatched(found, request.method);
    if (!isOwnOrigin(request, url)) return rejected(403, 'A page of another origin may not control the sandbox.');
    const bytes = await readBody(request, mostBytes);
    if (bytes === null) return rejected(413, `The body has more than ${mostBytes} bytes.`);
    const { to, path } = found;
    const parsed = to.body.safeParse(jsonBody(bytes));
    if (!parsed.success) return invalid(parsed.error);
    try {
      return await file.transaction(async (world) => {
        await settle(world);
        return wire(200, await to.serve({ world, path, body: parsed.data, settle }));
      });
    } catch (failure) {
      if (failure instanceof PlatformError) return rejected(failure.status, failure.message, failure.source);
      throw failure;
    }
  };
}

function isOwnOrigin(request: Request, url: URL): boolean {
  const origin = request.headers.get('origin');
  return origin === null || isOurOrigin(origin, request.headers.get('host') ?? url.host, []);
}

function invalid({ issues: [issue] }: z.ZodError): Wire {
  const keys = issue?.code === 'unrecognized_keys' ? issue.keys : [];
  const field = [...(issue?.path ?? []), ...keys.slice(0, 1)].map(String).join('.');
  return rejected(400, field === '' ? (issue?.message ?? 'The body is wrong.') : `${field}: ${issue?.message}`, field);
}

const rejected = (status: number, message: string, field = ''): Wire =>
  wire(status, { error: { message, ...(field === '' ? {} : { field }) } });
