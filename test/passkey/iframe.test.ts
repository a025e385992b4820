import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromIframe, iframeFields, toIframe } from '../../src/domains/passkey/iframe.ts';

type Tree = { [name: string]: Tree | string | boolean };

/** An object with a value at each of some paths. */
function treeOf(values: readonly (readonly [path: string, value: string | boolean])[]): Tree {
  const tree: Tree = {};
  for (const [path, value] of values) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    const parent = names.reduce<Tree>((at, name) => {
      at[name] ??= {};
      return at[name] as Tree; // the table has no path that begins another
    }, tree);
    parent[last] = value;
  }
  return tree;
}

it('PK-12 maps any part of the table there and back without a loss', () => {
  const some = fc
    .subarray([...iframeFields])
    .chain((rows) => fc.tuple(...rows.map((row) => fc.tuple(fc.constant(row), fc.oneof(fc.string(), fc.boolean())))));
  fc.assert(
    fc.property(some, (rows) => {
      const platform = treeOf(rows.map(([[path], value]) => [path, value]));
      const iframe = treeOf(rows.map(([[, path], value]) => [path, value]));
      expect(toIframe(platform)).toEqual(iframe);
      expect(fromIframe(iframe)).toEqual(platform);
      expect(fromIframe(toIframe(platform))).toEqual(platform);
    }),
    { seed: 1912, numRuns: 500 },
  );
});

it('reads the result of an iframe under either of its names', () => {
  const fidoResponse = { fidoBlob: 'blob', identifier: 'id', rpID: 'party' };
  const read = { authenticatedIdentities: { data: 'blob', id: 'id', relyingPartyId: 'party' } };
  expect(fromIframe({ fidoResponse })).toEqual(read);
  expect(fromIframe({ assuranceData: fidoResponse })).toEqual(read);
});
