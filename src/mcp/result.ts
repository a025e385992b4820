import type { CallToolResult } from '@modelcontextprotocol/server';
import { type Answer, isError } from '../engine/answer.ts';

/** An answer as MCP carries it: structured, and as compact text for hosts that read only that. */
export const resultOf = (answer: Answer): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(answer) }],
  structuredContent: { ...answer },
  isError: isError(answer.outcome),
});
