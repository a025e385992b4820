import { layers } from '../../test/house/imports.ts';
import { code, table } from './markdown.ts';

/** What each layer is for. */
const purposes: Readonly<Record<string, string>> = {
  'src/machines': 'State machines as tables.',
  'src/contract': 'The platform as data: operations, shapes, rules, numbers, assumptions.',
  'src/screening': 'Card data, its encodings, and masking: what must not pass, in or out.',
  'src/client': 'Typed calls of the platform: requests, signatures, connections, answers, errors.',
  'src/http': 'A port that is opened: what the servers of the faces and of the sandbox have in common.',
  'src/files':
    'The only way to a file: owner, type, mode and size are checked before one is read, written or handed to SQLite.',
  'src/sandbox': 'The platform as a function, from the same contract, with a world and a clock of its own.',
  'src/guards': 'Rules about conversation and money: a sentence, a predicate, a way out.',
  'src/ledger': 'Durable memory: operations, observations, approvals, budgets, sealed secrets, audit chain.',
  'src/engine': 'The one way of every call.',
  tools: 'The words for the agent: which arguments, when to use a tool, what it answers.',
  'src/mcp': 'A face: MCP over stdio and HTTP, and the routes for the merchant and for people.',
  'src/adapters': 'Faces for programs: OpenAI functions, tools of LangChain and of the AI SDK.',
  'src/console': 'A face for people. Not there yet.',
  'src/evals':
    'The eval harness: scenarios, worlds, graders, coverage, mutants, reports. A composition root of its own, in memory.',
  'src/bin': 'Composition root and command line: everything real is made here.',
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
