import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { contract } from '../../src/domains/index.ts';
import { sandboxes } from '../../src/domains/sandboxes.ts';
import { controlCallsOf } from '../../src/sandbox/control-calls.ts';
import { root, world } from '../faces/support.ts';
import { builtSandbox, builtServe, sent } from './sockets.ts';

// DNS rebinding: a page of another site that a browser lets reach this machine. Every call of every server that Purser
// opens, from the route tables themselves.

const strange: readonly (readonly [name: string, headers: readonly string[]])[] = [
  ['another host', ['Host: evil.example']],
  ['another host with our port', ['Host: evil.example:8378']],
  ['a name that begins like ours', ['Host: localhost.evil.example']],
  ['every address', ['Host: 0.0.0.0']],
  ["another site's page", ['Host: 127.0.0.1', 'Origin: http://evil.example']],
  ["another site's page by our name", ['Host: localhost', 'Origin: http://localhost.evil.example']],
  ['a page without an origin', ['Host: localhost', 'Origin: null']],
];

/** A call of a table as a request line: names in a path are filled, `ALL` is every method. */
const linesOf = (calls: readonly string[]): readonly string[] => [
  ...new Set(
    calls.flatMap((call) => {
      const [method = '', path = ''] = call.split(' ');
      const at = path.replace(/:\w+|\{\w+\}|\*/g, 'x');
      return (method === 'ALL' ? ['GET', 'POST', 'PUT', 'DELETE'] : [method]).map((one) => `${one} ${at}`);
    }),
  ),
];

const refusedEverywhere = async (port: number, calls: readonly string[], headers: readonly string[] = []) => {
  const odd: string[] = [];
  for (const line of linesOf(calls))
    for (const [name, by] of strange) {
      const { status } = await sent(port, line, [...by, ...headers, 'Content-Length: 0']);
      if (status !== 403) odd.push(`${line} from ${name}: ${status}`);
    }
  return odd;
};

/** Calls of the card reader's SDK are no requests: nothing serves them over HTTP. */
const platformCalls = Object.values(contract)
  .filter(({ transport }) => transport === 'http')
  .map(({ call }) => call);
/** Pages that need no signature. A test compares their beginnings with those of the domains. */
const pageCalls = [
  ...['GET /pay/{id}', 'POST /pay/{id}', 'GET /vts-auth/authenticate', 'POST /vts-auth/authenticate'],
  ...['GET /tap/', 'GET /tap/screen', 'POST /tap/screen', 'POST /tap/tap'],
];
const sandboxCalls = [...controlCallsOf(sandboxes).map(({ call }) => call), ...platformCalls, ...pageCalls];

it('serves no call of `purser serve` to another host or page, whatever token it bears', async () => {
  const served = await builtServe();
  const { face } = await world();
  expect(await refusedEverywhere(served.port, [...face.calls, ...sandboxCalls])).toEqual([]);
  const bearer = [`Authorization: Bearer ${served.token('person')}`];
  expect(await refusedEverywhere(served.port, ['GET /approvals', 'POST /operations/:id'], bearer)).toEqual([]);
}, 60_000);

it('serves no call of `purser sandbox` to another host or page, and its world stays as it was', async () => {
  const { port } = await builtSandbox();
  const snapshot = () => sent(port, 'GET /sandbox/snapshot', ['Host: 127.0.0.1']);
  const documents = ({ text }: { readonly text: string }) => text.slice(text.indexOf('\r\n\r\n'));
  const before = documents(await snapshot());
  expect(before).toContain('documents');
  expect(await refusedEverywhere(port, sandboxCalls)).toEqual([]);
  expect(documents(await snapshot())).toBe(before);
  expect((await sent(port, 'POST /sandbox/reset', ['Host: localhost', 'Content-Length: 0'])).status).toBe(200);
}, 60_000);

it('knows every page of the sandbox', () => {
  const pages = Object.values(sandboxes).flatMap(({ pages: its }) => Object.keys(its ?? {}));
  expect([...new Set(pageCalls.map((call) => /\/[^/]+\//.exec(call)?.[0]))].toSorted()).toEqual(pages.toSorted());
});

it('knows every server that the product opens', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((it) =>
    it.endsWith('.ts'),
  );
  const opens = files.filter((file) =>
    /\bcreate(Adaptor)?Server\(|\bcreateSecureServer\(/.test(readFileSync(join(root, 'src', file), 'utf8')),
  );
  expect(opens.toSorted()).toEqual(['http/listen.ts', 'sandbox/serve.ts']);
});
