import { contractOf } from './contract.ts';
import { load } from './support.ts';

// The AI SDK's MCP client. A result that is an error keeps its mark; any other is the structured answer or the content.

interface Result {
  readonly isError?: boolean;
  readonly content?: readonly { readonly text: string }[];
}
type Tools = Readonly<
  Record<string, { readonly execute: (args: object, options: object) => Promise<Result> } | undefined>
>;

contractOf({
  name: "the AI SDK's MCP client",
  asks: true,
  open: async (target, says) => {
    const { createMCPClient, ElicitationRequestSchema } = await load('@ai-sdk/mcp');
    const { Experimental_StdioMCPTransport: Stdio } = await load('@ai-sdk/mcp/mcp-stdio');
    const { kind, ...how } = target;
    const client = await createMCPClient({
      transport: kind === 'http' ? { type: 'http', ...how } : new Stdio(how),
      ...(says === undefined ? {} : { capabilities: { elicitation: {} } }),
    });
    if (says !== undefined)
      client.onElicitationRequest(ElicitationRequestSchema, () => ({ action: 'accept', content: { approve: says } }));
    const tools: Tools = await client.tools();
    return {
      names: async () => Object.keys(tools),
      call: async (name, args) => {
        const result = await tools[name]?.execute(args, { toolCallId: 'call_1', messages: [] });
        if (result === undefined) throw new Error(`There is no tool ${name}.`);
        return { text: result.content?.[0]?.text ?? JSON.stringify(result), isError: result.isError === true };
      },
      close: () => client.close(),
    };
  },
});
