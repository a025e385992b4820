import { layers } from '../../test/house/imports.ts';
import { code, table } from './markdown.ts';

/** What each layer is for. */
const purposes: Readonly<Record<string, string>> = {
  'src/core': 'What everything else is written with: money, time, machines, the shape of operations, rules, numbers.',
  'src/screening': 'Card data, its encodings, and masking: what must not pass, in or out.',
  'src/domains': 'The platform, one folder for each domain: its contract, machines, facts and guards.',
  'src/files':
    'The only way to a file: owner, type, mode and size are checked before one is read, written or handed to SQLite.',
  'src/listener': 'A port that is opened: limits on connections, origins and bodies, for every server of ours.',
  'src/client': 'Typed calls of the platform: requests, signatures, connections, answers, errors.',
  'src/reader': "Calls of a card reader's SDK: progress, cancellation, and how each call ended.",
  'src/ledger': 'Durable memory: operations, observations, approvals, budgets, sealed secrets, audit chain.',
  'src/sandbox': 'What a simulated platform is, whatever its domains: world, clock, faults, control API, HTTP.',
  'src/domains/*/sandbox': 'How the sandbox simulates each domain; `src/domains/sandboxes.ts` lists them.',
  'src/sandbox/index.ts': 'The platform as a function: the sandbox with every domain.',
  'src/engine': 'The one way of every call.',
  tools: 'The words for the agent: which arguments, when to use a tool, what it answers.',
  'src/mcp': 'MCP over stdio and HTTP.',
  'src/console': 'Pages for people.',
  'src/http': 'The HTTP server: authentication, MCP, and the routes of the merchant and of people.',
  'src/adapters': 'Faces for programs: OpenAI functions, tools of LangChain and of the AI SDK.',
  evals:
    'The eval harness, beside scenarios, fixtures and policy. A composition root of its own, in memory; only the command line imports it.',
  'src/cli': 'Composition root and command line: everything real is made here.',
};

/** Every layer and what it may import, from the table that a test enforces. */
export const layerTable = (): string =>
  table(
    ['Layer', 'What it is for', 'Imports', 'Types alone'],
    Object.entries(layers).map(([name, { from, types = [] }]) => [
      code(name),
      purposes[name] ?? '',
      from.length === Object.keys(layers).length - 1 ? 'all of them' : from.map(code).join(', ') || 'nothing',
      types.map(code).join(', '),
    ]),
  );
