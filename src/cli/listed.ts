import { tools } from '../../tools/index.ts';
import { listTools } from '../mcp/tool-list.ts';

/** The tools as hosts get them listed. A build puts the result in the place of this file, which costs too much at a start. */
export const listed = listTools(tools);
