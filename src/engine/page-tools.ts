import type { CustomerPage } from './customer-page.ts';
import type { PlatformTool, Tool } from './tool.ts';

export type PageTool = PlatformTool & { readonly page: CustomerPage };

/** The tool of a page. */
export function pageToolOf(tools: readonly Tool[], name: string): PageTool | undefined {
  const tool = tools.find((it) => it.name === name);
  return tool?.kind === 'platform' && tool.page !== undefined ? (tool as PageTool) : undefined; // it has a page
}
