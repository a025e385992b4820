import { z } from 'zod';
import { isCurrency } from '../../../src/core/currencies.ts';
import { isTwofold, twofold } from '../../../src/core/rules.ts';
import { errorCodes, outcomes, retryNames } from '../../../src/engine/answer.ts';
import { channels } from '../../../src/engine/approval-channels.ts';
import { scopes } from '../../../src/engine/policy-scopes.ts';
import { actorSteps } from './actor-steps.ts';
import { expected, expects, line, money, ruleId, someValues, tool, values } from './shapes.ts';

// The scenario format: this schema defines the YAML file, the TypeScript type and the JSON Schema for editors.

/** Steps of one scenario. Own choice: a story that is longer has more than one point. */
const mostSteps = 40;

const scenarioId = z
  .string()
  .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'must be words of small letters and digits, joined by hyphens');
/** Names of Purser's own scenarios say domain, number and behaviour. */
export const ownId = /^[a-z]+(-[a-z]+)*-\d{3}(-[a-z0-9]+)+$/;
const captureName = z.string().regex(/^[a-z][A-Za-z0-9]*$/, 'must be a word that begins with a small letter');
const duration = z
  .string()
  .regex(/^P(?!$)(\d+W)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?$/, 'must be an ISO 8601 duration such as PT2H');
const moment = z.iso.datetime({ offset: true });
const someTools = z.array(tool).min(1, expected);
const someLines = z.array(line).min(1, expected);
const somePaths = z.array(z.string()).min(1, expected);
const levels = z
  .record(ruleId, z.enum(['refuse', 'warn', 'off', 'published']))
  .refine(
    (it) => Object.entries(it).every(([id, level]) => level !== 'published' || isTwofold(id)),
    `only ${twofold.join(' and ')} are published otherwise`,
  );

const terms = z.strictObject({
  name: line,
  tools: z.array(tool).min(1),
  currency: z.string().refine(isCurrency, 'must be an ISO 4217 currency'),
  perCall: money.optional(),
  total: money.optional(),
  count: z.int().min(1).optional(),
  per: z.array(z.enum(scopes)).default([]),
  payees: z.array(line).optional(),
  instruments: z.array(line).optional(),
  until: moment.optional(),
});

/** What a world is made of besides its fixture. */
const settings = {
  limits: z.array(terms).optional().describe('Limits for calls.'),
  mandates: z.array(terms).optional().describe('Approvals given in advance.'),
  principals: z
    .enum(['separate', 'together'])
    .optional()
    .describe('Whether principals share their purchases and operations; by default `separate`.'),
  channels: z
    .array(z.enum(channels))
    .optional()
    .describe('The channels through which people may decide; by default those of the sandbox.'),
  rules: levels
    .optional()
    .describe('Levels that differ from refuse; `published` chooses the published form of a rule.'),
  bursts: z
    .strictObject({
      read: z.int().min(1).optional(),
      write: z.int().min(1).optional(),
      money: z.int().min(1).optional(),
    })
    .optional()
    .describe('How many calls of a kind may follow each other; then one more every minute. By default no limit.'),
  sdkReleases: z
    .array(line)
    .optional()
    .describe("Releases of the card reader's SDK that came later than those Purser knows, oldest first."),
  passkey: z.literal('missing').optional().describe('The passkey service is not set up.'),
};

/** A fixture: who and what is in a world before the story begins. */
export const fixtureSchema = z.strictObject({
  about: line.describe('Who and what is there, in a sentence.'),
  ...settings,
  merchant: z
    .strictObject({
      ...{ id: line, name: line, country: line, url: z.url(), categoryCode: line.optional() },
      ...{ domainName: line.optional(), language: line.optional(), processing: line.optional() },
      reportsFor: line.optional(),
    })
    .optional()
    .describe('The merchant, where it is not that of the sandbox.'),
  shoppers: z.array(values).default([]).describe('Shopper sessions, as the app of the merchant registers them.'),
  plans: z.array(values).default([]).describe('Plans that the merchant made itself, as the platform takes them.'),
  subscriptions: z
    .array(values)
    .default([])
    .describe(
      'Subscriptions that it made itself, as the platform takes them; `planId` is the place of a plan in the list, from 0.',
    ),
  cards: z.array(values).default([]).describe('How further cards behave, as the control API of the sandbox takes it.'),
});
export type Fixture = z.output<typeof fixtureSchema>;

const world = z.strictObject({
  fixture: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/)
    .describe('A file of the folder of fixtures, without its ending; `plain` for the sandbox as it is.'),
  seed: z.int().nonnegative().default(1).describe('From which the ids and keys of the platform follow.'),
  now: moment
    .default('2026-01-15T09:00:00Z')
    .describe('When the story begins; the clock then stops until a step moves it.'),
  host: z
    .literal('asks')
    .optional()
    .describe('The host of the agent can ask its user, so approvals are asked for within the conversation.'),
  ...settings,
});

