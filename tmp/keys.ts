import { z } from 'zod';
import { tools } from '../tools/index.ts';
const outs = new Map<string, Set<string>>();
const walk = (s: any, tool: string): void => {
  if (s === null || typeof s !== 'object') return;
  if (s.properties) for (const k of Object.keys(s.properties)) if (/[A-Z]/.test(k)) { (outs.get(k) ?? outs.set(k, new Set()).get(k)!).add(tool); }
  for (const v of Object.values(s)) walk(v, tool);
};
for (const t of tools as any[]) {
  const o = t.outputSchema ?? t.present?.outputSchema ?? t.output;
  if (!o) { console.log('no out', t.name, Object.keys(t)); continue; }
  try { walk(z.toJSONSchema(o, { io: 'output', unrepresentable: 'any' } as any), t.name); } catch (e) { console.log(t.name, String(e)); }
}
for (const [k, s] of [...outs].sort()) console.log(k, [...s].length, [...s].slice(0, 3).join(','));
