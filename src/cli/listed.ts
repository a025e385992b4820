import { tools } from '../../tools/index.ts';
import { listTools } from '../mcp/tool-list.ts';

/**
 * The tools as listed to hosts. The build replaces this file with the result, which takes too long to compute at a
 * start.
 */
export const listed = listTools(tools);