/** What one call must come back with. */
const callExpectation = z
  .strictObject({
    outcome: z.enum(outcomes).optional().describe('How Purser says it ended.'),
    refused: ruleId.optional().describe('The rule that must refuse it; matched by id, not by text.'),
    code: z.enum(errorCodes).optional().describe('The code of its error.'),
    retry: z.enum(retryNames).optional().describe('Whether and when its error says that it can succeed later.'),
    replayed: z.boolean().optional().describe('Whether it is a replay of the first result.'),
    warns: ruleId.optional().describe('The rule that must warn, and not refuse.'),
    leads: someTools.optional().describe('Tools that the answer must name as possible next.'),
    data: someValues.optional().describe('Dotted paths of its data, and their values; null: not there.'),
    error: z.boolean().optional().describe('Whether the tool reports an error, for any server.'),
    includes: someLines.optional().describe('Texts that the answer contains, for any server.'),
    omits: someLines.optional().describe('Texts that the answer does not contain.'),
    varies: somePaths
      .optional()
      .describe(
        'For an external server: dotted paths of its answer where each run has another value; `*` is every member, and an empty path the whole answer. There must be one, and the golden has `$varies`.',
      ),
  })
  .refine(expects, expected);

const userStep = z.strictObject({ user: line.describe('What the customer says.') });
const sayStep = z.strictObject({ say: line.describe('What the agent tells the customer.') });
const callStep = z.strictObject({
  call: tool.describe('The tool that the agent calls.'),
  args: values.default({}).describe('Its arguments; `$name.path` is a value that an earlier call returned.'),
  as: captureName.optional().describe('The name under which its answer is captured.'),
  vary: z
    .literal(true)
    .optional()
    .describe(
      'The golden also has what Purser says to the call with an argument missing or another one, what it makes of answers with a field missing or another one, and what the platform answers: to its requests, and to them with a field missing or wrong, each in turn.',
    ),
  expect: callExpectation.optional().describe('What it must come back with.'),
});
const advanceStep = z.strictObject({
  advance: duration.describe('The virtual clock goes forward, for Purser and the platform.'),
});
const faultStep = z.strictObject({
  fault: z
    .strictObject({
      on: z.union([tool, z.literal('*')]).describe('The tool whose next request it hits; `*` for any.'),
      kind: z.string().describe('A fault of the sandbox, such as timeout-after-commit.'),
      times: z.int().min(1).optional().describe('How many requests it hits.'),
      status: z.int().min(500).max(599).optional().describe('The status of a `5xx`.'),
      afterSeconds: z
        .int()
        .nonnegative()
        .optional()
        .describe('Seconds until a `late-apply` takes effect, or that a `429` asks to wait.'),
    })
    .describe('The next request goes wrong, or something of ours.'),
});
const poisonStep = z.strictObject({
  poison: z
    .string()
    .regex(
      /^(platform\.message|conversion\.disclaimer|issuer\.text|account\.name|reader\.receiptText|merchant\.name|settings\.message|webhook\.(name|description)|event\.(type|data)|shopper\.[$\w.]+\.name|invoice\.[$\w.]+\.(customer|description|line)|purchase\.[$\w.]+\.(description|instructionId)|plan\.[$\w.]+\.(name|description))$/,
      'must be a place',
    )
    .describe(
      'Where the hostile text is put: `platform.message`, `conversion.disclaimer`, `issuer.text` of a step-up, `account.name` in a notification of change, `reader.receiptText`, `merchant.name`, `shopper.<handle>.name`, `purchase.<handle>.description` or `.instructionId`, `plan.<handle>.name` or `.description`, `invoice.<handle>.customer`, `.description` or `.line`, `settings.message`, `webhook.name` or `.description`, `event.type` or `.data` of a delivery.',
    ),
  text: line.describe('The hostile text.'),
  wants: z
    .strictObject({ call: tool, args: values.default({}) })
    .optional()
    .describe('The call that an agent would make that obeys the text.'),
});
const meanwhileStep = z.strictObject({
  meanwhile: tool.describe(
    'For an external server: what happens beside the agent, by a tool that the server has for it: time passes, or somebody acts. A model is not offered that tool.',
  ),
  args: values.default({}).describe('Its arguments; `$name.path` is a value that an earlier call returned.'),
});

const step = z.union([userStep, sayStep, callStep, advanceStep, faultStep, ...actorSteps, poisonStep, meanwhileStep]);

