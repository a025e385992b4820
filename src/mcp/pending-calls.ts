import type { Engine } from '../engine/engine.ts';

/**
 * An engine whose `idle` waits for its calls in progress, and for what people decide: a client that leaves ends neither a
 * call that was sent, nor its user's answer.
 */
export function trackEngineCalls(engine: Engine): { readonly engine: Engine; readonly idle: () => Promise<void> } {
  const { call, idle: answered } = trackCalls(engine.call);
  const { call: decide, idle: decided } = trackCalls(engine.decide);
  const it: Engine = {
    ...engine,
    call,
    decide,
    of: (tenant) => {
      engine.of(tenant);
      return it;
    },
    // Its settings can change while it is served.
    get parts() {
      return engine.parts;
    },
  };
  const idle = async (): Promise<void> => {
    await decided();
    await answered();
  };
  return { engine: it, idle };
}

/** A function whose `idle` waits for its calls in progress. */
export function trackCalls<Given extends readonly unknown[], Answer>(
  made: (...given: Given) => Promise<Answer>,
): { readonly call: (...given: Given) => Promise<Answer>; readonly idle: () => Promise<void> } {
  const running = new Set<Promise<unknown>>();
  const call = (...given: Given) => {
    const answer = made(...given);
    running.add(answer);
    const forget = () => running.delete(answer);
    answer.then(forget, forget);
    return answer;
  };
  const idle = async () => {
    do {
      await Promise.allSettled(running);
      await nextTurn();
    } while (running.size > 0);
  };
  return { call, idle };
}

/** What has just arrived, such as a person's reaction, goes on with its call by then. */
const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));
