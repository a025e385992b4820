import { writeFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

// The stories without any runner, and the two reports: node plain.js <how many> <folder of the reports> <compile cache>.

const [, , count = '', folder = '', cache = ''] = process.argv;
enableCompileCache(cache);
const { openShop } = await import('./work.ts');
const shop = await openShop();
const results: { readonly name: string; readonly failure?: string; readonly milliseconds: number }[] = [];
for (let number = 0; number < Number(count); number++) {
  const began = performance.now();
  const failure = await shop.tell(number).then(
    () => undefined,
    (error: Error) => error.message,
  );
  results.push({ name: `order ${number}`, ...(failure && { failure }), milliseconds: performance.now() - began });
}
await shop.close();
const failed = results.filter((it) => it.failure !== undefined).length;
writeFileSync(join(folder, 'report.json'), JSON.stringify(results));
const cases = results.map(
  ({ name, failure, milliseconds }) =>
    `<testcase name="${name}" time="${milliseconds / 1_000}">${failure === undefined ? '' : '<failure/>'}</testcase>`,
);
writeFileSync(
  join(folder, 'junit.xml'),
  `<testsuites><testsuite name="plain" tests="${results.length}" failures="${failed}">${cases.join('')}</testsuite></testsuites>`,
);
process.exitCode = failed === 0 ? 0 : 1;
