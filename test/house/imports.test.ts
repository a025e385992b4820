import { describe, expect, it } from 'vitest';
import { contract, domains } from '../../src/domains/index.ts';
import { files, read } from './files.ts';
import { against, importsOf, layerOf, layers } from './imports.ts';

const sources = files(['src', 'tools', 'evals/harness'], ['.ts', '.tsx', '.mts']);

describe('imports', () => {
  it('go one way only', () => {
    const found = sources.flatMap((file) => importsOf(file, read(file)));
    expect(found.map(against).filter((why) => why !== undefined)).toEqual([]);
    expect(found.length).toBeGreaterThan(0);
  });

  it('belong to a layer: no source file stands outside the table', () => {
    expect(sources.filter((file) => layers[layerOf(file)] === undefined)).toEqual([]);
  });

  it('say which file they mean: relative ones end in .ts', () => {
    const found = sources.flatMap((file) => importsOf(file, read(file))).filter((it) => it.relative);
    expect(found.filter((it) => !it.to.endsWith('.ts')).map((it) => it.at)).toEqual([]);
  });

  it('form no circle between layers', () => {
    const reach = (name: string, seen: readonly string[]): readonly string[] =>
      (layers[name]?.from ?? []).flatMap((next) =>
        seen.includes(next) ? [next] : [next, ...reach(next, [...seen, next])],
      );
    expect(Object.keys(layers).filter((name) => reach(name, []).includes(name))).toEqual([]);
  });
});

describe('a source file', () => {
  const imports = new Map(sources.map((file) => [file, importsOf(file, read(file)).map(({ to }) => to)]));

  /** Every file that a file imports, directly or by others. */
  const reachedFrom = (start: string): ReadonlySet<string> => {
    const found = new Set<string>();
    const next = [start];
    for (let file = next.pop(); file !== undefined; file = next.pop())
      for (const to of imports.get(file) ?? [])
        if (!found.has(to)) {
          found.add(to);
          next.push(to);
        }
    return found;
  };

  it('never imports itself in a circle, types among them', () => {
    expect(imports.size).toBeGreaterThan(400);
    expect(sources.filter((file) => reachedFrom(file).has(file))).toEqual([]);
  });
});

describe('a start over stdio', () => {
  const imports = new Map(sources.map((file) => [file, importsOf(file, read(file))]));

  /** What the build works out beforehand. */
  const built = ['src/cli/listed.ts', 'src/cli/prompts.ts'];

  /** What is read before the list of tools can be answered: all but types and dynamic imports. */
  const readAtOnce = (start: string, found = new Set<string>()): ReadonlySet<string> => {
    if (found.has(start)) return found;
    found.add(start);
    for (const { to, typeOnly, dynamic } of imports.get(start) ?? []) if (!typeOnly && !dynamic) readAtOnce(to, found);
    return found;
  };

  it('lists its tools without contracts, screening, the engine, the ledger or the sandbox', () => {
    const found = [...readAtOnce('src/cli/commands/mcp.ts', new Set(built))];
    expect(found).toContain('src/mcp/lazy-stdio.ts');
    const late =
      /^src\/(?:domains\/(?:index|[^/]+\/(?:index|contract|shapes))|screening\/|engine\/(?:engine|call|tool)\.ts|ledger\/store|sandbox\/)/;
    expect(found.filter((file) => late.test(file))).toEqual([]);
  });
});

