import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { openMcpSessions } from '../../evals/harness/mcp-sessions/player.ts';
import { reactionNames } from '../../evals/harness/mcp-sessions/reactions.ts';
import {
  loadMcpSession,
  type McpSession,
  type McpStep,
  mcpSessionFolder,
  revisions,
} from '../../evals/harness/mcp-sessions/session.ts';
import { sessionNames } from '../../evals/harness/sessions/folder.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { Way } from '../../src/mcp/approval.ts';
import { createMcpFactory } from '../../src/mcp/server.ts';
import { tools } from '../../tools/index.ts';
import { agent } from '../engine/support.ts';

const { play, close } = openMcpSessions();
afterAll(close);
const sessions = sessionNames(mcpSessionFolder).map((name) => loadMcpSession(name));
const named = (name: string): McpSession => {
  const found = sessions.find((it) => it.name === name);
  if (found === undefined) throw new Error(`There is no session ${name}.`);
  return found;
};

describe('the sessions with the MCP server', () => {
  const methodsIn = (step: McpStep): readonly string[] => {
    if ('call' in step) return ['tools/call'];
    if ('send' in step) return [step.send];
    return 'notify' in step ? [step.notify] : [];
  };

  it.each(['legacy', 'modern'] as const)('have every method that a server of the %s era handles', async (era) => {
    // A server registers its handlers when it is made, and calls no engine for that.
    const engine = {
      tools,
      environment: 'sandbox',
      of: () => engine,
      parts: { ports: { ids: { key: () => 'k'.repeat(32) } } },
    } as never as Engine;
    const prompt = { name: 'look', title: 'Look', description: 'Looks.', toolset: 'purchase', arguments: {}, text: '' };
    const options = { engine, caller: agent, version: '0', transport: 'stdio', prompts: [prompt] } as const;
    const made = await createMcpFactory(options)({ era });
    const server: unknown = 'server' in made ? made.server : made;
    const { _requestHandlers, _notificationHandlers } = server as {
      readonly [table: string]: Map<string, unknown>;
    };
    const handled = [...(_requestHandlers?.keys() ?? []), ...(_notificationHandlers?.keys() ?? [])];
    expect(handled).toContain('tools/call');
    const sent = new Set(sessions.flatMap(({ steps }) => steps.flatMap(methodsIn)));
    expect(handled.filter((method) => !sent.has(method))).toEqual([]);
  });

  it('have every reaction to every way of asking, in each revision', () => {
    const ways: { readonly [B in Way['by']]: string } = { form: 'form', page: 'url' };
    const seen = new Set(
      sessions.flatMap(({ revision, host, steps }) =>
        steps.flatMap((step) =>
          'call' in step ? [step.user].flat().map((it) => JSON.stringify([revision, host.elicitation, it])) : [],
        ),
      ),
    );
    const all = revisions.flatMap((revision) =>
      Object.values(ways).flatMap((mode) => reactionNames.map((it) => JSON.stringify([revision, { [mode]: {} }, it]))),
    );
    expect(all.filter((it) => !seen.has(it))).toEqual([]);
  });

  it('read the same each time', async () => {
    const session = named('who-is-asked');
    const once = await play(session);
    expect(once).toContain('input_required');
    expect(await play(session)).toBe(once);
  });
});

describe('the MCP server', () => {
  it('tells a host that reads files too fast to wait', async () => {
    const text = await play(named('small-files'));
    expect(text).toContain(
      'resources/read: error -32000\n    error: code: -32000, message: "Too many calls of this kind.',
    );
  });
});

describe('a session with a wrong step', () => {
  it('says which can not be played, after what came of the others', async () => {
    const [step] = named('who-is-asked').steps;
    const wrong = { ...step, call: 'find_shopper', args: { name: '$nobody.name' } } as McpStep;
    const text = await play({ ...named('who-is-asked'), steps: [step as McpStep, wrong] });
    expect(text).toMatch(/1\. call enroll_card: 200 done.*It can't be played: step 2: [^\n]*nobody/s);
  });

  it('says what it waited for in vain', async () => {
    const [step] = named('who-is-asked').steps;
    const waits = { ...step, once: 'never', meanwhile: [{ cancel: 'the request' }] } as McpStep;
    expect(await play({ ...named('who-is-asked'), steps: [waits] })).toContain('step 1: Nothing came with never.');
  });

  it('is not loaded, and its file and place are said', () => {
    const folder = mkdtempSync(join(tmpdir(), 'purser-mcp-sessions-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const text =
      'about: One.\nrevision: 2025-11-25\ntransport: stdio\nsteps:\n  - advance: PT1M\n  - cal: find_shopper\n';
    writeFileSync(join(folder, 'one.yaml'), text);
    expect(() => loadMcpSession('one', folder)).toThrow(/one\.yaml:6:5: steps\[1\]/);
  });

  it('is none where there is no folder', () => {
    expect(sessionNames('evals/nowhere')).toEqual([]);
  });
});
