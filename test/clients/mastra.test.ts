import { contractOf } from './contract.ts';
import { load } from './support.ts';

// Mastra's MCP client. It throws for a result that is an error, with its text; any other is the structured answer.

type Tools = Readonly<
  Record<string, { readonly execute: (args: object, context: object) => Promise<object> } | undefined>
>;

contractOf({
  name: "Mastra's MCP client",
  asks: true,
  open: async (target, says) => {
    const { MCPClient } = await load('@mastra/mcp');
    const server =
      target.kind === 'http'
        ? { url: new URL(target.url), requestInit: { headers: target.headers } }
        : { command: target.command, args: target.args, env: target.env };
    const asked = async () => ({ action: 'accept', content: { approve: says } });
    const client = new MCPClient({
      id: crypto.randomUUID(),
      servers: { purser: { ...server, ...(says === undefined ? {} : { inputRequests: asked }) } },
    });
    const tools: Tools = await client.listTools();
    return {
      names: async () => Object.keys(tools).map((name) => name.replace(/^purser_/, '')),
      call: async (name, args) => {
        try {
          const result = await tools[`purser_${name}`]?.execute(args, {});
          return { text: JSON.stringify(result), isError: false };
        } catch (error) {
          return { text: String(Object(error).message), isError: true };
        }
      },
      close: () => client.disconnect(),
    };
  },
});
