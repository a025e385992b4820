import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { z } from 'zod';
import { answerSchema, outcomes, retries } from '../../src/engine/answer.ts';
import { operationOf, type Tool } from '../../src/engine/tool.ts';
import { always } from '../../src/engine/tool-policy.ts';
import { listTools, tableOf } from '../../src/mcp/tool-list.ts';
import { tools, toolsetOf } from '../../tools/index.ts';
import { code, paired, table } from './markdown.ts';

/** When a person is asked, for each tool of which that depends on the call. */
const asks: Readonly<Record<string, string>> = {
  update_purchase: 'for any change but less, earlier or withdrawn',
  retrieve_credentials: 'beyond the approved release, from another card, or for anything but a plain payment',
  choose_currency: "for the card's currency: the approval is the choice, and no mandate can give it",
  capture_payment: 'after text from outside was read; otherwise who approved the authorization approved its capture',
  capture_preauthorization: 'after text from outside was read; otherwise who approved the charge approved its capture',
  amend_plan: 'when it reaches existing subscriptions',
  create_invoice: 'when its customer gets it at once; for a draft, after text from outside was read',
  send_invoice: 'unless its content was approved',
  publish_invoice: 'unless its content was approved',
};

const effects = { read: 'reads', write: 'changes', money: 'moves money' } as const;
const localEffects = { read: 'looks up, sends nothing', write: "changes Purser's records, sends nothing" } as const;

const alwaysAsks = (tool: Tool): boolean => tool.kind === 'platform' && tool.policy.approval?.needed === always;

/** The schema of every answer; `data` are those of its tool. */
export const answerFile = (): string => `${JSON.stringify(z.toJSONSchema(answerSchema(z.looseObject({}))), null, 2)}\n`;

/** Name, words, effect, approval and cost of every tool, in the order in which agents see them. */
export function toolTable(): string {
  const asking = tools.filter((tool) => tool.kind === 'platform' && tool.policy.approval !== undefined);
  const sometimes = asking.filter((tool) => !alwaysAsks(tool));
  const when = new Map([
    ...asking.filter(alwaysAsks).map(({ name }) => [name, 'always'] as const),
    ...paired(
      '`asks` in scripts/sections/tools.ts',
      sometimes.map(({ name }) => name),
      asks,
    ),
  ]);
  const rows = tools.map((tool) => [
    code(tool.name),
    toolsetOf(tool) ?? 'every',
    tool.description,
    effectOf(tool),
    when.get(tool.name) ?? 'no',
    String(tokensOf(tool)),
  ]);
  const toolsets = [...new Set(tools.flatMap((tool) => toolsetOf(tool) ?? []))];
  return [
    table(['Tool', 'Toolset', 'What the agent reads', 'Effect', 'Asks a person', 'Tokens'], rows),
    '',
    table(
      ['Toolset', 'Tools', 'Tokens', 'On average'],
      [
        ...toolsets.map((one) =>
          sizeOf(
            one,
            tools.filter((tool) => [one, undefined].includes(toolsetOf(tool))),
          ),
        ),
        sizeOf('all', tools),
      ],
    ),
    '',
    `Tokens are o200k, of name, description and input schema. The whole list costs ${thousands(listedTokens('with'))} tokens, ${thousands(listedTokens('without'))} without output schemas.`,
  ].join('\n');
}

/** Tokens of the whole list, as MCP carries it. */
const listedTokens = (outputs: 'with' | 'without'): number =>
  countTokens(
    JSON.stringify(
      listTools(tools).map(({ toolset: _, hasFile: __, shares: ___, outputSchema, ...listed }) => ({
        ...listed,
        ...(outputs === 'with' ? { outputSchema } : {}),
      })),
    ),
  );

const thousands = (count: number): string => count.toLocaleString('en-US');

function sizeOf(toolset: string, its: readonly Tool[]): readonly string[] {
  const tokens = its.reduce((sum, tool) => sum + tokensOf(tool), 0);
  return [code(toolset), ...[its.length, tokens, Math.round(tokens / its.length)].map(String)];
}

const effectOf = (tool: Tool): string =>
  tool.kind === 'local' ? localEffects[tool.effect] : effects[operationOf(tool).effect];

/** What each outcome means to an agent. */
const meanings: Readonly<Record<string, string>> = {
  done: 'The call took effect, or returned the requested data.',
  declined: 'The platform rejected the request. Nothing was changed.',
  refused: 'Purser refused the call and sent nothing. `error.rule` says why, and `next` lists the tools that can help.',
  needs_approval: 'A person must approve first. Show `approval.text`, wait, then make the same call again.',
  unknown: 'It was sent, but its outcome is unknown. Do not start another one; check with `get_operation`.',
};

export const outcomeTable = (): string =>
  table(
    ['Outcome', 'What it means'],
    paired('`meanings` in scripts/sections/tools.ts', outcomes, meanings).map(([outcome, meaning]) => [
      code(outcome),
      meaning,
    ]),
  );

export const retryTable = (): string =>
  table(
    ['`error.retry`', 'What it means'],
    Object.entries(retries).map(([retry, meaning]) => [code(retry), meaning]),
  );

/** What a model reads of a tool before it calls it. */
function tokensOf(tool: Tool): number {
  const [row] = tableOf([tool]);
  if (row === undefined) throw new Error('A table of one tool has one row.');
  const { description, inputSchema } = row.config;
  const listed = inputSchema['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
  return countTokens(JSON.stringify({ name: tool.name, description, inputSchema: listed }));
}
