import { describe, expect, it } from 'vitest';
import { handleFor } from '../../src/engine/handles.ts';
import { codeFor } from '../../tools/billing/code.ts';

describe('the handle of a thing that the platform has', () => {
  it.each([
    ['plan', '1', 'plan_vpasytpfiyvfv'],
    ['followOn', '1', 'followon_lwnjqstrmjsjf'],
    ['invoice', 'A-1', 'invoice_qfkywornawvug'],
  ] as const)('is the same in every version, or ledgers would know it twice: %s %s', (kind, id, handle) => {
    expect(handleFor(kind, id)).toBe(handle);
  });

  it('is another for another id, and for another kind with the same id', () => {
    const handles = [handleFor('plan', '1'), handleFor('plan', '2'), handleFor('subscription', '1')];
    expect(new Set(handles.map((handle) => handle.split('_')[1])).size).toBe(3);
  });
});

describe('the code of a new thing that the agent gives none', () => {
  const [one, two] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];

  it('is the same for the same sending in every version, so that the thing is found by it', () => {
    expect(codeFor(one)).toBe('LXWNRFPGDT');
  });

  it('is another for another sending', () => {
    expect(codeFor(two)).toMatch(/^[A-Z]{10}$/);
    expect(codeFor(two)).not.toBe(codeFor(one));
  });
});
