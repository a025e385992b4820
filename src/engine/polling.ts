import type { Progress } from '../core/outcome.ts';
import type { Facts } from '../domains/facts.ts';

/** How a read can wait for the platform to finish something. */
export interface Polling {
  readonly asked: (args: Facts['args']) => boolean;
  /** Whether nothing more is to be waited for, by the data of the answer. */
  readonly isOver: (data: Readonly<Record<string, unknown>>) => boolean;
  readonly progress: (data: Readonly<Record<string, unknown>>) => Progress;
}
