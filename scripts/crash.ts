import { crash, points, type Tally } from '../test/promises/cycles.ts';

// Kills real processes at every point of a call, and counts what came of it: node scripts/crash.ts [cycles]

const cycles = Number(process.argv[2] ?? 306);
if (!Number.isInteger(cycles) || cycles < 1) {
  console.error('Say how many cycles, for example: node scripts/crash.ts 306');
  process.exit(2);
}
// A ledger and a platform of their own for every few hundred: what one test looks through stays small.
const mostAtOnce = 306;
let tallies: readonly Tally[] = points.map((point) => ({ point, cycles: 0, duplicates: 0, lost: 0, parked: 0 }));
for (let left = cycles; left > 0; left -= mostAtOnce) {
  const more = await crash({ cycles: Math.min(left, mostAtOnce) });
  tallies = tallies.map((it, at) => sum(it, more[at] ?? it));
}
const all = tallies.reduce(sum);
const line = (...cells: readonly (string | number)[]) => cells.map((cell) => String(cell).padStart(10)).join(' ');
console.log(line('point', 'cycles', 'duplicates', 'lost', 'parked'));
for (const it of tallies) console.log(line(it.point, it.cycles, it.duplicates, it.lost, it.parked));
console.log(line('all', all.cycles, all.duplicates, all.lost, all.parked));
process.exit(all.duplicates + all.lost === 0 ? 0 : 1);

/** Both together, under the name of the first. */
function sum(one: Tally, other: Tally): Tally {
  return {
    point: one.point,
    cycles: one.cycles + other.cycles,
    duplicates: one.duplicates + other.duplicates,
    lost: one.lost + other.lost,
    parked: one.parked + other.parked,
  };
}
