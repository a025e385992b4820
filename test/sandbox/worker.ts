import { Bench } from './support.ts';

// One of several processes on one file: buys and retrieves so many times, and says which instructions it got.
const [file = '', times = '0'] = process.argv.slice(2);
const bench = new Bench({ file, frozenAt: undefined });
bench.wall = Date.now();
await bench.enroll('shopper_ada');
const ids: string[] = [];
for (let time = 0; time < Number(times); time += 1) {
  const mandates = [{ ...bench.intent('shopper_ada').mandates[0], effectiveUntilTime: '4102444800' }];
  const { body } = await bench.initiate('shopper_ada', { mandates });
  await bench.retrieve(body.instructionId);
  ids.push(body.instructionId);
}
await bench.sandbox.close();
process.stdout.write(JSON.stringify(ids));
