import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Machine } from '../../src/core/machine.ts';
import type { Operation } from '../../src/core/operation.ts';
import * as own from '../../src/core/own-machines.ts';
import { rules } from '../../src/core/rules.ts';
import { contract, domains, kinds } from '../../src/domains/index.ts';
import { sandboxes } from '../../src/domains/sandboxes.ts';
import { toolName } from '../../src/engine/tool.ts';
import type { SandboxDomain } from '../../src/sandbox/domain.ts';

// The engine, the client, the ledger and the faces read what they need of a domain from its declarations and never name one.

const layers = [
  'src/engine',
  'src/client',
  'src/ledger',
  'src/mcp',
  'src/http',
  'src/console',
  'src/adapters',
  'src/files',
  'src/listener',

  'src/screening',
];

/** Names that may stand in a file, and why. */
// biome-ignore format: a table
const exceptions: { readonly [file: string]: { readonly names: readonly string[]; readonly because: string } } = {
  'src/client/outcome.ts': { names: ["'DECLINED'"], because: 'a code of an outcome, spelled like a state' },
  'src/engine/answer.ts': { names: ["'DECLINED'"], because: 'a code of an outcome, spelled like a state' },
  'src/engine/argument-faults.ts': { names: ['device:'], because: "a field says that it comes from the shopper's device" },
  'src/engine/assemble.ts': { names: ["'shopper'", 'things.shopper'], because: 'every domain shares shoppers, and a field says that it comes from one' },
  'src/engine/declined.ts': { names: ["'CANCELLED'", 'device:'], because: "a code of an outcome, spelled like a state; and a field says that it comes from the shopper's device" },
  'src/files/kinds.ts': { names: ["'report'"], because: 'the report of an eval, a word that reporting has, too' },
};

const isMachine = (it: unknown): it is Machine => typeof it === 'object' && it !== null && 'states' in it;
const ownStates = new Set(Object.values(own).flatMap((it) => (isMachine(it) ? it.states : [])));
const machines: readonly Machine[] = Object.values(domains).flatMap((it) => Object.values(it.machines) as Machine[]);
const states = machines.flatMap((it) => it.states).filter((state) => !ownStates.has(state));
const operations = Object.keys(contract);
const prefixes = Object.entries(rules)
  .filter(([, { domain }]) => Object.hasOwn(domains, domain))
  .map(([id]) => id.slice(0, 2));

/** Beginnings of the platform's paths, and of the sandbox's pages. */
const calls = Object.values<Operation>(contract).flatMap(({ method, template, also = [] }) => [
  `${method} ${template}`,
  ...also,
]);
const paths = [
  ...calls.map((call) => call.split('/').slice(0, 3).join('/').replace(/^\w+ /, '')),
  ...Object.values<SandboxDomain>(sandboxes).flatMap(({ pages = {} }) => Object.keys(pages)),
];

const words = (names: Iterable<string>) => [...new Set(names)].join('|');
const named = [
  new RegExp(`(['"\`])(${words([...kinds, ...states])})\\1`, 'g'),
  new RegExp(`\\bthings\\??\\.(${words(kinds)})\\b`, 'g'),
  new RegExp(`\\b(${words([...operations, ...operations.map(toolName)])})\\b`, 'g'),
  new RegExp(`\\b(?:${words(prefixes)})-\\d\\d\\b`, 'g'),
  new RegExp(`['"\`](?:${words(paths)})`, 'g'),
  new RegExp(`(?<!\\.)\\.(${words(Object.keys(domains))})\\b|\\b(${words(Object.keys(domains))})\\??:`, 'g'),
];

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$|\s\/\/ .*$/gm, '');

const files = layers.flatMap((layer) =>
  readdirSync(layer, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${layer}/${name}`),
);

const namesIn = (file: string): readonly string[] => {
  const text = withoutComments(readFileSync(file, 'utf8'));
  return [...new Set(named.flatMap((pattern) => [...text.matchAll(pattern)].map(([found]) => found)))];
};

it.each(files)('%s names no domain', (file) => {
  const allowed = exceptions[file]?.names ?? [];
  expect(namesIn(file).toSorted(), 'words of a domain: move them into it, or list them with a reason').toEqual(
    [...allowed].toSorted(),
  );
});

it('finds every sort of name', () => {
  expect(
    named.map(
      (pattern) =>
        [
          ...`things.card 'invoice' 'SENT' enrollCard create_plan AP-09 '/icc/v1' '/pay/' it.passkey { passkey: 1 }`.matchAll(
            pattern,
          ),
        ].length,
    ),
  ).toEqual([2, 1, 2, 1, 2, 2]);
});
