import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { progressOf } from '../../src/cli/evals/progress.ts';

/** What a terminal, or a file in its place, is given on stderr. */
function shown(isTerminal: boolean, work: () => void): readonly string[] {
  const spy = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const before = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY');
  Object.defineProperty(process.stderr, 'isTTY', { value: isTerminal, configurable: true });
  onTestFinished(() => {
    spy.mockRestore();
    if (before === undefined) Reflect.deleteProperty(process.stderr, 'isTTY');
    else Object.defineProperty(process.stderr, 'isTTY', before);
  });
  work();
  return spy.mock.calls.map(([it]) => String(it));
}

const work = (): void => {
  const show = progressOf();
  show(1, 4, 'one');
  show(2, 4, 'two');
  show(4, 4, 'four');
};

describe('the bar of a run', () => {
  it('is one line of a terminal, written over as the run goes on, and gone at its end', () => {
    expect(shown(true, work)).toEqual([
      `\r\u001b[2K${'█'.repeat(6)}${'░'.repeat(18)} 1/4  one`,
      `\r\u001b[2K${'█'.repeat(12)}${'░'.repeat(12)} 2/4  two`,
      '\r\u001b[2K',
    ]);
  });

  it('is not there where nobody looks at a terminal', () => {
    expect(shown(false, work)).toEqual([]);
  });
});
