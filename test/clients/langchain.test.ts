import { contractOf } from './contract.ts';
import { load } from './support.ts';

// LangChain's adapters for MCP. They throw for a result that is an error, with its text; and
// they hold arguments against the listed schema, which has no null, before they send anything.

interface Tool {
  readonly name: string;
  readonly invoke: (args: object) => Promise<{ readonly text: string }>;
}

contractOf({
  name: "LangChain's MCP adapters",
  asks: false,
  holdsNull: /did not match expected schema/,
  open: async (target) => {
    const { MultiServerMCPClient } = await load('@langchain/mcp-adapters');
    const { kind, ...how } = target;
    const client = new MultiServerMCPClient({ mcpServers: { purser: { transport: kind, ...how } } });
    const tools: readonly Tool[] = await client.getTools();
    return {
      names: async () => tools.map(({ name }) => name),
      call: async (name, args) => {
        const tool = tools.find((it) => it.name === name);
        if (tool === undefined) throw new Error(`There is no tool ${name}.`);
        try {
          return { text: (await tool.invoke(args)).text, isError: false };
        } catch (error) {
          return { text: String(error), isError: true };
        }
      },
      close: () => client.close(),
    };
  },
});
