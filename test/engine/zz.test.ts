import { it } from 'vitest';
import { openWorld } from './support.ts';
it('x', async () => {
  for (let i=0;i<5;i++) { const w = await openWorld(); await w.running.close(); }
  const u0 = process.cpuUsage(); 
  for (let i=0;i<100;i++) { const w = await openWorld(); await w.running.close(); }
  const u = process.cpuUsage(u0); console.log('PER', (u.user+u.system)/100/1000);
}, 100000);
