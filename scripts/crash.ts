import { crash } from '../test/crash/cycles.ts';

// Kills real processes at every point of a call, and counts what came of it: node scripts/crash.ts [cycles]

const cycles = Number(process.argv[2] ?? 306);
if (!Number.isInteger(cycles) || cycles < 1) {
  console.error('Say how many cycles, for example: node scripts/crash.ts 306');
  process.exit(2);
}
const tallies = await crash({ cycles });
const all = tallies.reduce((sum, it) => ({
  point: sum.point,
  cycles: sum.cycles + it.cycles,
  duplicates: sum.duplicates + it.duplicates,
  lost: sum.lost + it.lost,
  parked: sum.parked + it.parked,
}));
const line = (...cells: readonly (string | number)[]) => cells.map((cell) => String(cell).padStart(10)).join(' ');
console.log(line('point', 'cycles', 'duplicates', 'lost', 'parked'));
for (const it of tallies) console.log(line(it.point, it.cycles, it.duplicates, it.lost, it.parked));
console.log(line('all', all.cycles, all.duplicates, all.lost, all.parked));
process.exit(all.duplicates + all.lost === 0 ? 0 : 1);
