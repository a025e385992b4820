import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Answer } from '../engine/answer.ts';

/** An answer as MCP carries it: structured, and as compact text for hosts that read only that. */
export const resultOf = (answer: Answer): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(answer) }],
  structuredContent: { ...answer },
  isError: answer.outcome !== 'done',
});

/** What a call answers where Purser or its database failed: nobody may take it for not sent. */
export const failed = (environment: string): Answer => ({
  outcome: 'unknown',
  environment,
  said: 'Purser failed inside, and whether the call was sent is not known. Do not start another one: look with list_operations, and tell the operator.',
  next: ['list_operations'],
  error: { code: 'OUTCOME_UNKNOWN', retry: 'never', rule: 'EN-06' },
});
