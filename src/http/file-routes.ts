import type { Engine } from '../engine/engine.ts';
import { notFound } from '../listener/reply.ts';
import type { Route } from './routes.ts';

/** The tenant's result files, streamed to the merchant's app. */
export const fileRoutes = (engine: Engine, tenant: string): readonly Route[] => [
  {
    call: 'GET /files/:id',
    role: 'app',
    serve: async ({ id }) => {
      const opened = await engine.openFile(tenant, id);
      if (opened === undefined) return notFound('There is no such file, or it has expired.');
      const { type, bytes, sha256 } = opened.file;
      return new Response(opened.body, {
        headers: {
          'content-type': type,
          'content-length': String(bytes),
          'content-disposition': `attachment; filename="${id}"`,
          'repr-digest': `sha-256=:${sha256}:`,
        },
      });
    },
  },
];
