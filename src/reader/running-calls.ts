import { limits } from '../core/limits.ts';
import type { CallState } from '../core/reader.ts';

/** Which calls the app of a connection may still be running. */
export interface RunningCalls {
  /** The app said which calls of earlier connections it still runs, or nothing of them. */
  hear(earlier: readonly string[] | undefined): void;
  begin(id: string): void;
  /** False if it had ended before. */
  end(id: string): boolean;
  readonly stateOf: (id: string) => CallState;
}

export function createRunningCalls(): RunningCalls {
  const running = new Set<string>();
  // Of a call that an app neither runs nor has ended here, only an app that lists its calls says that it is over.
  const ended = new Set<string>();
  let saysEarlier = false;
  return {
    hear: (earlier) => {
      saysEarlier = earlier !== undefined;
      for (const id of earlier ?? []) running.add(id);
    },
    begin: (id) => void running.add(id),
    end: (id) => {
      if (ended.has(id)) return false;
      running.delete(id);
      ended.add(id);
      for (const oldest of ended) {
        if (ended.size <= limits.readerEndedElements) break;
        ended.delete(oldest);
      }
      return true;
    },
    stateOf: (id) => {
      if (running.has(id)) return 'running';
      return saysEarlier || ended.has(id) ? 'over' : 'unsaid';
    },
  };
}
