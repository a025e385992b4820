import { loadFixture } from '../scenario/load.ts';
import { openTestHarness, type TestHarness } from '../world/world.ts';
import type { McpSession } from './session.ts';
import { mcpSessionText } from './text.ts';

/** One harness in which sessions with the MCP server are played one after the other. */
export interface McpSessions {
  /** What comes of a session, as text. */
  readonly play: (session: McpSession) => Promise<string>;
  readonly close: () => Promise<void>;
}

const fixtures = 'evals/fixtures';

/** Opens the harness when the first session is played. */
export function openMcpSessions(): McpSessions {
  let harness: Promise<TestHarness> | undefined;
  return {
    play: async (session) => {
      harness ??= openTestHarness({ fixture: (name) => loadFixture(fixtures, name), version: '0' });
      return mcpSessionText(await harness, session);
    },
    close: async () => (await harness)?.close(),
  };
}
