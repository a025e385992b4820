import type { McpServer } from '@modelcontextprotocol/server';

/**
 * Takes a question that a client fails to ask, or doesn't answer in time, for one that its user closed: the call then
 * says that the approval still waits. The SDK would end the call with the client's own error text instead.
 */
export function closeFailedQuestions({ server }: McpServer): void {
  const request = server.request.bind(server) as Request;
  const closing: Request = async (asked, ...more) => {
    try {
      return await request(asked, ...more);
    } catch (error) {
      if (asked.method !== 'elicitation/create' || more.some((it) => it?.signal?.aborted === true)) throw error;
      return { action: 'cancel' };
    }
  };
  server.request = closing as typeof server.request; // every overload takes a method first, and options last
}

type Request = (
  asked: { readonly method: string },
  ...more: readonly ({ readonly signal?: AbortSignal | undefined } | undefined)[]
) => Promise<unknown>;