/** What must be true of the whole run. */
const expectation = z.strictObject({
  state: someValues.optional().describe('Dotted paths of the state at the end, and their values; null: not there.'),
  changed: z
    .array(z.string())
    .optional()
    .describe('The collections of the state that differ at the end: these and no others.'),
  never: someTools.optional().describe('Tools that are not called.'),
  order: z
    .array(z.array(tool).min(2))
    .min(1, expected)
    .optional()
    .describe('Tools whose first calls come in this order.'),
  calls: z
    .array(tool)
    .optional()
    .describe(
      'The tools that are called, reads left out but for those of an external server; none may be where it is empty.',
    ),
  budget: z
    .strictObject({ calls: z.int().nonnegative().optional(), bytes: z.int().nonnegative().optional() })
    .refine(expects, expected)
    .optional()
    .describe('The most calls, and bytes of their answers.'),
  tells: someLines
    .optional()
    .describe(
      'Facts that the customer is told, in whatever words: a sum, a date, a time, a deed ("cancelled", "not paid"), or a name.',
    ),
  rubric: line.optional().describe('PASS if … FAIL if …; judged in live mode only.'),
});

/** For external servers: their rules, and the calls that read their state. */
const external = {
  declares: z
    .record(
      ruleId,
      z.strictObject({
        says: line.describe('The rule, as a sentence.'),
        refusal: line.optional().describe('A text of the error by which the server refuses what is against it.'),
      }),
    )
    .optional()
    .describe('The rules of an external server.'),
  observe: z
    .record(captureName, z.strictObject({ call: tool, args: values.default({}), varies: somePaths.optional() }))
    .optional()
    .describe(
      'For an external server: the collections of its state, and the calls that read them, with what `varies` in their answers.',
    ),
};

export const scenarioSchema = z.strictObject({
  id: scenarioId.describe('Domain, number and behaviour; the file is named after it. By default the name of the file.'),
  title: line.describe('What happens, as a sentence that can be read aloud.'),
  rules: z.array(ruleId).default([]).describe('The rules it is about; for an external server there may be none.'),
  twin: scenarioId.optional().describe('The scenario that is served where this one is refused.'),
  world: world.optional().describe('Where it takes place; by default the people and cards of the sandbox.'),
  ...external,
  user: z
    .strictObject({
      goal: line.optional(),
      knows: someValues.optional(),
      unsure: someLines.optional(),
      mood: line.optional(),
      threshold: z.number().gt(0).max(1).optional(),
    })
    .refine(expects, expected)
    .optional()
    .describe(
      'The customer: what is wanted (`goal`), what is known and can be told when asked (`knows`), what is not known or remembered wrongly (`unsure`), the `mood`; and the share of live trials that must pass (`threshold`), where it is not that of the run.',
    ),
  steps: z.array(step).min(1).max(mostSteps).describe('The story, in order.'),
  expect: expectation.default({}).describe('What must be true of the whole run.'),
});

export type Scenario = z.output<typeof scenarioSchema>;
export type ScenarioInput = z.input<typeof scenarioSchema>;
export type Step = Scenario['steps'][number];
export type CallStep = Extract<Step, { call: string }>;
export type PoisonStep = Extract<Step, { poison: string }>;
export type ActorStep = Extract<Step, { actor: string }>;
export type MeanwhileStep = Extract<Step, { meanwhile: string }>;
export type CallExpectation = z.output<typeof callExpectation>;
export type WorldSpec = z.output<typeof world>;
/** Any JSON value. */
export type Value = z.output<ReturnType<typeof z.json>>;
export type Values = z.output<typeof values>;

/** Validates a scenario written in TypeScript. Throws a ZodError if it is invalid. */
export const defineScenario = (given: ScenarioInput): Scenario => scenarioSchema.parse(given);

/** The JSON Schema of a scenario file, for editors. */
export const scenarioJsonSchema = (): object => ({
  $id: 'https://purser.invalid/schemas/scenario-1.json',
  ...z.toJSONSchema(scenarioSchema, {
    ...{ target: 'draft-2020-12', io: 'input' },
    // The name of a file is the id of its scenario.
    override: ({ jsonSchema, path }) => {
      if (path.length === 0) jsonSchema.required = (jsonSchema.required ?? []).filter((name) => name !== 'id');
    },
  }),
  title: 'A scenario of purser eval',
});

export const isCall = (it: Step): it is CallStep => 'call' in it;
export const isPoison = (it: Step): it is PoisonStep => 'poison' in it;
export const isActor = (it: Step): it is ActorStep => 'actor' in it;
export const isMeanwhile = (it: Step): it is MeanwhileStep => 'meanwhile' in it;

/** The rules that the scenario's steps expect to be refused by. */
export const refusedRules = ({ steps }: Scenario): readonly string[] => [
  ...new Set(
    steps.flatMap((it) => (isCall(it) ? (it.expect?.refused ?? []) : 'refused' in it ? (it.refused ?? []) : [])),
  ),
];
