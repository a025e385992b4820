/** The result of one check. Holds no secrets. */
export interface Finding {
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly about: string;
  readonly found: string;
  /** What to do, unless all is well. */
  readonly todo?: string;
}

export const ok = (about: string, found: string): Finding => ({ verdict: 'ok', about, found });
export const warn = (about: string, found: string, todo: string): Finding => ({ verdict: 'warn', about, found, todo });
export const fail = (about: string, found: string, todo: string): Finding => ({ verdict: 'fail', about, found, todo });