describe('the sandbox', () => {
  const inLayer = (layer: string) => sources.filter((file) => layerOf(file) === layer);

  it('has a core that names no domain, and no operation, path or document of one', () => {
    const kinds = Object.keys(domains).flatMap((domain) => {
      const documents = `src/domains/${domain}/sandbox/documents.ts`;
      const text = sources.includes(documents) ? read(documents) : '';
      const added = /interface Kinds \{([^}]*)\}/.exec(text)?.[1] ?? '';
      return [...added.matchAll(/readonly (\w+):/g)].map(([, kind]) => `'${kind}'`);
    });
    const operations = Object.entries(contract).flatMap(([name, { template }]) => [
      name,
      template.split('/').slice(0, 3).join('/'),
    ]);
    const words = [...Object.keys(domains), ...operations, ...kinds, "'/pay/'"];
    expect(kinds).toContain("'invoice'");
    expect(
      inLayer('src/sandbox').flatMap((file) =>
        words.filter((word) => read(file).includes(word)).map((word) => `${file}: ${word}`),
      ),
    ).toEqual(['src/sandbox/shoppers.ts: device']); // the shopper's own
  });

  it('simulates a domain by its contract and machines, never by its guards or facts', () => {
    const forbidden = /^src\/domains\/(?:[^/]+\/)?(?:guards?|facts|index)\.ts$/;
    const found = inLayer('src/domains/*/sandbox').flatMap((file) => importsOf(file, read(file)));
    expect(found.filter(({ to, typeOnly }) => forbidden.test(to) && !typeOnly).map(({ at }) => at)).toEqual([]);
    expect(found.filter(({ to }) => to.endsWith('/guards.ts') || to.endsWith('/facts.ts'))).toEqual([]);
  });
});

describe('the reader of imports', () => {
  it.each([
    ['src/core/machine.ts', "import { parse } from 'yaml';", 'takes no such package'],
    ['src/core/machine.ts', "import type { Card } from '../domains/purchase/machines.ts';", 'against the direction'],
    ['src/domains/purchase/contract.ts', "import { ok } from 'node:assert';", 'takes no such package'],
    ['src/sandbox/world.ts', "export * from '../ledger/ledger.ts';", 'against the direction'],
    ['src/sandbox/world.ts', "const it = await import('../engine/engine.ts');", 'against the direction'],
    ['src/engine/engine.ts', "import '../sandbox/world.ts';", 'against the direction'],
    ['src/sandbox/world.ts', "import { card } from '../domains/purchase/machines.ts';", 'against the direction'],
    ['src/sandbox/world.ts', "import { sandboxes } from '../domains/sandboxes.ts';", 'against the direction'],
    ['src/domains/purchase/guards.ts', "import { handlers } from './sandbox/handlers.ts';", 'against the direction'],
    ['src/domains/purchase/sandbox/cards.ts', "import '../../../engine/engine.ts';", 'against the direction'],
    ['src/client/client.ts', "import {\n  Secret,\n  vault,\n} from '../ledger/vault.ts';", 'against the direction'],
    ['src/mcp/server.ts', "import { open } from '../ledger/store.ts';", 'types alone'],
    ['src/mcp/server.ts', "import { type Caller, open } from '../ledger/store.ts';", 'types alone'],
    ['src/index.ts', "import { card } from './domains/purchase/machines.ts';", 'is no layer'],
    ['tools/index.ts', "import { Ledger } from '../src/ledger/ledger.ts';", 'types alone'],
  ])('notices in %s: %s', (file, text, why) => {
    expect(importsOf(file, text).map(against)).toEqual([expect.stringContaining(why)]);
  });

  it.each([
    ['src/core/fields.ts', "import { z } from 'zod';"],
    ['src/domains/purchase/contract.ts', "import { card } from './machines.ts';"],
    ['src/client/client.ts', "import { type Secret } from '../core/secret.ts';"],
    ['src/mcp/server.ts', "import type { Caller } from '../ledger/ledger.ts';"],
    ['src/mcp/server.ts', "import type { Caller } from '../ledger/ledger.ts';"],
    ['src/domains/purchase/sandbox/cards.ts', "import { card } from '../machines.ts';"],
    ['src/sandbox/index.ts', "import { sandboxes } from '../domains/sandboxes.ts';"],
    ['src/cli/purser.ts', "import { world } from '../sandbox/world.ts';"],
    ['tools/purchase/enroll-card.ts', "import { tool } from '../src/engine/tool.ts';"],
  ])('lets %s do: %s', (file, text) => {
    expect(importsOf(file, text).map(against)).toEqual([undefined]);
  });
});
