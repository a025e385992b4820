/** A timer that can be stopped, and keeps no process alive. */
export function after(milliseconds: number): { readonly over: Promise<void>; readonly stop: () => void } {
  let stop = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    timer.unref();
    stop = () => clearTimeout(timer);
  });
  return { over, stop };
}
