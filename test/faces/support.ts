import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { compose, type Replacements, type Running } from '../../src/cli/compose.ts';
import { readConfiguration } from '../../src/cli/config.ts';
import type { Configuration } from '../../src/cli/configuration.ts';
import { Secret } from '../../src/core/secret.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { EngineSettings } from '../../src/engine/settings.ts';
import { listen } from '../../src/http/listen.ts';
import { createHttpFace, type HttpFace, type HttpOptions } from '../../src/http/server.ts';
import { sandboxSeed } from '../../src/sandbox/index.ts';
import { openTestLedger } from '../support/ledger.ts';

// What the tests of the MCP face share: a fresh Purser with its sandbox, and everybody who talks to it.

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Tokens that are known, because these are tests. */
export const tokens = {
  ...{ agent: 'agent-token-0001', app: 'app-token-0002', person: 'person-token-0003' },
  reader: 'reader-token-0004',
} as const;
export const secrets: HttpOptions['tokens'] = {
  agent: new Secret<string>(tokens.agent),
  app: new Secret<string>(tokens.app),
  person: new Secret<string>(tokens.person),
  reader: new Secret<string>(tokens.reader),
};
export const agentCaller = { tenant: 'default', principal: 'agent' } as const;

/** Everybody but the agent, over HTTP. */
export interface Others {
  http(method: string, path: string, role?: keyof typeof tokens | undefined, body?: unknown): Promise<Reply>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are compared whole, not typed
  readonly body: any;
}

export interface World extends Others {
  readonly running: Running;
  readonly face: HttpFace;
  readonly failures: unknown[];
}

/** A fresh Purser in memory, with its sandbox, closed when the test ends. */
export async function world(
  options: {
    replace?: Replacements;
    configuration?: Partial<Configuration>;
    configure?: (running: Running) => void;
    face?: Partial<HttpOptions>;
  } = {},
): Promise<World> {
  const configuration = {
    ...readConfiguration({ PURSER_DATA: ':memory:', PURSER_TOOLSETS: 'all' }),
    ...options.configuration,
  };
  const running = await compose(configuration, { ledger: openTestLedger, ...options.replace });
  options.configure?.(running);
  const failures: unknown[] = [];
  const face = createHttpFace({
    engine: running.engine,
    tokens: secrets,
    tenant: 'default',
    version: '0.0.0',
    onFailure: (failure) => failures.push(failure),
    sandbox: sandboxOf(running),
    ...options.face,
  });
  onTestFinished(async () => {
    await face.close();
    await running.close();
  });
  return { running, face, failures, ...over('http://localhost', (request) => face.fetch(request)) };
}

export function sandboxOf({ sandbox }: Running) {
  if (sandbox === undefined) throw new Error('The sandbox of a test is embedded.');
  return sandbox;
}

/** An engine on a port, with pages for customers. A failure of the server fails the test. */
export async function servePages(engineFor: (reach: EngineSettings['reach']) => Engine) {
  let origin = '';
  const engine = engineFor({ page: () => origin, linkKey: () => secrets.person });
  const failures: unknown[] = [];
  const face = createHttpFace({
    ...{ engine, tokens: secrets, tenant: 'default', version: '0.0.0' },
    onFailure: (failure) => failures.push(failure),
  });
  const { url, close } = await listen(face, { port: 0 });
  origin = url;
  onTestFinished(async () => {
    await close();
    expect(failures).toEqual([]);
  });
  return { engine, url, ...over(url, fetch) };
}

/** The merchant's app, people and the hand behind the stage, at an address. */
export function over(base: string, fetch: (request: Request) => Promise<Response>): Others {
  return {
    http: async (method, path, role, body) => {
      const headers = {
        ...(role === undefined ? {} : { authorization: `Bearer ${tokens[role]}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(new Request(`${base}${path}`, { method, headers, ...sent }));
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
    },
  };
}

/** The platform's id of a seeded card's instrument. */
export function instrumentOf(card: string): string {
  const found = Object.values(sandboxSeed.shoppers)
    .flatMap(({ cards }) => [...cards])
    .find(({ handle }) => handle === card);
  if (found === undefined) throw new Error(`No seeded card is called ${card}.`);
  return found.instrumentIdentifierId;
}

/** A week from the sandbox's now, as a tool takes it. */
export async function nextWeek({ http }: Others): Promise<string> {
  const { body } = await http('GET', '/sandbox/clock');
  return new Date(body.milliseconds + 7 * 86_400_000).toISOString();
}

/** What the platform was made to do, and what the ledger holds: a refusal changes neither. */
export async function footprint({ http, running }: World): Promise<unknown> {
  const { body } = await http('GET', '/sandbox/effects');
  const operations = await running.engine.parts.ledger.transaction('default', (tx) =>
    tx.operations.list({}, { limit: 1_000 }),
  );
  return { effects: body.effects, operations: operations.rows };
}
