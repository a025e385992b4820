import { configurationSchema, settingTable, termTable, variableTable } from './configuration.ts';
import { assumptionTable, limitTable, operationTable, ruleTable } from './contract.ts';
import { conversation, excerpt } from './conversation.ts';
import {
  adversariesTable,
  badAgentsTable,
  callFields,
  expectFields,
  fixtureFields,
  scenarioFields,
  schemaFile,
  stateTable,
  stepFields,
  worldFields,
} from './evals.ts';
import { example } from './example.ts';
import { faultCodeTable, routeTable } from './http.ts';
import { layerTable } from './layers.ts';
import { assumedRows, machinePages } from './machines.ts';
import { operationExample } from './operation.ts';
import { promptPage } from './prompts.ts';
import { amountTable, controlTable, faultTable, shopperTable } from './sandbox.ts';
import { claimedCodeTable, claimedNumberTable, unclaimedTable } from './screening.ts';
import { answerFile, outcomeTable, retryTable, toolTable } from './tools.ts';

/** A part of a page that is made from the code. */
export interface Section {
  readonly page: string;
  readonly name: string;
  readonly make: () => string | Promise<string>;
}

// biome-ignore format: a table
export const sections: readonly Section[] = [
  { page: 'README.md',             name: 'excerpt',      make: excerpt },
  { page: 'docs/conversation.md',  name: 'conversation',  make: conversation },
  { page: 'docs/connect.md',       name: 'example',       make: example },
  { page: 'docs/sandbox.md',       name: 'shoppers',      make: shopperTable },
  { page: 'docs/sandbox.md',       name: 'amounts',       make: amountTable },
  { page: 'docs/configuration.md', name: 'variables',     make: variableTable },
  { page: 'docs/tools.md',         name: 'tools',         make: toolTable },
  { page: 'docs/tools.md',         name: 'outcomes',      make: outcomeTable },
  { page: 'docs/tools.md',         name: 'retries',       make: retryTable },
  { page: 'docs/assumptions.md',   name: 'assumptions',   make: assumptionTable },
  { page: 'docs/assumptions.md',   name: 'assumed-rows',  make: assumedRows },
  { page: 'ARCHITECTURE.md',       name: 'layers',       make: layerTable },
  { page: 'ARCHITECTURE.md',       name: 'operation',    make: operationExample },
  { page: 'docs/rules.md',         name: 'rules',        make: ruleTable },
  { page: 'docs/machines.md',      name: 'machines',     make: machinePages },
  { page: 'docs/operations.md',    name: 'operations',   make: operationTable },
  { page: 'docs/configuration.md', name: 'settings',     make: settingTable },
  { page: 'docs/configuration.md', name: 'terms',        make: termTable },
  { page: 'docs/configuration.md', name: 'limits',       make: limitTable },
  { page: 'docs/evals.md',         name: 'scenario',     make: scenarioFields },
  { page: 'docs/evals.md',         name: 'world',        make: worldFields },
  { page: 'docs/evals.md',         name: 'steps',        make: stepFields },
  { page: 'docs/evals.md',         name: 'call',         make: callFields },
  { page: 'docs/evals.md',         name: 'expect',       make: expectFields },
  { page: 'docs/evals.md',         name: 'state',        make: stateTable },
  { page: 'docs/evals.md',         name: 'fixture',      make: fixtureFields },
  { page: 'docs/evals.md',         name: 'bad-agents',          make: badAgentsTable },
  { page: 'docs/evals.md',         name: 'adversaries',         make: adversariesTable },
  { page: 'docs/http.md',          name: 'routes',       make: routeTable },
  { page: 'docs/http.md',          name: 'fault-codes',  make: faultCodeTable },
  { page: 'docs/screening.md',     name: 'numbers',      make: claimedNumberTable },
  { page: 'docs/screening.md',     name: 'codes',        make: claimedCodeTable },
  { page: 'docs/screening.md',     name: 'unclaimed',    make: unclaimedTable },
  { page: 'docs/sandbox.md',       name: 'control',      make: controlTable },
  { page: 'docs/sandbox.md',       name: 'faults',       make: faultTable },
];

/** A file that is made from the code as a whole. */
export interface Whole {
  readonly page: string;
  readonly make: () => string;
}

export const wholes: readonly Whole[] = [
  { page: 'docs/prompts.md', make: promptPage },
  { page: 'docs/answer.schema.json', make: answerFile },
  { page: 'docs/scenario.schema.json', make: schemaFile },
  { page: 'docs/purser.config.schema.json', make: configurationSchema },
];
