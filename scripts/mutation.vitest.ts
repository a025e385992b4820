import { defineConfig } from 'vitest/config';

/** The tests that `npm run mutation` runs against each mutant: fast ones, close to what they test. */
const closeTo: { readonly [part: string]: readonly string[] | undefined } = {
  tables: ['test/spec/{machine-*,states,invoice-states}.test.ts'],
  code: [
    'test/{purchase,invoicing}/guards.test.ts',
    'test/core/{money,currencies}.test.ts',
    'test/client/{describe,card-data}.test.ts',
    'test/engine/{retry,approvals,ask,assemble,decide,digest,output-screening,finish,forged,gates}.test.ts',
    'test/engine/{halt,handles,evaluate,known,learn,operation-state,limits,money-guards,names,people,redeem}.test.ts',
    'test/engine/{idempotence,register,releases,resolve,rules,input-screening,send,prior-operation,untrusted,write-ahead}.test.ts',
  ],
};

export default defineConfig({
  test: {
    include: [...(closeTo[process.env.PURSER_MUTATED ?? 'code'] ?? [])],
    testTimeout: 60_000,
    // One database is enough.
    testNamePattern: /^(?!.*PostgreSQL)/,
  },
});
