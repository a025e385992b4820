import type { CallToolResult } from '@modelcontextprotocol/server';
import { type Answer, isError } from '../engine/answer.ts';
import { linksTo } from './file-resources.ts';

/** A result for MCP: structured, and as compact text for hosts that read only text; its file is a link. */
export const resultOf = (answer: Answer): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(answer) }, ...(answer.file === undefined ? [] : linksTo(answer.file))],
  structuredContent: { ...answer },
  isError: isError(answer.outcome),
});
