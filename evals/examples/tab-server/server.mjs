import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

// An MCP server over stdio without any package: customers' tabs, each with a limit, in the file TAB_FILE.

const file = process.env.TAB_FILE;
if (file === undefined) throw new Error('TAB_FILE must name the file of the tabs.');

function tabs() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {}; // nobody has opened one
  }
}

const pounds = (pence) => `${(pence / 100).toFixed(2)} GBP`;
const shown = (name, { pence, limit }) => ({ name, owed: pounds(pence), limit: pounds(limit) });
const amount = { type: 'integer', minimum: 1, description: 'Pence.' };
const name = { type: 'string', description: 'Whose tab.' };

const tools = {
  open_tab: {
    description: 'Opens a tab with a limit.',
    properties: { name, limit: amount },
    run: (all, it) => {
      if (all[it.name] !== undefined) throw new Error(`${it.name} has a tab already.`);
      all[it.name] = { pence: 0, limit: it.limit };
      return shown(it.name, all[it.name]);
    },
  },
  add_to_tab: {
    description: 'Puts an amount on a tab, up to its limit.',
    properties: { name, pence: amount },
    run: (all, it) => {
      const tab = all[it.name];
      if (tab === undefined) throw new Error(`${it.name} has no tab.`);
      if (tab.pence + it.pence > tab.limit) throw new Error(`That is over the limit of ${pounds(tab.limit)}.`);
      tab.pence += it.pence;
      return shown(it.name, tab);
    },
  },
  list_tabs: {
    description: 'Lists every tab.',
    properties: {},
    run: (all) => ({ tabs: Object.entries(all).map(([its, tab]) => shown(its, tab)) }),
  },
};

const text = (value, isError) => ({ content: [{ type: 'text', text: value }], isError });

function call({ name: tool, arguments: given }) {
  const all = tabs();
  try {
    const answer = tools[tool].run(all, given);
    writeFileSync(file, JSON.stringify(all));
    return text(JSON.stringify(answer), false);
  } catch (error) {
    return text(error.message, true);
  }
}

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'tabs', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: Object.entries(tools).map(([tool, { description, properties }]) => ({
      name: tool,
      description,
      inputSchema: { type: 'object', properties, required: Object.keys(properties) },
    })),
  }),
  'tools/call': call,
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return; // a notification
  const answer = answers[method];
  const said =
    answer === undefined
      ? { error: { code: -32601, message: `There is no method ${method}.` } }
      : { result: answer(params) };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...said })}\n`);
});
