import { describe, expect, it } from 'vitest';
import { handleFor } from '../../src/engine/handles.ts';

describe('the handle of a thing that the platform has', () => {
  it.each([
    ['plan', '1', 'plan_vpasytpfiyvfvlrmccasqpkgethc'],
    ['followOn', '1', 'followon_lwnjqstrmjsjfqnmcnhxdtrpxlyx'],
    ['invoice', 'A-1', 'invoice_qfkywornawvugcwrihiaasreneec'],
  ] as const)('is the same in every version, or ledgers would know it twice: %s %s', (kind, id, handle) => {
    expect(handleFor(kind, id)).toBe(handle);
  });

  it('is another for another id, and for another kind with the same id', () => {
    const handles = [handleFor('plan', '1'), handleFor('plan', '2'), handleFor('subscription', '1')];
    expect(new Set(handles.map((handle) => handle.split('_')[1])).size).toBe(3);
  });
});
